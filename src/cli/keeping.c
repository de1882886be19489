/* See keeping.h. */
#include "cli/keeping.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "modal/squat.h"

const struct clip *keeping_source(struct arena *arena, struct store *s, const struct creature *c,
                                  const struct modal_source *source, int n_edits, struct guide_edit *edits, struct diag *d)
{
  const struct clip *clip, *after = source->after ? store_get_clip(arena, s, source->after, d) : NULL;
  if (source->clip) {
    clip = store_get_clip(arena, s, source->clip, d);
  } else {
    struct squat squat;
    squat_defaults(&squat);
    squat.arms = source->arms;
    clip = squat_clip(arena, c, &squat, d);
  }
  for (int i = 0; i < n_edits; i++)
    if (edits[i].kind == GUIDE_TRANSITION && !(edits[i].clip = after))
      return NULL;
  return clip;
}

int keeping_load(struct arena *arena, struct store *s, int id, struct keeping *out, struct diag *d)
{
  struct modal_source source;
  *out = (struct keeping){.creature = store_get_creature(arena, s, d)};
  if (!out->creature || !store_get_performance(arena, s, SERIES_MODAL, id, &out->kept, d))
    return 0;
  out->run = modal_record_read(arena, out->creature, &out->kept, &source, &out->options, d);
  if (!out->run)
    return 0;
  struct guide_edit *edits = ARENA_NEW(arena, (size_t)out->options.n_edits + 1, struct guide_edit);
  if (out->options.n_edits)
    memcpy(edits, out->options.edits, (size_t)out->options.n_edits * sizeof *edits);
  out->options.edits = edits;
  out->clip = keeping_source(arena, s, out->creature, &source, out->options.n_edits, edits, d);
  return out->clip != NULL;
}

int keeping_play(struct arena *arena, const char *file, int id, int quiet, struct keeping *out, const struct modal_run **again,
                 struct diag *d)
{
  struct store *s = store_open(arena, file, STORE_READ, d);
  int loaded = s && keeping_load(arena, s, id, out, d);
  store_close(s);
  const struct modal_run *r = loaded ? modal_replay(arena, out->clip, out->run, &out->options, d) : NULL;
  if (!r)
    return CLI_WRONG_INPUT;
  size_t n = (size_t)r->n * (size_t)r->n_dofs;
  int same = r->n == out->run->n && !memcmp(r->q, out->run->q, n * sizeof *r->q);
  if (!quiet) {
    printf("motion %d under modal control, %s, in %s: %.2f s, %s: %s\n", out->kept.number, out->kept.what,
           !strcmp(out->kept.place, "linear") ? "its own dynamics" : out->kept.place, r->n * r->dt,
           out->options.where == MODAL_OWN ? "planned again" : "replayed open loop",
           same ? "the same motion, bit for bit" : "NOT the motion that was kept");
    printf("  %s%s; root off by at most %.2f degrees, %.4f L in height\n", out->kept.success ? "followed" : "not followed: ",
           out->kept.fault, out->run->worst_angle * 180 / 3.14159265358979323846, out->run->worst_height);
  }
  *again = r;
  return same && out->kept.success ? CLI_DONE : CLI_FAILED;
}
