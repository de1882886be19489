/* See performing.h. */
#include "cli/performing.h"

#include <math.h>

int performing_load(struct arena *arena, struct store *s, enum store_series series, int number, struct performing *out,
                    struct diag *d)
{
  *out = (struct performing){.creature = store_get_creature(arena, s, d)};
  if (!out->creature || !store_get_performance(arena, s, series, number, &out->kept, d))
    return 0;
  if (series == SERIES_TRACK)
    out->recording = recording_unpack(arena, out->creature, &out->kept, d);
  else if (modal_record_load(arena, s, out->creature, &out->kept, &out->modal, d))
    out->recording = out->modal.recording;
  return out->recording != NULL;
}

int performing_open(struct arena *arena, const char *run, enum store_series series, int number, struct performing *out,
                    struct diag *d)
{
  struct store *s = store_open(arena, run, STORE_READ, d);
  int loaded = s && performing_load(arena, s, series, number, out, d);
  store_close(s);
  return loaded;
}

double performing_replay(struct arena *arena, struct performing *p, struct diag *d)
{
  const struct follow_motion *before = p->recording->motion;
  const struct follow_motion *again = p->kept.series == SERIES_MODAL ? modal_replay(arena, &p->modal, d)
                                                                     : recording_replay(arena, p->recording, d);
  if (!again)
    return NAN;
  p->recording->motion = (struct follow_motion *)again;
  return recording_difference(p->creature, before, again);
}
