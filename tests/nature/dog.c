/* Joints and paws of the dog, in walk and trot. */
#include <math.h>
#include <string.h>

#include "nature/curves.h"
#include "nature/measures.h"

static const char dog_prose[] =
    "\nLeft legs; walk and trot at the middle of their ranges of speed. Angles are the creature file's: straight at\n"
    "0, bent above; the carpus is bent back (extended) below 0. Clearance: the paw's largest height in swing over\n"
    "the height of the hip joint when the dog stands.\n";

struct dog_joint { const char *what, *dof, *foot; };
static const struct dog_joint dog_joints[] = {
    {"elbow", "left_forearm.flexion", "left_fore"},
    {"carpus", "left_manus.flexion", "left_fore"},
    {"stifle", "left_crus.flexion", "left_hind"},
    {"hock", "left_metatarsus.flexion", "left_hind"},
};

static double dog_hip_height(const struct motion *g)
{
  const struct limb *thigh = &g->c->limbs[creature_find_limb(g->c, "left_thigh")];
  double *q = ARENA_NEW(g->arena, (size_t)g->c->n_dofs, double), hip[3];
  creature_rest_pose(g->c, q);
  dynamics_kinematics(g->d, q);
  dynamics_point(g->d, thigh->body, thigh->origin, hip);
  return hip[2];
}

static void dog_gait(struct measures *m, const char *gait)
{
  static const char *const feet[] = {"left_fore", "left_hind"};
  const struct motion *g = measures_gait(m, "dog", gait, 0);
  if (!g)
    return;
  for (size_t i = 0; i < sizeof dog_joints / sizeof *dog_joints; i++) {
    const struct dog_joint *j = &dog_joints[i];
    const unsigned char *on = motion_contact(g, j->foot);
    const double *x = motion_angle(g, j->dof);
    table_words(&m->table, measures_range(g, x, on, 1, 0), NULL, "%s: %s in stance [degrees]", gait, j->what);
    table_words(&m->table, measures_range(g, x, on, 0, 0), NULL, "%s: %s in swing [degrees]", gait, j->what);
  }
  for (int i = 0; i < 2; i++) {
    const char *captured = strcmp(gait, "trot") ? NULL : i ? "18*" : "28*";
    double high = curve_range_where(g->n, motion_lowest_point(g, feet[i]), motion_contact(g, feet[i]), 0).high;
    table_number(&m->table, table_no_bar(), 100 * high / dog_hip_height(g), 0, captured,
                 "%s: clearance of the %s paw [%% of hip height]", gait, i ? "hind" : "fore");
  }
}

void measure_dog(struct measures *m)
{
  table_section(&m->table, "Dog", dog_prose);
  dog_gait(m, "walk");
  dog_gait(m, "trot");
}
