/* The world itself, whatever its engine: options, making and unmaking, units, steps, pushes, saving and restoring. See
 * world.h. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "physics/passive.h"

/* ---- options ---- */

void world_defaults(const struct creature *c, struct world_options *o)
{
  memset(o, 0, sizeof *o);
  (void)c; /* the creature's own numbers are looked up when the world is made */
  o->engine = world_has_engine(WORLD_ODE) ? WORLD_ODE : WORLD_TREE;
  o->friction = -1;
  o->servo_scale = 1;
  o->contact_erp = 0.2;
  o->contact_cfm = 0.03;
  o->contact_speed = 0.3;
  o->limbs = 1;
  o->limb_friction = 0.3;
}

static int refuse(struct diag *d, const struct creature *c, const char *what, const char *name)
{
  if (d)
    diag_error(d, c->file, 0, "%s%s%s", what, name ? ": " : "", name ? name : "");
  return 0;
}

static int body_is_sound(const struct creature *c, const struct limb *l, struct diag *d)
{
  const struct dof *body = &c->dofs[l->body];
  double in_row = 0;
  if (!(body->mass > 0))
    return refuse(d, c, "a body without mass cannot be simulated", l->name);
  if (l->parent >= 0 && l->n_dofs > 3)
    return refuse(d, c, "a joint of more than three axes cannot be simulated", l->name);
  for (int i = l->first_dof; l->parent >= 0 && i < l->first_dof + l->n_dofs - 1; i++)
    in_row = fmax(in_row, fabs(vec3_dot(c->dofs[i].axis, c->dofs[i + 1].axis)));
  if (!(in_row < 0.95))
    return refuse(d, c, "a joint with two axes in a row that are nearly parallel cannot be simulated", l->name);
  for (int k = 0; k < 3; k++) { /* variance of mass along each axis: a rod along x still has some across */
    double spread = body->moment2[k] - body->moment1[k] * body->moment1[k] / body->mass;
    if (!(spread > 0))
      return refuse(d, c, "a body without extent cannot be simulated", l->name);
  }
  return 1;
}

int world_check(const struct creature *c, const struct world_options *o, struct diag *d)
{
  const struct terrain *t = &o->terrain;
  if (!engine_get(o->engine))
    return refuse(d, c, "this build has no such engine", world_engine_name(o->engine));
  if (!(o->step >= 0 && isfinite(o->step)))
    return refuse(d, c, "the step must be 0 or more seconds", NULL);
  if (!(o->servo_scale >= 0 && isfinite(o->servo_scale)))
    return refuse(d, c, "the scale of the servos must be 0 or more", NULL);
  if (!(o->contact_erp > 0 && o->contact_erp <= 1 && o->contact_cfm >= 0 && o->contact_speed > 0))
    return refuse(d, c, "contact_erp must be in (0, 1], contact_cfm at least 0, contact_speed above 0", NULL);
  if (isnan(o->friction) || !isfinite(t->size) || !isfinite(t->level))
    return refuse(d, c, "friction and terrain must be numbers", NULL);
  if (!(o->limb_friction >= 0 && isfinite(o->limb_friction)))
    return refuse(d, c, "the friction between limbs must be 0 or more", NULL);
  if (t->kind == TERRAIN_SLOPE && !(fabs(t->size) < 1.5))
    return refuse(d, c, "a slope must be less than 1.5 radians", NULL);
  if (t->kind > TERRAIN_SLOPE && !(t->spacing > 0 && isfinite(t->spacing)))
    return refuse(d, c, "steps, beams and pebbles need a spacing above 0 m", NULL);
  for (int i = 0; i < c->n_limbs; i++)
    if ((c->limbs[i].parent < 0 || c->limbs[i].n_dofs > 0) && !body_is_sound(c, &c->limbs[i], d))
      return 0;
  return 1;
}

/* ---- making and unmaking ---- */

static double default_step(const struct world *w)
{
  double frame = 1 / w->c->frame_rate;
  return frame / ceil(frame / (w->time / 64) - 1e-9);
}

static void lay_out_block(struct world *w)
{
  size_t n = (size_t)w->c->n_dofs, points = (size_t)w->c->n_points, limbs = (size_t)w->c->n_limbs;
  size_t numbers = 3 * n + 3 * points + 3 * limbs;
  w->block_size = sizeof *w->head + numbers * sizeof(double) + points + limbs;
  w->head = arena_alloc(w->arena, 1, w->block_size);
  w->q = (double *)(w->head + 1);
  w->v = w->q + n;
  w->torques = w->v + n;
  w->forces = w->torques + n;
  w->limb_forces = w->forces + 3 * points;
  w->on = (unsigned char *)(w->limb_forces + 3 * limbs);
  w->limb_on = w->on + points;
}

struct world *world_new(const struct creature *c, const struct world_options *o)
{
  if (!world_check(c, o, NULL))
    return NULL;
  struct arena *arena = arena_new();
  struct world *w = ARENA_NEW(arena, 1, struct world);
  w->arena = arena;
  w->c = c;
  w->options = *o;
  w->length = c->height;
  w->time = sqrt(c->height / CREATURE_GRAVITY);
  w->force = c->mass * CREATURE_GRAVITY;
  w->torque = w->force * c->height;
  w->per_torque = 1 / w->torque;
  w->h = (o->step > 0 ? o->step : default_step(w)) / w->time;
  if (o->friction < 0)
    w->options.friction = c->friction;
  lay_out_block(w);
  bodies_build(w);
  limb_contact_build(w);
  passive_open(w);
  w->engine = engine_get(o->engine);
  if (!w->engine->open(w)) {
    arena_free(arena);
    return NULL;
  }
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), *zero = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  world_set(w, rest, zero);
  contact_build(w);
  return w;
}

void world_free(struct world *w)
{
  if (!w)
    return;
  w->engine->close(w);
  arena_free(w->arena);
}

double world_step_seconds(const struct world *w)
{
  return w->h * w->time;
}

uint64_t world_steps(const struct world *w)
{
  return w->head->steps;
}

int world_lost(const struct world *w)
{
  return w->head->lost;
}

void world_torques(const struct world *w, double *torque)
{
  for (int i = 0; i < w->c->n_dofs; i++)
    torque[i] = w->torques[i] * w->torque;
}

/* ---- the state, in and out ---- */

static int all_finite(size_t n, const double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[i] * 0;
  return sum == 0;
}

void world_set(struct world *w, const double *q, const double *v)
{
  size_t n = (size_t)w->c->n_dofs;
  memset(w->head, 0, w->block_size);
  limb_contact_forget(w);
  w->head->lost = 1;
  if (!all_finite(n, q) || !all_finite(n, v))
    return;
  for (size_t i = 0; i < n; i++) {
    w->q[i] = q[i] / (i < 3 ? w->length : 1);
    w->v[i] = v[i] * w->time / (i < 3 ? w->length : 1);
  }
  w->engine->set(w);
  if (!w->engine->is_sane(w))
    return;
  w->head->lost = 0;
  w->engine->update(w);
}

void world_get(const struct world *w, double *q, double *v)
{
  int lost = w->head->lost;
  for (int i = 0; q && i < w->c->n_dofs; i++)
    q[i] = lost ? NAN : w->q[i] * (i < 3 ? w->length : 1);
  if (q && !lost && w->head->chart)
    memcpy(q + 3, w->head->angles, sizeof w->head->angles);
  for (int i = 0; v && lost && i < w->c->n_dofs; i++)
    v[i] = NAN;
  if (v && !lost)
    w->engine->velocity(w, v);
}

void world_momentum(const struct world *w, double *com, double *momentum, double *angular)
{
  double x[3] = {0, 0, 0}, p[3] = {0, 0, 0}, L[3] = {0, 0, 0}, nothing = w->head->lost ? NAN : 0;
  double mass = w->c->mass, speed = w->length / w->time;
  w->engine->momentum(w, x, p, L);
  for (int i = 0; i < 3; i++) {
    if (com)
      com[i] = nothing + x[i] * w->length;
    if (momentum)
      momentum[i] = nothing + p[i] * mass * speed;
    if (angular)
      angular[i] = nothing + L[i] * mass * speed * w->length;
  }
}

int world_set_terrain(struct world *w, const struct terrain *t)
{
  struct world_options o = w->options;
  o.terrain = *t;
  if (!world_check(w->c, &o, NULL))
    return 0;
  w->options.terrain = *t;
  return 1;
}

/* ---- steps ---- */

int world_push(struct world *w, int limb, const double force[3], double seconds)
{
  return world_push_at(w, limb, w->c->limbs[limb].com, force, seconds);
}

int world_push_at(struct world *w, int limb, const double at[3], const double force[3], double seconds)
{
  if (w->head->n_pushes == WORLD_PUSHES)
    return 0;
  struct push *p = &w->head->pushes[w->head->n_pushes++];
  const struct limb *l = &w->c->limbs[limb];
  memset(p, 0, sizeof *p);
  p->limb = limb;
  p->body = w->body_of[l->body];
  p->left = seconds / w->time;
  for (int i = 0; i < 3; i++) {
    p->force[i] = force[i] / w->force;
    p->at[i] = (l->origin[i] + at[i]) / w->length - w->bodies[p->body].com[i];
  }
  return 1;
}

/* Each push for the share of the step during which it lasts. 0: one of them is beyond reason. */
static int push_bodies(struct world *w)
{
  struct head *head = w->head;
  int kept = 0;
  for (int i = 0; i < head->n_pushes; i++) {
    struct push p = head->pushes[i];
    double share = fmin(1, p.left / w->h);
    if (!(vec3_norm(p.force) < LARGEST_PUSH && p.left < HUGE_VAL))
      return 0;
    const double force[3] = {share * p.force[0], share * p.force[1], share * p.force[2]};
    w->engine->push(w, p.body, force, p.at);
    p.left -= w->h;
    if (p.left > 1e-9 * w->h)
      head->pushes[kept++] = p;
  }
  memset(head->pushes + kept, 0, (size_t)(head->n_pushes - kept) * sizeof *head->pushes);
  head->n_pushes = kept;
  return 1;
}

static int lose(struct world *w)
{
  memset(w->head, 0, w->block_size);
  limb_contact_forget(w);
  w->head->lost = 1;
  return 0;
}

/* Numbers that a creature could follow; larger ones would end inside of engines as infinities, from which some do not
 * recover. */
int world_target_is_sane(const struct world *w, const struct world_target *t)
{
  double sum = 0;
  for (int i = CREATURE_ROOT_DOFS; i < w->c->n_dofs; i++)
    sum += fabs(t->q[i]) + (t->v ? fabs(t->v[i]) * w->time : 0) + (t->torque ? fabs(t->torque[i]) * w->per_torque : 0);
  return sum < LARGEST_TARGET;
}

int world_step(struct world *w, const struct world_target *target)
{
  if (w->head->lost)
    return 0;
  if (!push_bodies(w) || !w->engine->step(w, target) || !w->engine->is_sane(w))
    return lose(w);
  w->engine->update(w);
  w->head->steps++;
  return 1;
}

/* ---- saving ---- */

size_t world_state_size(const struct world *w)
{
  return w->block_size + (w->engine->state_size ? w->engine->state_size(w) : 0);
}

void world_save(const struct world *w, void *state)
{
  memcpy(state, w->head, w->block_size);
  if (w->engine->save)
    w->engine->save(w, (char *)state + w->block_size);
}

void world_restore(struct world *w, const void *state)
{
  memcpy(w->head, state, w->block_size);
  limb_contact_forget(w);
  if (w->engine->restore)
    w->engine->restore(w, (const char *)state + w->block_size);
  if (!w->head->lost)
    w->engine->update(w); /* finds the angles that the block already has, and the axes */
}

int world_state_is_sound(const struct world *w, const void *state)
{
  struct head head;
  size_t n = 3 * (size_t)w->c->n_dofs + 3 * (size_t)w->c->n_points + 3 * (size_t)w->c->n_limbs;
  const unsigned char *at = (const unsigned char *)state + sizeof head;
  double sum = 0;
  memcpy(&head, state, sizeof head);
  if (head.lost < 0 || head.lost > 1 || head.n_pushes < 0 || head.n_pushes > WORLD_PUSHES || head.chart < 0 ||
      head.chart > 1 || !all_finite(3, head.angles))
    return 0;
  for (int i = 0; i < head.n_pushes; i++) {
    const struct push *p = &head.pushes[i];
    if (p->body < 0 || p->body >= w->n_bodies || p->limb < 0 || p->limb >= w->c->n_limbs)
      return 0;
  }
  for (size_t i = 0; i < n; i++) {
    double x;
    memcpy(&x, at + i * sizeof x, sizeof x);
    sum += x * 0;
  }
  at += n * sizeof(double);
  for (int i = 0; i < w->c->n_points + w->c->n_limbs; i++)
    if (at[i] > 1)
      return 0;
  return sum == 0;
}
