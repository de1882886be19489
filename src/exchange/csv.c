/* A clip as a table: see exchange.h for its columns. */
#include <math.h>

#include "exchange/exchange.h"
#include "exchange/frame_state.h"

struct sheet {
  struct frame_state state;
  const struct creature *c;
  const struct clip *clip;
  FILE *out;
};

static void write_comments(struct sheet *s)
{
  const struct clip *k = s->clip;
  fprintf(s->out, "# clip '%s' of creature '%s', gait %s", k->name, s->c->name, k->gait);
  if (!k->cyclic)
    fprintf(s->out, " to %s", k->gait_after);
  fprintf(s->out, ": %d frames, %.17g s apart\n", k->n_frames, k->dt);
  if (k->cyclic)
    fprintf(s->out, "# cyclic: frame %d is frame 0 turned by %.17g rad about z, then moved by x %.17g m, y %.17g m\n",
            k->n_frames, k->advance.yaw, k->advance.x, k->advance.y);
  fputs("# axes: x forward, y left, z up\n"
        "# units: time s; q rad, m for root_x, root_y, root_z; position m; force N; torque N m, N for root_x, root_y,"
        " root_z\n"
        "# force: of the ground on the point; contact: 1 while the point is on the ground\n"
        "# torque: M a + h - J^T force, v and a being central differences of q; at root_* it is what physics does not"
        " explain\n", s->out);
  if (s->c->n_tissues)
    fputs("# passive: torque of tendons, springs and dampers [N m]; torque is that of muscles alone, what the joint"
          " needs less passive\n", s->out);
}

/* "position.left_hoof.x,position.left_hoof.y,..." of all points */
static void write_point_names(struct sheet *s, const char *what)
{
  for (int p = 0; p < s->c->n_points; p++)
    for (int k = 0; k < 3; k++)
      fprintf(s->out, ",%s.%s.%c", what, s->c->points[p].name, "xyz"[k]);
}

static void write_names(struct sheet *s)
{
  fputs("time", s->out);
  for (int i = 0; i < s->c->n_dofs; i++)
    fprintf(s->out, ",q.%s", s->c->dofs[i].name);
  for (int p = 0; p < s->c->n_points; p++)
    fprintf(s->out, ",contact.%s", s->c->points[p].name);
  write_point_names(s, "position");
  write_point_names(s, "force");
  for (int i = 0; i < s->c->n_dofs; i++)
    fprintf(s->out, ",torque.%s", s->c->dofs[i].name);
  for (int i = 0; i < s->c->n_dofs; i++)
    if (frame_state_has_tissue(s->c, i))
      fprintf(s->out, ",passive.%s", s->c->dofs[i].name);
  putc('\n', s->out);
}

static void write_numbers(struct sheet *s, const double *x, int n)
{
  for (int i = 0; i < n; i++)
    if (isnan(x[i]))
      fputs(",nan", s->out); /* printf might say -nan */
    else
      fprintf(s->out, ",%.17g", x[i]);
}

static void write_frame(struct sheet *s, int k)
{
  const struct creature *c = s->c;
  const struct frame_state *state = &s->state;
  frame_state_find(&s->state, k);
  fprintf(s->out, "%.17g", k * s->clip->dt);
  write_numbers(s, state->q, c->n_dofs);
  for (int p = 0; p < c->n_points; p++)
    fprintf(s->out, ",%d", state->contact[p]);
  write_numbers(s, state->at, 3 * c->n_points);
  write_numbers(s, state->force, 3 * c->n_points);
  write_numbers(s, state->torque, c->n_dofs);
  for (int i = 0; i < c->n_dofs; i++)
    if (frame_state_has_tissue(c, i))
      write_numbers(s, &state->passive[i], 1);
  putc('\n', s->out);
}

int exchange_write_csv(const struct creature *c, const struct clip *clip, FILE *out)
{
  struct arena *arena = arena_new();
  struct sheet s = {frame_state_new(arena, c, clip), c, clip, out};
  write_comments(&s);
  write_names(&s);
  for (int k = 0; k < clip->n_frames; k++)
    write_frame(&s, k);
  arena_free(arena);
  return fflush(out) != 0 || ferror(out) != 0;
}
