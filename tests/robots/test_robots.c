/* Robots of our own in MJCF and URDF become creature files: pairs, feet, limits, rest pose; the creature has the
 * robot's masses; what cannot be read is refused by its name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "creature/creature.h"
#include "robots/robots.h"

#define TO_DEGREES (180 / 3.14159265358979323846)

static struct arena *arena;

static char *path_of(const char *name)
{
  const char *srcdir = getenv("srcdir");
  return arena_printf(arena, "%s/tests/robots/good/%s", srcdir ? srcdir : ".", name);
}

static const struct creature *import(const char *name, int symmetric, struct robots_report *report)
{
  struct diag d;
  diag_init(&d);
  const struct robots_options o = {symmetric};
  const char *text = robots_creature(arena, path_of(name), &o, report, &d);
  const struct creature *c = text ? creature_parse(arena, name, text, strlen(text), &d) : NULL;
  char *messages = diag_text(&d);
  CHECK_STR(messages, "");
  free(messages);
  diag_clear(&d);
  CHECK(c != NULL);
  if (!c)
    exit(test_finish());
  return c;
}

static const struct dof *dof(const struct creature *c, const char *name)
{
  int i = creature_find_dof(c, name);
  CHECK(i >= 0);
  return &c->dofs[i < 0 ? 0 : i];
}

static const struct limb *limb(const struct creature *c, const char *name)
{
  int i = creature_find_limb(c, name);
  CHECK(i >= 0);
  return &c->limbs[i < 0 ? 0 : i];
}

/* Four legs: classes of defaults, rotations in every notation, masses of geoms, sides that differ. */
static void test_mjcf(void)
{
  struct robots_report r;
  const struct creature *c = import("dog.xml", 0, &r);
  CHECK_STR(r.format, "MJCF");
  CHECK_STR(r.gaits, "walk, trot");
  CHECK(r.n_limbs == 13 && r.n_pairs == 6 && r.n_axes == 12 && r.n_feet == 4);
  CHECK(c->n_limbs == 13 && c->n_dofs == 18 && c->n_feet == 4 && c->n_gaits == 2);
  CHECK_NEAR(c->mass, r.mass, 1e-10);
  const struct dof *left = dof(c, "left_front_hip.roll"), *right = dof(c, "right_front_hip.roll");
  CHECK_NEAR(left->lower * TO_DEGREES, -40, 1e-9); /* joint ranges -40..50 and -50..40 mean the same */
  CHECK_NEAR(right->lower * TO_DEGREES, -40, 1e-9);
  CHECK(left->mirror == right - c->dofs && left->axis[0] == 1 && right->axis[0] == -1);
  CHECK_NEAR(dof(c, "left_front_shank.pitch")->torque_max, 45, 0); /* of a motor, times its gear */
  CHECK_NEAR(dof(c, "right_hind_shank.pitch")->torque_max, 45, 0); /* of a position actuator: its force */
  CHECK_NEAR(limb(c, "left_front_hip")->mass, 0.6, 0);
  CHECK_NEAR(limb(c, "right_front_hip")->mass, 0.61, 0);
  CHECK_NEAR(limb(c, "right_front_hip")->com[1], -0.011, 1e-15);
  CHECK_NEAR(limb(c, "right_front_thigh")->at[2], 0.001, 1e-15);
  CHECK_NEAR(limb(c, "left_front_thigh")->at[2], 0, 1e-15);
  for (int i = 0; i < 3; i++) /* xyaxes turned the left hind hip a quarter; the axis is that of the right one */
    CHECK_NEAR(dof(c, "left_hind_hip.roll")->axis[i], -dof(c, "right_hind_hip.roll")->axis[i], 1e-12);
  CHECK(!creature_is_symmetric(c, NULL));
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, q); /* it stands on bent legs, with knees within their range */
  CHECK(c->height > 0.3 && c->height < 0.42);
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    CHECK(q[i] >= c->dofs[i].lower && q[i] <= c->dofs[i].upper);
  CHECK(q[dof(c, "left_front_shank.pitch") - c->dofs] < -0.5);
}

static void test_symmetric(void)
{
  struct robots_report r;
  struct creature_asymmetry why;
  const struct creature *c = import("dog.xml", 1, &r);
  if (!creature_is_symmetric(c, &why))
    fprintf(stderr, "%s '%s': %s\n", why.kind, why.part, why.what);
  CHECK(creature_is_symmetric(c, NULL));
  CHECK_NEAR(limb(c, "trunk")->com[1], 0, 0);
  CHECK_NEAR(limb(c, "right_front_hip")->mass, 0.6, 0);
}

/* Two legs, flat feet: links in no order, fixed ones merged, a side that is turned round. */
static void test_urdf(void)
{
  struct robots_report r;
  const struct creature *c = import("walker.urdf", 0, &r);
  CHECK_STR(r.format, "URDF");
  CHECK_STR(r.gaits, "walk");
  CHECK(c->n_limbs == 9 && c->n_dofs == 14 && c->n_feet == 2 && c->n_points == 8);
  CHECK_NEAR(c->mass, 30.6, 1e-10);
  CHECK_NEAR(limb(c, "pelvis")->mass, 17, 1e-12);                           /* with the head */
  CHECK_NEAR(limb(c, "pelvis")->com[0], 2 * (0.02 + 0.1 * sin(0.3)) / 17, 1e-12);
  CHECK_NEAR(limb(c, "right_hip")->com[1], 0.02, 1e-12);                    /* -0.02, turned by 180 degrees */
  CHECK_NEAR(dof(c, "right_hip.roll")->lower, -0.4, 1e-9);
  CHECK_NEAR(dof(c, "left_thigh.pitch")->torque_max, 200, 0);
  double tilt = 0; /* feet are level at rest */
  static const char *const leg[] = {"left_thigh.pitch", "left_shin.pitch", "left_foot.pitch"};
  for (int i = 0; i < 3; i++)
    tilt += dof(c, leg[i])->rest;
  CHECK_NEAR(tilt * TO_DEGREES, 0, 1);
  CHECK(dof(c, "left_shin.pitch")->rest * TO_DEGREES > 5);
}

/* The mass of a mesh by its volume; a scale that mirrors, and makes it larger. Moments: test_mujoco_robots. */
static void test_meshes(void)
{
  static const char text[] =
      "<mujoco><compiler meshdir='meshes'/><asset><mesh name='m' file='wedge.obj' scale='1 -1 2'/></asset><worldbody>"
      "<body><freejoint/><geom type='mesh' mesh='m'/><body><joint/><geom size='.1'/></body></body></worldbody>"
      "</mujoco>";
  struct robots_report r;
  struct diag d;
  diag_init(&d);
  const struct robots_options o = {0};
  const char *out = robots_creature_of_text(arena, path_of("inline.xml"), text, strlen(text), &o, &r, &d);
  CHECK(out && strstr(out, "mass = 0.68 "));
  CHECK(robots_creature(arena, path_of("meshes.xml"), &o, &r, &d) != NULL);
  CHECK_NEAR(r.mass, 4.428, 1e-12);
  CHECK_INT(d.n_messages, 0);
  diag_clear(&d);
}

/* ---- what is refused ---- */

static void refused(const char *text, const char *expected)
{
  struct robots_report report;
  struct diag d;
  diag_init(&d);
  const struct robots_options o = {0};
  const char *out = robots_creature_of_text(arena, "robot.xml", text, strlen(text), &o, &report, &d);
  char *messages = diag_text(&d);
  CHECK(out == NULL);
  CHECK_STR(messages, expected);
  free(messages);
  diag_clear(&d);
}

#define BODY(inside) \
  "<mujoco><worldbody><body name='a'><freejoint/><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>\n" \
  "<body name='b'><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>" inside "</body></body></worldbody>"
#define LINK(name) \
  "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
#define JOINT(inside) \
  "<robot name='r'>" LINK("a") LINK("b") "\n<joint name='j' " inside \
  "<parent link='a'/><child link='b'/></joint></robot>"

static void test_refusals(void)
{
  refused("", "robot.xml:1: error: this is no XML: there is no element\n");
  refused("<a><b></a>", "robot.xml:1: error: '</a>' found, but '<b>' of line 1 is open\n");
  refused("<svg/>",
          "robot.xml:1: error: the outermost element is 'svg'; it is 'mujoco' in MJCF and 'robot' in URDF\n");
  refused(BODY("<joint name='s' type='slide'/>") "</mujoco>",
          "robot.xml:2: error: joint 's' is a slide; a creature has hinges: fix it, or take it out\n");
  refused(BODY("<joint name='k' type='ball'/>") "</mujoco>",
          "robot.xml:2: error: joint 'k' is a ball; a creature has hinges: write it as three hinges\n");
  refused(BODY("<joint name='k'/>") "\n<equality><connect name='loop' body1='a' body2='b'/></equality></mujoco>",
          "robot.xml:3: error: equality: connect 'loop' closes a loop or couples joints; a creature is a tree of free "
          "joints\n");
  refused(BODY("<joint name='k'/>") "\n<tendon><fixed name='t'/></tendon></mujoco>",
          "robot.xml:3: error: tendon: fixed 't' is not read; a creature's tendons span joints "
          "(doc/creature-format.md, tendon)\n");
  refused(BODY("<joint name='k' range='10 5'/>") "</mujoco>",
          "robot.xml:2: error: range of joint 'k': the least, 10, must be below the greatest, 5\n");
  refused(BODY("<joint name='k' axis='0 0 q'/>") "</mujoco>",
          "robot.xml:2: error: axis of joint 'k': expected numbers, found 'q'\n");
  refused("<mujoco><worldbody><body name='a'><freejoint/><geom type='mesh' mesh='m'/>\n<body><joint/></body></body>"
          "</worldbody></mujoco>",
          "robot.xml:1: error: geom of body 'a' is a mesh, body 'a' has no inertial, and the mesh is not known (there "
          "is no file of a mesh 'm'): give the body one, <inertial mass=... pos=... diaginertia=.../>, or the file\n");
  refused("<mujoco><include file='none.xml'/></mujoco>",
          "none.xml: error: cannot be read: No such file or directory\n");
  refused(JOINT("type='prismatic'>"),
          "robot.xml:2: error: joint 'j' is prismatic; a creature has hinges: fix it, or take it out\n");
  refused(JOINT("type='continuous'><mimic joint='x'/>"),
          "robot.xml:2: error: joint 'j' mimics another; joints of a creature are free: take <mimic> out, or fix it\n");
  refused("<robot name='r' xmlns:xacro='x'><xacro:include filename='y'/></robot>",
          "robot.xml:1: error: this is xacro, which makes a URDF and is none: run 'xacro FILE -o robot.urdf' first\n");
  refused("<robot>" LINK("a") LINK("b") "</robot>",
          "robot.xml:1: error: 2 links have no joint above them; a robot has one such link\n");
  refused("<robot>" LINK("a") LINK("b") LINK("c")
          "<joint name='j' type='fixed'><parent link='b'/><child link='c'/></joint>"
          "<joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint></robot>",
          "robot.xml:1: error: 2 links hang in a loop, on nothing; a creature is a tree\n");
}

/* A leg of an insect that turns about the vertical first, straight out at zero: it stands beside the body. No solids:
 * its end is that of the box which the mass is like. */
#define LEG(name, y) \
  "<body name='" name "_coxa' pos='0.1 " y " 0'><joint axis='0 0 1' range='-60 60'/>" \
  "<inertial mass='.1' pos='0 " y " 0' diaginertia='1e-4 1e-5 1e-4'/>" \
  "<body name='" name "_tibia' pos='0 " y " 0'><joint axis='1 0 0' range='-120 120'/>" \
  "<inertial mass='.1' pos='0 " y " 0' diaginertia='3.4e-4 1e-5 3.4e-4'/></body></body>"
static void test_sprawl(void)
{
  static const char bug[] = "<mujoco><worldbody><body name='a'><freejoint/>"
                            "<inertial mass='1' pos='0 0 0' diaginertia='.01 .01 .01'/>" LEG("L", "0.1")
                            LEG("R", "-0.1") "</body></worldbody></mujoco>";
  struct robots_report report;
  struct diag d;
  diag_init(&d);
  const struct robots_options o = {0};
  const char *text = robots_creature_of_text(arena, "bug.xml", bug, strlen(bug), &o, &report, &d);
  const struct creature *c = text ? creature_parse(arena, "bug", text, strlen(text), &d) : NULL;
  CHECK(c && c->n_points == 2 && c->points[0].mirror == 1);
  if (c) {
    CHECK(dof(c, "left_tibia.roll")->rest * TO_DEGREES < -20); /* about x a left leg swings outwards, this one down */
    CHECK(c->height > 0.05 && c->height < 0.2);
    CHECK_NEAR(c->points[0].at[1], 0.2, 0.03);
  }
  CHECK_INT(d.n_errors, 0);
  diag_clear(&d);
}

/* What descriptions have, and no body: repaired, with a word. A floating joint below a link that is the world; a joint
 * of a sensor without mass. */
static void test_tolerance(void)
{
  static const char text[] =
      "<robot name='r'><link name='world'/>" LINK("a") "<link name='eye'/>\n"
      "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/></inertial></link>"
      "<joint name='f' type='floating'><parent link='world'/><child link='a'/></joint>"
      "<joint name='e' type='continuous'><parent link='a'/><child link='eye'/></joint>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>";
  struct robots_report report;
  struct diag d;
  diag_init(&d);
  const struct robots_options o = {0};
  const char *out = robots_creature_of_text(arena, "r.urdf", text, strlen(text), &o, &report, &d);
  char *messages = diag_text(&d);
  CHECK_STR(messages, "r.urdf:2: warning: inertia of link 'b': no body has these principal moments, 1, 1, 3; the last "
                      "is lowered to the sum of the others\n");
  CHECK(out && strstr(out, "inertia = {1, 1, 2, 0, 0, 0}") && strstr(out, "joints that move no mass"));
  CHECK(report.n_limbs == 2 && report.n_axes == 1);
  free(messages);
  diag_clear(&d);
}

/* Joints of one body: in one place they are one joint; apart, a limb each. A massless link between joints vanishes. */
static void test_joints(void)
{
  struct robots_report report;
  struct diag d;
  diag_init(&d);
  static const char two[] =
      BODY("<joint name='x' axis='1 0 0'/><joint name='y' axis='0 1 0'/><joint name='low' pos='0 0 -.1' axis='0 1 0'/>"
           "<geom size='.1' pos='0 0 -.5'/>") "</mujoco>";
  const char *text = robots_creature_of_text(arena, "two.xml", two, strlen(two), &(struct robots_options){0}, &report,
                                             &d);
  CHECK(text && report.n_limbs == 3 && report.n_axes == 3 && strstr(text, "axis roll") && strstr(text, "limb b_2"));
  static const char knuckle[] =
      "<robot name='r'>" LINK("a") "<link name='m'/>" LINK("b")
      "<joint name='x' type='continuous'><parent link='a'/><child link='m'/><axis xyz='1 0 0'/></joint>"
      "<joint name='y' type='continuous'><parent link='m'/><child link='b'/><axis xyz='0 1 0'/></joint></robot>";
  text = robots_creature_of_text(arena, "k.urdf", knuckle, strlen(knuckle), &(struct robots_options){0}, &report, &d);
  CHECK(text && report.n_limbs == 2 && report.n_axes == 2);
  CHECK_INT(d.n_errors, 0);
  diag_clear(&d);
}

int main(void)
{
  arena = arena_new();
  test_mjcf();
  test_symmetric();
  test_urdf();
  test_meshes();
  test_refusals();
  test_joints();
  test_sprawl();
  test_tolerance();
  arena_free(arena);
  return test_finish();
}
