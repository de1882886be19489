/* Torque limits from actuators, and the rest pose from a keyframe. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "robots/mjcf.h"

static const char *const truth[] = {"false", "true", "auto", NULL};

/* The size of a range that limits something, infinite if it does not. A torque limit has no direction here: of two that
 * differ it is the smaller. */
static double limit_of(struct mjcf *m, const struct xml_node *n, const char *key, const char *limited)
{
  double range[2];
  int given = mjcf_numbers(m, n, key, 2, 2, range), word = mjcf_word(m, n, limited, truth, 2);
  if (!given || word == 0 || (word == 2 && !m->autolimits))
    return INFINITY;
  double least = fmin(fabs(range[0]), fabs(range[1])), most = fmax(fabs(range[0]), fabs(range[1]));
  return least > 0 ? least : most;
}

/* Is the force proportional to the control, as of a motor, and by how much? 0: it is not. */
static double gain_of(struct mjcf *m, const struct xml_node *n)
{
  double gain[10] = {1};
  const char *type = mjcf_get(m, n, "gaintype"), *bias = mjcf_get(m, n, "biastype");
  if (!strcmp(n->name, "motor"))
    return 1;
  if (strcmp(n->name, "general") || (type && strcmp(type, "fixed")) || (bias && strcmp(bias, "none")))
    return 0;
  mjcf_numbers(m, n, "gainprm", 1, 10, gain);
  return fabs(gain[0]);
}

static struct robot_joint *joint_named(struct robot *r, const char *name)
{
  for (int i = 0; i < r->n_joints; i++)
    if (!strcmp(r->joints[i].name, name))
      return &r->joints[i];
  return NULL;
}

static int actuator_read(struct mjcf *m, const struct xml_node *n, double *torque)
{
  const char *name = mjcf_get(m, n, "joint");
  if (!name)
    name = mjcf_get(m, n, "jointinparent");
  if (!name) {
    robot_leave_out(m->r, "actuators that are not of a joint");
    return 1;
  }
  const struct robot_joint *j = joint_named(m->r, name);
  if (!j)
    return ROBOT_ERROR(m->r, n, "%s: there is no joint '%s'", robot_describe(m->r, n), text_clip(name).word);
  double gear[6] = {1}, most = limit_of(m, n, "forcerange", "forcelimited"), gain = gain_of(m, n);
  mjcf_numbers(m, n, "gear", 1, 6, gear);
  if (gain > 0)
    most = fmin(most, gain * limit_of(m, n, "ctrlrange", "ctrllimited"));
  double *sum = &torque[j - m->r->joints];
  *sum += fabs(gear[0]) > 0 ? most * fabs(gear[0]) : 0;
  return 1;
}

/* Of several actuators of one joint the torques add up; a joint that has none, where others have, is passive. */
int mjcf_read_actuators(struct mjcf *m)
{
  struct robot *r = m->r;
  double *torque = ARENA_NEW(r->arena, (size_t)r->n_joints, double);
  int any = 0;
  for (const struct xml_node *s = xml_child(m->root, "actuator"); s; s = xml_next(s, "actuator"))
    for (const struct xml_node *n = s->children; n; n = n->next, any = 1)
      if (!actuator_read(m, n, torque))
        return 0;
  for (int i = 0; i < r->n_joints; i++) {
    double most = limit_of(m, r->joints[i].node, "actuatorfrcrange", "actuatorfrclimited");
    r->joints[i].torque = fmin(any ? torque[i] : INFINITY, most);
  }
  return 1;
}

/* The one that is called home, or stand, else the first. */
static const struct xml_node *key_find(const struct mjcf *m)
{
  static const char *const names[] = {"home", "stand", "standing", "default"};
  const struct xml_node *first = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (const struct xml_node *s = xml_child(m->root, "keyframe"); s; s = xml_next(s, "keyframe"))
      for (const struct xml_node *n = xml_child(s, "key"); n; n = xml_next(n, "key")) {
        const char *name = xml_get(n, "name");
        if (!first && xml_get(n, "qpos"))
          first = n;
        if (name && xml_get(n, "qpos") && !strcmp(name, names[i]))
          return n;
      }
  return first;
}

int mjcf_read_keyframe(struct mjcf *m)
{
  struct robot *r = m->r;
  const struct xml_node *n = key_find(m);
  int count = 0, at = 0;
  if (!n)
    return 1;
  for (int i = 0; i < r->n_joints; i++)
    count += r->joints[i].kind == ROBOT_FREE ? 7 : 1;
  double *qpos = ARENA_NEW(r->arena, (size_t)count, double);
  if (!robot_numbers(r, n, "qpos", xml_get(n, "qpos"), count, count, qpos))
    return 0;
  for (int i = 0; i < r->n_joints; at += r->joints[i++].kind == ROBOT_FREE ? 7 : 1)
    if (r->joints[i].kind == ROBOT_HINGE)
      r->joints[i].home = qpos[at] - r->joints[i].reference;
  r->keyframe = xml_get(n, "name") ? xml_get(n, "name") : "of the file";
  return 1;
}
