/* A clip as tables for OpenSim: a head, then columns between tabs, the first one being time.
 * https://simtk-confluence.stanford.edu/display/OpenSim/Storage+%28.sto%29+Files */
#include <math.h>

#include "exchange/exchange.h"
#include "exchange/frame_state.h"

/* Ours, x forward, y left, z up, as OpenSim's x forward, Y up, Z right. */
static void write_vector(FILE *out, const double *v)
{
  fprintf(out, "\t%.17g\t%.17g\t%.17g", v[0], v[2], 0.0 - v[1]); /* no -0 */
}

static void write_head(FILE *out, const char *name, const struct clip *clip, int n_columns)
{
  fprintf(out, "%s\nversion=1\nnRows=%d\nnColumns=%d\ninDegrees=no\nendheader\ntime", name, clip->n_frames, n_columns);
}

int exchange_write_mot(const struct creature *c, const struct clip *clip, FILE *out)
{
  write_head(out, clip->name ? clip->name : "motion", clip, 1 + c->n_dofs);
  fputs("\troot_tx\troot_ty\troot_tz", out);
  for (int i = 3; i < c->n_dofs; i++)
    fprintf(out, "\t%s", c->dofs[i].name);
  for (int k = 0; k < clip->n_frames; k++) {
    const double *q = clip->q + (size_t)k * (size_t)c->n_dofs;
    fprintf(out, "\n%.17g", k * clip->dt);
    write_vector(out, q);
    for (int i = 3; i < c->n_dofs; i++)
      fprintf(out, "\t%.17g", q[i]);
  }
  putc('\n', out);
  return fflush(out) != 0 || ferror(out) != 0;
}

int exchange_write_sto(const struct creature *c, const struct clip *clip, FILE *out)
{
  struct arena *arena = arena_new();
  struct frame_state s = frame_state_new(arena, c, clip);
  int joints = c->n_dofs - CREATURE_ROOT_DOFS;
  write_head(out, clip->name ? clip->name : "motion", clip, 1 + 6 * c->n_points + joints);
  for (int p = 0; p < c->n_points; p++)
    for (int k = 0; k < 6; k++)
      fprintf(out, "\t%s_force_%c%c", c->points[p].name, k < 3 ? 'v' : 'p', "xyz"[k % 3]);
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    fprintf(out, "\t%s_moment", c->dofs[i].name);
  for (int k = 0; k < clip->n_frames; k++) {
    frame_state_find(&s, k);
    fprintf(out, "\n%.17g", k * clip->dt);
    for (int p = 0; p < c->n_points; p++) {
      write_vector(out, s.force + 3 * p);
      write_vector(out, s.at + 3 * p);
    }
    if (!s.known && clip->n_frames > 2)
      frame_state_find(&s, k ? k - 1 : 1);
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
      fprintf(out, "\t%.17g", isnan(s.torque[i]) ? 0 : s.torque[i]);
  }
  putc('\n', out);
  arena_free(arena);
  return fflush(out) != 0 || ferror(out) != 0;
}
