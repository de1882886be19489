/* Legs that reach: every creature of the zoo brings its contact points to goals nearby, moving nothing but its legs,
 * and within the ranges of its joints; in metres as in units of its own height. */
#include "check.h"
#include "dynamics/reach.h"
#include "zoo.h"

/* Where the contact points are at a pose (n_points x 3). */
static void find_points(const struct creature *c, struct dynamics *d, double length, const double *q, double *at)
{
  dynamics_kinematics(d, q);
  for (int p = 0; p < c->n_points; p++) {
    double local[3];
    for (int i = 0; i < 3; i++)
      local[i] = c->points[p].at[i] / length;
    dynamics_point(d, c->points[p].body, local, at + 3 * p);
  }
}

/* The end of a leg that carries a contact point, or nothing of the kind? */
static int is_in_leg(const struct creature *c, int dof)
{
  for (int f = 0; f < c->n_feet; f++)
    for (int limb = c->feet[f].limb; limb >= 0; limb = c->limbs[limb].parent) {
      const struct limb *l = &c->limbs[limb];
      if (dof >= CREATURE_ROOT_DOFS && dof >= l->first_dof && dof < l->first_dof + l->n_dofs)
        return 1;
      if (limb == c->feet[f].first_leg_limb)
        break;
    }
  return 0;
}

static void test_creature(struct arena *arena, const struct creature *c, int metres, double *q)
{
  double length = metres ? 1 : c->height, size = c->height / length;
  struct dynamics *d = metres ? dynamics_new(arena, c) : dynamics_new_dimensionless(arena, c);
  struct reach *r = reach_new(arena, c, d, length);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  double *goal = ARENA_NEW(arena, 3 * (size_t)c->n_points, double);
  double *at = ARENA_NEW(arena, 3 * (size_t)c->n_points, double);
  creature_rest_pose(c, rest);
  for (int i = 0; i < 3; i++)
    rest[i] /= length;
  rest[2] -= 0.03 * size; /* a little bent, so that there is room in all directions */
  memcpy(q, rest, (size_t)c->n_dofs * sizeof *q);
  find_points(c, d, length, q, goal);
  for (int p = 0; p < c->n_points; p++) {
    goal[3 * p] += 0.03 * size;
    goal[3 * p + 1] += 0.02 * size;
    goal[3 * p + 2] += 0.03 * size;
  }
  double left = reach_goals(r, goal, NULL, q), farthest = 0;
  find_points(c, d, length, q, at);
  for (int i = 0; i < 3 * c->n_points; i++)
    farthest = fmax(farthest, fabs(at[i] - goal[i]));
  CHECK(farthest <= left + 1e-12); /* the last step, when it was near already, is not counted */
  CHECK(left < 1e-4 * size);
  for (int i = 0; i < c->n_dofs; i++) {
    CHECK(is_in_leg(c, i) || q[i] == rest[i]);
    CHECK(i < CREATURE_ROOT_DOFS || (q[i] >= c->dofs[i].lower && q[i] <= c->dofs[i].upper));
  }
  goal[2] -= 3 * size;
  memcpy(rest, q, (size_t)c->n_dofs * sizeof *q);
  CHECK(reach_goals(r, goal, NULL, rest) > 0.5 * size); /* too far, and it says so */
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    CHECK(rest[i] >= c->dofs[i].lower && rest[i] <= c->dofs[i].upper);
  rest[CREATURE_ROOT_DOFS - 1] = NAN;
  CHECK(!(reach_goals(r, goal, NULL, rest) < INFINITY));
}

int main(void)
{
  struct arena *arena = arena_new();
  for (int i = 0; i < zoo_size(); i++) {
    const struct creature *c = zoo_load(arena, i);
    if (!c)
      continue;
    double *own = ARENA_NEW(arena, (size_t)c->n_dofs, double), *metric = ARENA_NEW(arena, (size_t)c->n_dofs, double);
    test_creature(arena, c, 0, own);
    test_creature(arena, c, 1, metric);
    for (int k = CREATURE_ROOT_DOFS; k < c->n_dofs; k++) /* the same pose */
      CHECK_NEAR(metric[k], own[k], 1e-7);
  }
  arena_free(arena);
  return test_finish();
}
