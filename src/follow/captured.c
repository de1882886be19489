/* Captured motion as a reference with torques by inverse dynamics. */
#include "follow/captured.h"

#include <math.h>

#include "dynamics/tissue.h"

void captured_defaults(const struct creature *c, struct captured_options *o)
{
  *o = (struct captured_options){.smooth = 8, .least_variance = 1e-3};
  capture_feedforward_defaults(c, &o->inverse);
}

/* Torques of muscles, as far as they can be trusted. What tissue gives is known however little the rest is worth. */
static double *trusted_torques(struct arena *arena, const struct creature *c, const struct capture_feedforward *f)
{
  double *torque = ARENA_NEW(arena, (size_t)f->n_frames * (size_t)f->n_dofs, double);
  for (int i = 0; i < f->n_frames * f->n_dofs; i++)
    torque[i] = f->quality[i / f->n_dofs] * f->torque[i];
  for (int k = 0; k < f->n_frames; k++) {
    size_t row = (size_t)k * (size_t)f->n_dofs;
    tissue_subtract(c, f->q + row, f->v + row, torque + row);
  }
  return torque;
}

static double *first_variances(struct arena *arena, const struct capture_feedforward *f, double least)
{
  double *variances = ARENA_NEW(arena, (size_t)f->n_dofs, double);
  for (int i = CREATURE_ROOT_DOFS; i < f->n_dofs; i++)
    variances[i - CREATURE_ROOT_DOFS] = fmax(least, f->covariance[i]);
  return variances;
}

struct captured *captured_reference(struct arena *arena, const struct creature *c, const struct clip *clip,
                                    const struct captured_options *o, struct diag *d)
{
  struct captured_options usual;
  struct captured *out = ARENA_NEW(arena, 1, struct captured);
  captured_defaults(c, &usual);
  if (!o)
    o = &usual;
  const struct capture_feedforward *f = capture_feedforward(arena, c, clip, &o->inverse);
  if (!f) {
    diag_error(d, c->file, 0, "clip '%s' is too short for inverse dynamics, or of another creature", clip->name);
    return NULL;
  }
  struct clip smooth = *clip;
  smooth.q = f->q;
  if (o->smooth > 0 && o->smooth < 0.5 / clip->dt)
    smooth.q = capture_smooth(arena, c, clip, o->smooth)->q;
  smooth.force = f->force;
  smooth.contact = f->contact;
  out->inverse = f;
  out->variances = first_variances(arena, f, o->least_variance);
  out->reference = reference_of_frames(arena, c, &smooth, trusted_torques(arena, c, f), NULL, d);
  return out->reference ? out : NULL;
}
