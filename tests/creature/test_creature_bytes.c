/* Creatures as bytes: the bytes are the same on every machine, what is read is what was written, and damaged bytes are
 * refused or give a creature whose indices are all safe to use. (tests/wasm reads them in a program of 32 bits.) */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "creature/creature_bytes.h"
#include "zoo.h"

static void put_creature(struct bytes_writer *w, const void *what)
{
  creature_put(w, what);
}

static const struct creature *get_creature(struct arena *arena, const unsigned char *bytes, size_t n)
{
  struct bytes_reader r = {.at = bytes, .left = n, .arena = arena};
  const struct creature *c = creature_get(&r);
  return c && !r.bad && r.left == 0 ? c : NULL;
}

/* FNV-1a */
static uint64_t hash(const unsigned char *bytes, size_t n)
{
  uint64_t h = 1469598103934665603ULL;
  for (size_t i = 0; i < n; i++)
    h = (h ^ bytes[i]) * 1099511628211ULL;
  return h;
}

/* A creature of one limb, made by hand of numbers that are exact in binary. */
static const struct interval half_cycle[] = {{0.25, 0.75}};
static const struct interval *const half_cycles[] = {half_cycle};
static const int one[] = {1};
static const struct gait hop = {"hop", 1, 0.5, 0.25, 2, 0.5, one, half_cycles, NULL, 0};
static const struct contact_point toe = {"toe", 0, 0, 5, 0, {0, 0, -0.5}};
static const struct foot sole = {"sole", 0, 0, 0, 1, 0, 0.5, 0};
static const struct limb ball = {.name = "ball", .parent = -1, .n_dofs = 6, .body = 5, .mass = 2,
                                 .shape = {.kind = SHAPE_ELLIPSOID, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                           .size = {1, 1, 1}},
                                 .inertia = {1, 1, 1}, .volume = 0.125};

/* How its bytes must begin: mark, texts after their lengths, counts, numbers. */
static const unsigned char head[] = {
    'M', 'U', 'C', '3',                                                  /* mark                             */
    4, 0, 0, 0, 'B', 'a', 'l', 'l', 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 'b', /* name, no summary, file       */
    6, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,          /* dofs, limbs, feet, points, gaits */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,                                  /* tissues, pairs apart, exempt     */
    0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0xe8, 0x3f,             /* mass 2, friction 0.75            */
    0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 0, 0, 0, 0, 0, 0, 0x49, 0x40,          /* height 0.5, frame rate 50        */
    1, 0, 0, 0, 'x', 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0,     /* dof 0: name, parent -1, limb, mirror */
    0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f};   /* mirror_sign -1, kind, axis x = 1 */

static void test_golden(void)
{
  struct arena *arena = arena_new();
  struct dof dofs[6];
  for (int i = 0; i < 6; i++) {
    dofs[i] = (struct dof){.name = (const char *const[]){"x", "y", "z", "a", "b", "c"}[i], .parent = i - 1, .mirror = i,
                           .mirror_sign = i % 2 ? 1 : -1, .kind = (enum axis_kind)(i % 3), .lower = -INFINITY,
                           .upper = INFINITY, .has_mass = i == 5, .mass = i == 5 ? 2 : 0};
    dofs[i].axis[i % 3] = 1;
    for (int k = 0; k < 3 && i == 5; k++)
      dofs[i].moment2[k] = 0.5;
  }
  const struct creature c = {.name = "Ball", .file = "b", .n_dofs = 6, .n_limbs = 1, .n_feet = 1, .n_points = 1,
                             .n_gaits = 1, .dofs = dofs, .limbs = &ball, .feet = &sole, .points = &toe, .gaits = &hop,
                             .mass = 2, .friction = 0.75, .height = 0.5, .frame_rate = 50};
  size_t n;
  const unsigned char *bytes = bytes_pack(arena, put_creature, &c, &n);
  CHECK_INT((long)n, 85 + 6 * 209 + 348 + 44 + 47 + 67); /* head, dofs, limb, foot, point, gait */
  CHECK(!memcmp(bytes, head, sizeof head));
  CHECK(hash(bytes, n) == 0x54e967fe1c2cc94bULL); /* changes only with the mark */
  const struct creature *copy = get_creature(arena, bytes, n);
  CHECK(copy != NULL);
  if (copy) {
    CHECK(!copy->summary);
    CHECK_INT(copy->limbs[0].shape.kind, SHAPE_ELLIPSOID);
    CHECK_NEAR(copy->gaits[0].on[0][0].until, 0.75, 0);
    CHECK_NEAR(copy->points[0].at[2], -0.5, 0);
  }
  arena_free(arena);
}

static void test_zoo(void)
{
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    size_t n, again;
    const void *bytes = bytes_pack(arena, put_creature, c, &n);
    const struct creature *copy = get_creature(arena, bytes, n);
    CHECK(copy != NULL);
    if (copy) {
      const void *twice = bytes_pack(arena, put_creature, copy, &again);
      CHECK(again == n && !memcmp(bytes, twice, n));
      CHECK_STR(copy->name, c->name);
      CHECK_INT(copy->n_gaits, c->n_gaits);
      CHECK_NEAR(copy->height, c->height, 0);
      CHECK_NEAR(copy->dofs[c->n_dofs - 1].moment2[1], c->dofs[c->n_dofs - 1].moment2[1], 0);
    }
    arena_free(arena);
  }
}

/* Every index of a creature followed; the sum only keeps the compiler from leaving it out. */
static double use(const struct creature *c, double *q, double *mirrored)
{
  double sum = 0;
  creature_rest_pose(c, q);
  creature_mirror_pose(c, q, mirrored);
  for (int i = 0; i < c->n_dofs; i++)
    sum += c->limbs[c->dofs[i].limb].mass + (c->dofs[i].parent >= 0 ? c->dofs[c->dofs[i].parent].mass : 0);
  for (int i = 0; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    sum += c->dofs[l->body].mass + c->limbs[l->mirror].mass + (l->parent >= 0 ? c->limbs[l->parent].mass : 0);
    for (int k = 0; k < l->n_dofs; k++)
      sum += c->dofs[l->first_dof + k].rest;
  }
  for (int i = 0; i < c->n_feet; i++) {
    sum += c->limbs[c->feet[i].first_leg_limb].mass + c->limbs[c->feet[i].limb].mass + c->feet[c->feet[i].mirror].limb;
    for (int k = 0; k < c->feet[i].n_points; k++)
      sum += c->points[c->feet[i].first_point + k].at[0];
  }
  for (int i = 0; i < c->n_tissues; i++)
    for (int k = 0; k < c->tissues[i].n_dofs; k++)
      sum += c->dofs[c->tissues[i].dof[k]].rest * c->tissues[i].arm[k];
  for (int g = 0; g < c->n_gaits; g++)
    for (int p = 0; p < c->n_points; p++)
      sum += gait_duty(&c->gaits[g], p) + c->feet[c->points[p].foot].leg_length + c->points[c->points[p].mirror].at[0] +
             c->dofs[c->points[p].body].mass + c->limbs[c->points[p].limb].mass;
  return sum;
}

/* Cut short anywhere it is refused; with a byte changed anywhere it is refused, or read and then safe to use. */
static void test_damage(const char *name)
{
  struct arena *arena = arena_new();
  size_t n;
  int refused = 0, used = 0;
  const struct creature *c = zoo_find(arena, name);
  const unsigned char *bytes = bytes_pack(arena, put_creature, c, &n);
  double *q = calloc(2 * 100000, sizeof *q);
  volatile double sum = 0;
  for (size_t at = 0; at < n; at++) {
    struct arena *round = arena_new();
    struct rng rng = rng_stream(7, at);
    unsigned char *copy = malloc(at + 1); /* of its own, so that a sanitizer sees a read past the end */
    memcpy(copy, bytes, at);
    CHECK(!get_creature(round, copy, at));
    free(copy);
    copy = malloc(n);
    memcpy(copy, bytes, n);
    copy[at] ^= (unsigned char)(1 + rng_below(&rng, 255));
    const struct creature *damaged = get_creature(round, copy, n);
    if (damaged) {
      sum += use(damaged, q, q + 100000);
      used++;
    }
    refused += !damaged;
    free(copy);
    arena_free(round);
  }
  CHECK(refused > 100 && used > 100);
  free(q);
  arena_free(arena);
}

int main(void)
{
  test_golden();
  test_zoo();
  test_damage("biped");
  test_damage("hyq");
  return test_finish();
}
