/* A clip as a table: see exchange.h for its columns. */
#include <math.h>

#include "dynamics/dynamics.h"
#include "dynamics/tissue.h"
#include "exchange/exchange.h"

struct sheet {
  const struct creature *c;
  const struct clip *clip;
  struct dynamics *dynamics;
  double *q, *v, *a, *tau;      /*                       (n_dofs each) */
  double *passive;              /* torque of tissue      (n_dofs)      */
  int *has_tissue;              /* does any act on it?   (n_dofs)      */
  double *J;                    /* of one point          (3 x n_dofs)  */
  FILE *out;
};

static struct sheet new_sheet(struct arena *arena, const struct creature *c, const struct clip *clip, FILE *out)
{
  size_t n = (size_t)c->n_dofs;
  struct sheet s = {.c = c,
                    .clip = clip,
                    .dynamics = dynamics_new(arena, c),
                    .q = ARENA_NEW(arena, n, double),
                    .v = ARENA_NEW(arena, n, double),
                    .a = ARENA_NEW(arena, n, double),
                    .tau = ARENA_NEW(arena, n, double),
                    .passive = ARENA_NEW(arena, n, double),
                    .has_tissue = ARENA_NEW(arena, n, int),
                    .J = ARENA_NEW(arena, 3 * n, double),
                    .out = out};
  for (int i = 0; i < c->n_tissues; i++)
    for (int k = 0; k < c->tissues[i].n_dofs; k++)
      s.has_tissue[c->tissues[i].dof[k]] = 1;
  return s;
}

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
    if (s->has_tissue[i])
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

/* The muscles' and the tissue's parts of tau = M a + h - sum J^T f of frame k, or NaNs where there is no v and a.
 * Leaves q and the bodies' frames. */
static void find_torques(struct sheet *s, int k, const double *force)
{
  int n = s->c->n_dofs, known = clip_state(s->clip, k, s->q, s->v, s->a);
  dynamics_inverse(s->dynamics, s->q, s->v, s->a, s->tau);
  dynamics_kinematics(s->dynamics, s->q);
  for (int p = 0; p < s->c->n_points; p++) {
    dynamics_point_jacobian(s->dynamics, s->c->points[p].body, s->c->points[p].at, s->J);
    for (int i = 0; i < n; i++)
      for (int x = 0; x < 3; x++)
        s->tau[i] -= s->J[x * n + i] * force[3 * p + x];
  }
  for (int i = 0; i < n; i++)
    s->passive[i] = s->tau[i];
  tissue_subtract(s->c, s->q, s->v, s->tau);
  for (int i = 0; i < n; i++) {
    s->passive[i] = known ? s->passive[i] - s->tau[i] : NAN;
    s->tau[i] = known ? s->tau[i] : NAN;
  }
}

static void write_frame(struct sheet *s, int k)
{
  const struct creature *c = s->c;
  size_t first = (size_t)k * (size_t)c->n_points;
  const double *force = s->clip->force + 3 * first;
  double x[3];
  find_torques(s, k, force);
  fprintf(s->out, "%.17g", k * s->clip->dt);
  write_numbers(s, s->q, c->n_dofs);
  for (int p = 0; p < c->n_points; p++)
    fprintf(s->out, ",%d", s->clip->contact[first + (size_t)p]);
  for (int p = 0; p < c->n_points; p++) {
    dynamics_point(s->dynamics, c->points[p].body, c->points[p].at, x);
    write_numbers(s, x, 3);
  }
  write_numbers(s, force, 3 * c->n_points);
  write_numbers(s, s->tau, c->n_dofs);
  for (int i = 0; i < c->n_dofs; i++)
    if (s->has_tissue[i])
      write_numbers(s, &s->passive[i], 1);
  putc('\n', s->out);
}

int exchange_write_csv(const struct creature *c, const struct clip *clip, FILE *out)
{
  struct arena *arena = arena_new();
  struct sheet s = new_sheet(arena, c, clip, out);
  write_comments(&s);
  write_names(&s);
  for (int k = 0; k < clip->n_frames; k++)
    write_frame(&s, k);
  arena_free(arena);
  return fflush(out) != 0 || ferror(out) != 0;
}
