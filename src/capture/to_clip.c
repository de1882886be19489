/* From a motion file to a clip: on the floor, at the origin, with contacts and the forces of the ground. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "capture/capture.h"
#include "motion/ground.h"
#include "capture/floor.h"

const char *capture_name(struct arena *arena, const char *file)
{
  const char *slash = strrchr(file, '/');
  char *name = arena_strdup(arena, slash ? slash + 1 : file), *dot = strrchr(name, '.');
  if (dot && dot != name)
    *dot = '\0';
  for (char *c = name; *c; c++)
    if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
      *c = '_';
  return name;
}

/* Moves it so that it begins at the origin and goes, or at first looks, along x. */
static void move_to_origin(struct clip *clip, double travel)
{
  const double *first = clip->q, *last = clip->q + (size_t)(clip->n_frames - 1) * (size_t)clip->n_dofs;
  double x = last[0] - first[0], y = last[1] - first[1];
  double yaw = hypot(x, y) > travel ? atan2(y, x) : first[3];
  struct clip_advance back = ground_inverse((struct clip_advance){first[0], first[1], yaw});
  for (int k = 0; k < clip->n_frames; k++)
    clip_move_pose(back, clip->q + (size_t)k * (size_t)clip->n_dofs);
  double turns = 2 * PI * round(clip->q[3] / (2 * PI));
  for (int k = 0; k < clip->n_frames; k++)
    clip->q[(size_t)k * (size_t)clip->n_dofs + 3] -= turns;
}

static void set_speed(struct clip *clip)
{
  const double *first = clip->q, *last = clip->q + (size_t)(clip->n_frames - 1) * (size_t)clip->n_dofs;
  clip->speed = hypot(last[0] - first[0], last[1] - first[1]) / (clip->dt * (clip->n_frames - 1));
  clip->turn = last[3] - first[3];
  clip->advance = ground_after((struct clip_advance){last[0], last[1], last[3]},
                               ground_inverse((struct clip_advance){first[0], first[1], first[3]}));
}

/* Contacts and forces, from the poses as they were captured: the filter is for the forces, not for what is seen. */
static int add_forces(struct arena *arena, const struct creature *c, const struct capture_options *o, struct clip *clip,
                      struct capture_report *report)
{
  struct capture_feedforward_options options;
  capture_feedforward_defaults(c, &options);
  options.cutoff = o->cutoff;
  struct capture_feedforward *f = capture_feedforward(arena, c, clip, &options);
  if (!f)
    return 0;
  memcpy(clip->contact, f->contact, (size_t)clip->n_frames * (size_t)c->n_points);
  memcpy(clip->force, f->force, (size_t)clip->n_frames * (size_t)c->n_points * 3 * sizeof *f->force);
  report->inverse = f;
  return 1;
}

struct clip *capture_clip(struct arena *arena, const struct bvh *bvh, const struct creature *c,
                          const struct capture_options *o, struct capture_report *report, struct diag *d)
{
  struct capture_options with_names = *o;
  *report = (struct capture_report){0};
  with_names.like = c;
  struct capture *k = capture_new(arena, bvh, &with_names, d);
  if (!k)
    return NULL;
  report->capture = k;
  if (k->n_frames < 3) {
    diag_error(d, bvh->file, 0, "%d frames are no motion; at least 3 are needed", k->n_frames);
    return NULL;
  }
  /* a file that Muybridge wrote has its floor, place and frame rate already */
  int is_ours = !o->fit_floor && capture_joints_of(arena, k, c);
  if (!o->keep_rate && !(is_ours && o->rate <= 0))
    capture_resample(arena, k, o->rate > 0 ? o->rate : c->frame_rate);
  double *q = k->n_frames < 3 ? NULL : capture_fit(arena, k, c, &report->fit, d);
  if (!q) {
    if (k->n_frames < 3)
      diag_error(d, bvh->file, 0, "too short for %g frames per second", 1 / k->dt);
    return NULL;
  }
  struct clip *clip = clip_new(arena, c, k->n_frames, k->dt);
  clip->name = clip->gait = clip->gait_after = capture_name(arena, bvh->file);
  memcpy(clip->q, q, (size_t)k->n_frames * (size_t)c->n_dofs * sizeof *q);
  if (o->smooth > 0)
    clip = capture_smooth(arena, c, clip, o->smooth);
  if (!o->keep_place && !is_ours)
    move_to_origin(clip, k->guesses->travel);
  if (!o->keep_floor && !is_ours) {
    struct capture_floor_options options;
    capture_floor_defaults(c, &options);
    options.with_slope = 1; /* floors of laboratories are level, their calibrations are not */
    struct capture_floor floor = capture_fit_floor(arena, c, clip, &options);
    capture_apply_floor(c, &floor, clip);
    report->floor = floor;
  }
  set_speed(clip);
  if (!add_forces(arena, c, o, clip, report)) {
    diag_error(d, bvh->file, 0, "the forces of the ground cannot be found");
    return NULL;
  }
  return clip;
}
