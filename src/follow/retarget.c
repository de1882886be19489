/* Motions from one creature to another. */
#include "follow/retarget.h"

#include <math.h>
#include <string.h>

#include "dynamics/reach.h"

struct mapping {
  const struct creature *from, *to;
  int *dof, *point;             /* of `from` for those of `to`; -1: it has none        */
  double length, time, force;   /* factors                                             */
};

static struct mapping map_names(struct arena *arena, const struct creature *from, const struct creature *to)
{
  struct mapping m = {.from = from, .to = to, .dof = ARENA_NEW(arena, (size_t)to->n_dofs, int),
                      .point = ARENA_NEW(arena, (size_t)to->n_points + 1, int)};
  for (int i = 0; i < to->n_dofs; i++)
    m.dof[i] = creature_find_dof(from, to->dofs[i].name);
  for (int i = 0; i < to->n_points; i++) {
    m.point[i] = -1;
    for (int k = 0; k < from->n_points; k++)
      if (!strcmp(to->points[i].name, from->points[k].name))
        m.point[i] = k;
  }
  m.length = to->height / from->height;
  m.time = sqrt(m.length);
  m.force = to->mass / from->mass;
  return m;
}

/* A pose of `to` from one of `from`, feet included. */
static void map_pose(const struct mapping *m, const double *from, double *q)
{
  struct arena *scratch = arena_new();
  struct dynamics *old = dynamics_new(scratch, m->from), *own = dynamics_new(scratch, m->to);
  double *goal = ARENA_NEW(scratch, 3 * (size_t)m->to->n_points + 1, double);
  for (int i = 0; i < m->to->n_dofs; i++) {
    const struct dof *d = &m->to->dofs[i];
    q[i] = m->dof[i] >= 0 ? from[m->dof[i]] : d->rest;
    if (i < 3)
      q[i] *= m->length;
    else if (i >= CREATURE_ROOT_DOFS)
      q[i] = fmin(d->upper, fmax(d->lower, q[i]));
  }
  dynamics_kinematics(old, from);
  dynamics_kinematics(own, q);
  for (int p = 0; p < m->to->n_points; p++) {
    double *at = goal + 3 * p;
    if (m->point[p] < 0) {
      dynamics_point(own, m->to->points[p].body, m->to->points[p].at, at);
      continue;
    }
    dynamics_point(old, m->from->points[m->point[p]].body, m->from->points[m->point[p]].at, at);
    for (int k = 0; k < 3; k++)
      at[k] *= m->length;
  }
  reach_goals(reach_new(scratch, m->to, own, 1), goal, NULL, q);
  arena_free(scratch);
}

static void map_contacts(const struct mapping *m, const struct clip *clip, int k, struct clip *out)
{
  for (int p = 0; p < m->to->n_points; p++) {
    if (m->point[p] < 0)
      continue;
    size_t a = (size_t)k * (size_t)clip->n_points + (size_t)m->point[p], b = (size_t)k * (size_t)out->n_points +
               (size_t)p;
    out->contact[b] = clip->contact[a];
    for (int i = 0; i < 3; i++)
      out->force[3 * b + (size_t)i] = m->force * clip->force[3 * a + (size_t)i];
  }
}

struct clip *retarget_clip(struct arena *arena, const struct creature *from, const struct creature *to,
                           const struct clip *clip, struct diag *d)
{
  struct mapping m = map_names(arena, from, to);
  int known = 0;
  for (int p = 0; p < to->n_points; p++)
    known += m.point[p] >= 0;
  if (known == 0) {
    diag_error(d, to->file, 0,
               "%s and %s have no contact point of the same name: a motion of one means nothing to the other",
               from->name, to->name);
    return NULL;
  }
  struct clip *out = clip_new(arena, to, clip->n_frames, clip->dt * m.time);
  double *q = out->q, *force = out->force;
  unsigned char *contact = out->contact;
  *out = *clip;
  out->n_dofs = to->n_dofs;
  out->n_points = to->n_points;
  out->dt = clip->dt * m.time;
  out->speed = clip->speed * m.length / m.time;
  out->advance.x *= m.length;
  out->advance.y *= m.length;
  out->q = q;
  out->force = force;
  out->contact = contact;
  for (int k = 0; k < clip->n_frames; k++) {
    map_pose(&m, clip->q + (size_t)k * (size_t)clip->n_dofs, q + (size_t)k * (size_t)to->n_dofs);
    map_contacts(&m, clip, k, out);
  }
  return out;
}
