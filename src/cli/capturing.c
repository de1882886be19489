/* See capturing.h. */
#include "cli/capturing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/angle.h"
#include "cli/cli.h"
#include "spacetime/spacetime.h"

const struct creature *capturing_creature(struct arena *arena, const struct bvh *bvh,
                                          const struct capturing_actor *actor, struct capture_options *o,
                                          const char **text, struct diag *d)
{
  *text = NULL;
  if (actor->name)
    return cli_load_creature(arena, actor->name, d);
  o->fit_floor = 1;
  *text = capture_creature(arena, bvh, actor->mass, o, d);
  return *text ? creature_parse(arena, actor->file, *text, strlen(*text), d) : NULL;
}

int capturing_load(struct arena *arena, const char *path, const char *creature, struct capturing *out, struct diag *d)
{
  struct capture_options capture = {0};
  struct capturing_actor actor = {creature, arena_printf(arena, "%s.creature", capture_name(arena, path)), 0};
  const struct bvh *bvh = bvh_load(arena, path, d);
  *out = (struct capturing){0};
  out->creature = bvh ? capturing_creature(arena, bvh, &actor, &capture, &out->text, d) : NULL;
  if (out->creature)
    out->clip = capture_clip(arena, bvh, out->creature, &capture, &out->report, d);
  return out->clip != NULL;
}

void capturing_print(const struct creature *c, const struct clip *clip, const struct capture_report *r)
{
  const struct capture *k = r->capture;
  const struct capture_feedforward *f = r->inverse;
  int standing = 0, good = 0;
  for (int i = 0; i < clip->n_frames; i++) {
    int on = 0;
    for (int p = 0; p < clip->n_points; p++)
      on += clip->contact[i * clip->n_points + p];
    standing += on > 0;
    good += f->quality[i] > 0.5;
  }
  printf("%s on %s: %d frames, %.3g s at %.4g per second, %.3g m/s\n", clip->name, c->name, clip->n_frames,
         clip->dt * (clip->n_frames - 1), 1 / clip->dt, clip->speed);
  printf("  unit %.4g m (%s), %s up, %s\n", k->unit, k->unit_name, k->up,
         k->dropped ? "first frame left out: a pose for calibration" : "first frame kept");
  if (r->fit.by_name)
    printf("  joints have the names of the limbs: poses as they are, missed by at most %.2g\n", r->fit.worst_angle);
  else
    printf("  scaled by %.3f; directions of limbs off by %.2g degrees on average, %.2g at most; ankles by %.2g m; %.1f "
           "%% of angles at a limit\n",
           r->fit.scale, r->fit.mean_angle * TO_DEGREES, r->fit.worst_angle * TO_DEGREES, r->fit.worst_foot,
           100.0 * r->fit.at_limits / ((double)clip->n_frames * (c->n_dofs - CREATURE_ROOT_DOFS)));
  if (r->floor.n_samples > 0)
    printf("  floor at %.3f m, sloping by %.2f %% and %.2f %%, standing points within %.2g m of it (rms)\n",
           r->floor.height, 100 * r->floor.slope[0], 100 * r->floor.slope[1], r->floor.rms);
  printf("  on the ground in %.0f %% of the frames\n", 100.0 * standing / clip->n_frames);
  if (isinf(f->cutoff))
    printf("  no filter");
  else
    printf("  filter at %.3g Hz", f->cutoff);
  printf(": ZMP over the feet in %.0f %% of the frames on the ground; torques of use in %.0f %% of all\n",
         100 * f->inside, 100.0 * good / clip->n_frames);
}

int capturing_keep(struct arena *arena, struct store *s, const struct creature *c, const struct clip *clip,
                   struct diag *d)
{
  struct clip_summary summary;
  spacetime_summarize(arena, c, clip, &summary);
  return store_add_clip(s, clip, &(struct store_record){.summary = &summary}, d);
}

int capturing_is_motion(const char *path)
{
  size_t n = strlen(path);
  return n > 4 && !strcasecmp(path + n - 4, ".bvh");
}
