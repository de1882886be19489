/* Pieces of motion along the ground. */
#include "motion/path.h"

#include <string.h>

#include "motion/ground.h"

struct path *path_new(struct arena *arena, const struct creature *c, int n_frames, double dt)
{
  struct path *p = ARENA_NEW(arena, 1, struct path);
  size_t n = (size_t)n_frames;
  *p = (struct path){.n_frames = n_frames, .n_dofs = c->n_dofs, .n_points = c->n_points, .dt = dt};
  p->q = ARENA_NEW(arena, n * (size_t)c->n_dofs, double);
  p->heading = ARENA_NEW(arena, n, double);
  p->contact = ARENA_NEW(arena, n * (size_t)c->n_points, unsigned char);
  return p;
}

double *path_pose(const struct path *path, int k)
{
  return path->q + (size_t)k * (size_t)path->n_dofs;
}

void path_set_frame(struct path *path, int to, const struct clip *clip, int k, struct clip_advance place)
{
  int n = clip->n_frames, row = clip->cyclic ? (k % n + n) % n : k;
  size_t points = (size_t)clip->n_points;
  clip_frame(clip, k, path_pose(path, to));
  clip_move_pose(place, path_pose(path, to));
  path->heading[to] = ground_heading(clip, k) + place.yaw;
  memcpy(path->contact + (size_t)to * points, clip->contact + (size_t)row * points, points);
}

struct path *path_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip, int first,
                          int n_frames)
{
  struct path *p = path_new(arena, c, n_frames, clip->dt);
  for (int k = 0; k < n_frames; k++)
    path_set_frame(p, k, clip, first + k, (struct clip_advance){0, 0, 0});
  return p;
}

struct clip_advance path_ground(const struct path *path, int k)
{
  const double *q = path_pose(path, k);
  return (struct clip_advance){q[0], q[1], path->heading[k]};
}

void path_carry(struct path *path, struct clip_advance by)
{
  for (int k = 0; k < path->n_frames; k++) {
    clip_move_pose(by, path_pose(path, k));
    path->heading[k] += by.yaw;
  }
}

void path_go_home(struct path *path)
{
  path_carry(path, ground_inverse(path_ground(path, 0)));
}

int path_foot_stands(const struct creature *c, const struct path *path, int k, int foot)
{
  const struct foot *f = &c->feet[foot];
  for (int i = f->first_point; i < f->first_point + f->n_points; i++)
    if (path->contact[(size_t)k * (size_t)path->n_points + (size_t)i])
      return 1;
  return 0;
}

struct clip *path_to_clip(struct arena *arena, const struct creature *c, const struct path *path)
{
  struct clip *clip = clip_new(arena, c, path->n_frames, path->dt);
  struct clip_advance first = path_ground(path, 0), last = path_ground(path, path->n_frames - 1);
  clip->q = path->q;
  clip->contact = path->contact;
  clip->advance = ground_after(ground_inverse(first), last);
  clip->turn = clip->advance.yaw;
  return clip;
}
