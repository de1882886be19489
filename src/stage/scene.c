/* What a person sets up around the creature: ground, friction, a load, pushes, a limb that is held, balls. */
#include <math.h>
#include <string.h>

#include "base/matrices.h"
#include "base/vec3.h"
#include "stage/room.h"

/* The spring of a hand that holds a limb. Stretched by L it pulls with 4 body weights, which lifts a creature that
 * lies; damping is 0.7 of critical for half of its mass. */
#define DRAG_STIFFNESS 4.0       /* [m g / L]  */
#define DRAG_DAMPING   0.7
#define DRAG_MOST      4.0       /* [m g]      */

#define PUSH_MOST      1000.0    /* [m g]      */

void stage_scene_defaults(const struct stage_cast *c, struct stage_scene *s)
{
  struct muy_player p;
  *s = (struct stage_scene){.terrain = {.kind = TERRAIN_FLAT, .seed = 1}, .friction = -1, .load_limb = -1,
                            .drag = {.limb = -1}};
  if (!c->player)
    return;
  muy_player_init(&p, c->player);
  memcpy(s->asked, p.asked, sizeof s->asked);
}

/* ---- worlds ---- */

struct world_options stage_world_options(const struct stage *s)
{
  struct world_options o;
  world_defaults(s->cast->creature, &o);
  o.engine = WORLD_TREE;
  o.terrain = s->scene.terrain;
  o.friction = s->scene.friction;
  return o;
}

const struct creature *stage_body(const struct stage *s)
{
  return s->laden ? s->laden : s->cast->creature;
}

struct world *stage_world(const struct stage *s)
{
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  return s->ragdoll ? s->ragdoll : k->world && s->state == STAGE_UP ? k->world(s) : NULL;
}

void stage_make_laden(struct stage *s)
{
  const struct stage_scene *scene = &s->scene;
  struct disturb_load load = {.mass = scene->load_mass, .n_limbs = 1, .limbs = {scene->load_limb}};
  struct arena *old = s->laden_arena;
  s->laden = NULL;
  s->laden_arena = NULL;
  if (scene->load_limb >= 0) {
    s->laden_arena = arena_new();
    s->laden = disturb_laden(s->laden_arena, s->cast->creature, &load);
  }
  arena_free(old);
}

/* ---- the ground ---- */

/* How far the lowest contact point is above the ground; all: or the end of a limb. */
static double clearance(struct stage *s, const double *q, const struct terrain *t, int all)
{
  const struct creature *c = s->cast->creature;
  double least = INFINITY, x[3], at[3];
  dynamics_kinematics(s->cast->dynamics, q);
  for (int i = 0; i < c->n_points; i++) {
    dynamics_point(s->cast->dynamics, c->points[i].body, c->points[i].at, x);
    least = fmin(least, x[2] - terrain_height(t, x[0], x[1], NULL));
  }
  for (int i = 0; i < c->n_limbs; i++)
    for (int end = 0; end < 2 && (all || c->n_points == 0); end++) {
      for (int k = 0; k < 3; k++)
        at[k] = c->limbs[i].origin[k] + (end ? c->limbs[i].shape.to[k] : c->limbs[i].shape.from[k]);
      dynamics_point(s->cast->dynamics, c->limbs[i].body, at, x);
      least = fmin(least, x[2] - terrain_height(t, x[0], x[1], NULL));
    }
  return least;
}

double stage_lift(struct stage *s, const double *q, const struct terrain *from, const struct terrain *to, int all)
{
  return clearance(s, q, from, all) - clearance(s, q, to, all);
}

/* Continues in the scene as it is now, where it was another before. 0, and all as before, if that cannot be. */
static int scene_change(struct stage *s, const struct stage_scene *before)
{
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  struct world_options o = stage_world_options(s);
  struct diag d;
  diag_init(&d);
  int laden = before->load_limb != s->scene.load_limb || before->load_mass != s->scene.load_mass, good = 1;
  double lift = stage_lift(s, s->now.q, &before->terrain, &s->scene.terrain, s->ragdoll != NULL);
  struct arena *old = s->laden_arena;
  const struct creature *old_body = s->laden;
  if (laden) {
    s->laden_arena = NULL; /* worlds of the old one still use it */
    stage_make_laden(s);
  }
  good = world_check(stage_body(s), &o, &d);
  if (good && s->ragdoll)
    good = stage_ragdoll_change(s, lift);
  if (good && k->change)
    good = k->change(s, lift, &d);
  if (laden) {
    arena_free(good ? old : s->laden_arena);
    if (!good) {
      s->laden_arena = old;
      s->laden = old_body;
    }
  }
  if (good) {
    diag_clear(&d);
    if (s->state == STAGE_LOST)
      s->now.q[2] += lift;
    stage_look(s);
    return 1;
  }
  s->scene = *before;
  return stage_fail(s, &d);
}

int stage_ground(struct stage *s, int kind, double size, double spacing, uint64_t seed)
{
  struct stage_scene before = s->scene;
  if (!stage_is_open(s))
    return 0;
  if (kind < TERRAIN_FLAT || kind > TERRAIN_PEBBLES)
    return stage_refuse(s, "ground: there is no kind %d; kinds are 0 (flat) to %d (pebbles)", kind, TERRAIN_PEBBLES);
  s->scene.terrain = (struct terrain){.kind = (enum terrain_kind)kind, .size = size, .spacing = spacing, .seed = seed};
  return scene_change(s, &before);
}

int stage_friction(struct stage *s, double mu)
{
  struct stage_scene before = s->scene;
  if (!stage_is_open(s))
    return 0;
  s->scene.friction = mu;
  return scene_change(s, &before);
}

double stage_height(const struct stage *s, double x, double y)
{
  const struct world *w = s->cast ? stage_world(s) : NULL; /* modal control tilts its ground slowly */
  return w ? world_ground(w, x, y) : terrain_height(&s->scene.terrain, x, y, NULL);
}

/* ---- what acts on limbs ---- */

static int limb_fits(struct stage *s, const char *call, int limb)
{
  if (!stage_is_open(s))
    return 0;
  if (limb < 0 || limb >= s->cast->creature->n_limbs)
    return stage_refuse(s, "%s: there is no limb %d; limbs are 0 to %d", call, limb, s->cast->creature->n_limbs - 1);
  return 1;
}

static int all_finite(int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * 0;
  return sum == 0;
}

static int needs_world(struct stage *s, const char *call)
{
  if (stage_world(s) && !world_lost(stage_world(s)))
    return 1;
  return stage_refuse(s, "%s: nothing is simulated in mode %s", call, stage_mode_kind(s->mode)->name);
}

int stage_load_limb(struct stage *s, int limb, double mass)
{
  struct stage_scene before = s->scene;
  if (!limb_fits(s, "load_limb", limb))
    return 0;
  if (!(mass >= 0 && mass <= 10 * s->cast->creature->mass))
    return stage_refuse(s, "load_limb: a load has 0 to %g kg (10 times the creature), found %g",
                        10 * s->cast->creature->mass, mass);
  s->scene.load_limb = mass > 0 ? limb : -1;
  s->scene.load_mass = mass;
  return scene_change(s, &before);
}

int stage_push(struct stage *s, int limb, const double force[3], double seconds)
{
  if (!limb_fits(s, "push", limb) || !needs_world(s, "push"))
    return 0;
  double most = PUSH_MOST * s->cast->creature->mass * CREATURE_GRAVITY;
  if (!(vec3_norm(force) <= most && seconds > 0 && seconds <= 60))
    return stage_refuse(s, "push: at most %g N for more than 0 and at most 60 s, found %g N for %g s", most,
                        vec3_norm(force), seconds);
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  if (!(k->push && !s->ragdoll ? k->push(s, limb, force, seconds) : world_push(stage_world(s), limb, force, seconds)))
    return stage_refuse(s, "push: %d act at the same time already", WORLD_PUSHES);
  return 1;
}

int stage_grab(struct stage *s, int limb, const double at[3], const double target[3])
{
  const struct stage_mode_kind *k = limb_fits(s, "grab", limb) ? stage_mode_kind(s->mode) : NULL;
  if (!k || (!k->grab && !needs_world(s, "grab")))
    return 0;
  if (!all_finite(3, at) || !all_finite(3, target))
    return stage_refuse(s, "grab: a place must be finite numbers");
  s->scene.drag.limb = limb;
  memcpy(s->scene.drag.at, at, sizeof s->scene.drag.at);
  memcpy(s->scene.drag.target, target, sizeof s->scene.drag.target);
  if (!k->grab || s->ragdoll || k->grab(s))
    return 1;
  s->scene.drag.limb = -1;
  return stage_refuse(s, "grab: limb %d cannot be led", limb);
}

void stage_release(struct stage *s)
{
  s->scene.drag.limb = -1;
  if (s->cast && !s->ragdoll && stage_mode_kind(s->mode)->grab)
    stage_mode_kind(s->mode)->grab(s);
}

int stage_throw_ball(struct stage *s, const double x[3], const double v[3], double mass, double radius)
{
  struct stage_scene *scene = &s->scene;
  if (!stage_is_open(s) || !needs_world(s, "throw_ball"))
    return 0;
  if (!all_finite(3, x) || !all_finite(3, v) || !(mass > 0 && mass <= 10 * s->cast->creature->mass) ||
      !(radius > 0 && radius <= 2 * s->cast->creature->height))
    return stage_refuse(s, "throw_ball: mass above 0 and up to %g kg, radius above 0 and up to %g m, found %g and %g",
                        10 * s->cast->creature->mass, 2 * s->cast->creature->height, mass, radius);
  if (scene->n_balls == STAGE_BALLS)
    memmove(scene->balls, scene->balls + 1, (size_t)--scene->n_balls * sizeof *scene->balls);
  struct disturb_ball *b = &scene->balls[scene->n_balls++];
  *b = (struct disturb_ball){.mass = mass, .radius = radius, .time = s->time, .flying = 1};
  memcpy(b->x, x, sizeof b->x);
  memcpy(b->v, v, sizeof b->v);
  return 1;
}

/* What a unit force on a point of a body moves it by, the mean of all directions [1/kg]; and the velocity of it. */
static double yielding(struct stage *s, const double *q, const double *v, int body, const double *at, double *velocity)
{
  int n = s->cast->creature->n_dofs;
  double M[n * n], J[3 * n], columns[n * 3], sum = 0;
  memset(M, 0, sizeof M);
  dynamics_mass_matrix(s->cast->dynamics, q, M);
  dynamics_kinematics(s->cast->dynamics, q);
  dynamics_point_jacobian(s->cast->dynamics, body, at, J);
  matrices_apply(3, n, J, v, velocity);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      columns[i * 3 + k] = J[k * n + i];
  if (!matrices_cholesky(n, M))
    return 0;
  matrices_cholesky_solve(n, M, 3, columns);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      sum += J[k * n + i] * columns[i * 3 + k] / 3;
  return sum;
}

/* The hand's spring. It is implicit: with speed u' = u + h y f after the step, y the yielding of the point,
 *   f = k (target - x - h u') - d u'    so that    f = (k (target - x - h u) - d u) / (1 + h y (d + h k)). */
static void drag(struct stage *s, struct world *w)
{
  const struct creature *c = s->cast->creature;
  const struct limb *l = &c->limbs[s->scene.drag.limb];
  double q[c->n_dofs], v[c->n_dofs], at[3], x[3], u[3], force[3];
  double h = world_step_seconds(w), weight = c->mass * CREATURE_GRAVITY;
  double stiffness = DRAG_STIFFNESS * weight / c->height, damping = 2 * DRAG_DAMPING * sqrt(stiffness * c->mass / 2);
  world_get(w, q, v);
  for (int i = 0; i < 3; i++)
    at[i] = l->origin[i] + s->scene.drag.at[i];
  double y = yielding(s, q, v, l->body, at, u);
  dynamics_point(s->cast->dynamics, l->body, at, x);
  for (int i = 0; i < 3; i++)
    force[i] = (stiffness * (s->scene.drag.target[i] - x[i] - h * u[i]) - damping * u[i]) /
               (1 + h * y * (damping + h * stiffness));
  double size = vec3_norm(force), most = DRAG_MOST * weight;
  for (int i = 0; size > most && i < 3; i++)
    force[i] *= most / size;
  world_push_at(w, s->scene.drag.limb, s->scene.drag.at, force, h);
}

void stage_fly(struct stage *s, struct world *w, double h)
{
  struct stage_scene *scene = &s->scene;
  struct disturb_flight flight;
  int kept = 0;
  if (world_lost(w))
    return;
  disturb_flight_defaults(&flight);
  for (int i = 0; i < scene->n_balls; i++) {
    disturb_fly(s->cast->creature, s->cast->dynamics, w, h, &flight, &scene->balls[i]);
    if (scene->balls[i].flying)
      scene->balls[kept++] = scene->balls[i];
  }
  scene->n_balls = kept;
}

void stage_disturb(struct stage *s, struct world *w)
{
  stage_fly(s, w, world_step_seconds(w));
  if (s->scene.drag.limb >= 0 && !world_lost(w))
    drag(s, w);
}

/* ---- as bytes ---- */

#define INTS(type, field)  BYTES_INTS(struct type, field)
#define REALS(type, field) BYTES_REALS(struct type, field)
static const struct bytes_field scene_fields[] = {
    REALS(stage_scene, terrain.size), REALS(stage_scene, terrain.spacing), REALS(stage_scene, terrain.level),
    REALS(stage_scene, friction),
    INTS(stage_scene, load_limb), REALS(stage_scene, load_mass), REALS(stage_scene, asked),
    INTS(stage_scene, drag.limb), REALS(stage_scene, drag.at), REALS(stage_scene, drag.target),
    INTS(stage_scene, show), BYTES_END};
static const struct bytes_field ball_fields[] = {
    REALS(disturb_ball, mass), REALS(disturb_ball, radius), REALS(disturb_ball, time), REALS(disturb_ball, x),
    REALS(disturb_ball, v), INTS(disturb_ball, flying), INTS(disturb_ball, hits), REALS(disturb_ball, impulse),
    BYTES_END};

void stage_put_scene(struct bytes_writer *w, const struct stage *s)
{
  bytes_put_int(w, (int)s->scene.terrain.kind);
  bytes_put_bits(w, s->scene.terrain.seed, 8);
  bytes_put_fields(w, scene_fields, &s->scene);
  bytes_put_int(w, s->scene.n_balls);
  for (int i = 0; i < s->scene.n_balls; i++)
    bytes_put_fields(w, ball_fields, &s->scene.balls[i]);
}

int stage_get_scene(struct bytes_reader *r, const struct stage *s, struct stage_scene *out)
{
  int limbs = s->cast->creature->n_limbs;
  *out = (struct stage_scene){.terrain.kind = (enum terrain_kind)bytes_get_within(r, TERRAIN_FLAT, TERRAIN_PEBBLES)};
  out->terrain.seed = bytes_get_bits(r, 8);
  bytes_get_fields(r, scene_fields, out);
  out->n_balls = bytes_get_within(r, 0, STAGE_BALLS);
  for (int i = 0; i < out->n_balls; i++)
    bytes_get_fields(r, ball_fields, &out->balls[i]);
  r->bad |= out->load_limb < -1 || out->load_limb >= limbs || !(out->load_mass >= 0) || out->drag.limb < -1 ||
            out->drag.limb >= limbs || !all_finite(3, out->drag.at) || !all_finite(3, out->drag.target) ||
            !all_finite(MUY_PLAYER_PARAMETERS_MOST, out->asked) || !isfinite(out->load_mass);
  return !r->bad;
}
