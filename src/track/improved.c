/* The improved sampling (Liu 2015 as told by Xie 2021, section 4): to be written. */
#include "track/track.h"

int track_improved(struct tracking *t)
{
  return track_by_samples(t);
}
