/* Transitions that take the time an animal would take. */
#include "spacetime/unhurried.h"

#include "spacetime/leap.h"

struct clip *unhurried_transition(struct arena *arena, const struct transition_request *r, int cycles,
                                  const struct spacetime_options *o, const struct unhurried_check *check,
                                  struct spacetime_report *report, struct natural_report *judged)
{
  int cycle = (r->from->cyclic ? r->from : r->to)->n_frames, frames = r->frames, solves = 0;
  int is_leap = !leap_is_none(&r->leap); /* costs what it costs: no stand is a measure for it */
  double seconds = 0;
  struct clip *best = NULL;
  for (int longer = 0; longer <= cycles && !(best && judged->passed); longer++) {
    struct transition_request slower = *r;
    struct spacetime_options left = *o;
    struct spacetime_report *trial = ARENA_NEW(arena, 1, struct spacetime_report);
    struct natural_report here;
    slower.frames = longer ? frames + longer * cycle : r->frames;
    left.max_seconds -= seconds; /* below 0: the attempt finds nothing, at once */
    struct clip *clip = spacetime_transition(arena, &slower, &left, trial);
    if (!best)
      *report = *trial;
    if ((check && !check->accepts(check->user, clip, trial)) || !clip)
      break;
    if (is_leap)
      here = (struct natural_report){.passed = 1};
    else
      natural_judge(arena, r->c, clip, r->from, r->to, &here);
    if (!best || here.excess < judged->excess)
      best = clip, *judged = here, *report = *trial;
    if (!longer && !frames)
      frames = clip->n_frames;
    solves += trial->solves, seconds += trial->seconds;
    report->solves = solves, report->seconds = seconds;
  }
  return best;
}
