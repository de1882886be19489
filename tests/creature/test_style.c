/* Styles: what they make of a body and of its gaits, of either side, and that nothing else changes; groups of limbs;
 * their bytes; the text that a run file keeps. Bad styles are in test_creature.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bad_files.h"
#include "base/angle.h"
#include "check.h"
#include "creature/creature_bytes.h"
#include "creature/style.h"
#include "zoo.h"

static struct arena *arena;

/* The creature of good/styled.creature with a style; fails if there are messages. */
static const struct creature *styled(const char *style)
{
  struct diag d;
  diag_init(&d);
  char *file = bad_files_read("good/styled.creature");
  const char *text = arena_printf(arena, "%s\nstyle test { %s }\n", file, style);
  const struct creature *c = creature_parse(arena, "styled", text, strlen(text), &d);
  char *messages = diag_text(&d);
  CHECK_STR(messages, "");
  free(messages);
  free(file);
  diag_clear(&d);
  if (!c)
    exit(test_finish());
  return c;
}

static const struct limb *limb(const struct creature *c, const char *name)
{
  int i = creature_find_limb(c, name);
  CHECK(i >= 0);
  return &c->limbs[i < 0 ? 0 : i];
}

static int dof(const struct creature *c, const char *name)
{
  int i = creature_find_dof(c, name);
  CHECK(i >= 0);
  return i < 0 ? 0 : i;
}

static const struct gait *gait(const struct creature *c, const char *name)
{
  return &c->gaits[creature_find_gait(c, name)];
}

static double angle(const struct creature *c, const char *gait_name, const char *name)
{
  int i = dof(c, name);
  return (gait(c, gait_name)->style->rest[i] - c->dofs[i].rest) * TO_DEGREES;
}

/* ---- the body ---- */

static void test_change(void)
{
  const struct creature *plain = styled(""), *c;
  const struct limb *right = limb(plain, "right_shank");
  CHECK(creature_is_symmetric(plain, NULL));
  c = styled("change left_shank { mass = 0.8\n"
             "  axis flexion { torque_factor = 0.5  range = {10, 100}  stiffness = 9 } }");
  CHECK_NEAR(limb(c, "left_shank")->mass, 0.8, 1e-15);
  CHECK_NEAR(limb(c, "right_shank")->mass, 0.5, 1e-15);
  for (int i = 0; i < 6; i++) {
    CHECK_NEAR(limb(c, "left_shank")->inertia[i], 1.6 * limb(plain, "left_shank")->inertia[i], 1e-15);
    CHECK_NEAR(limb(c, "right_shank")->inertia[i], right->inertia[i], 0);
  }
  CHECK_NEAR(c->mass, plain->mass + 0.3, 1e-12);
  const struct dof *l = &c->dofs[dof(c, "left_shank.flexion")], *r = &c->dofs[dof(c, "right_shank.flexion")];
  CHECK_NEAR(l->torque_max, 20, 0);
  CHECK_NEAR(r->torque_max, 40, 0);
  CHECK_NEAR(l->lower * TO_DEGREES, 10, 1e-12);
  CHECK_NEAR(r->lower, 0, 0);
  CHECK_NEAR(l->mass, 0.8, 1e-15); /* and the body that moves */
  CHECK_NEAR(r->mass, 0.5, 1e-15);
  double stiffness[2] = {0, 0};
  for (int i = 0; i < c->n_tissues; i++)
    for (int side = 0; side < 2; side++)
      if (c->tissues[i].dof[0] == (side ? r : l) - c->dofs)
        stiffness[side] = c->tissues[i].stiffness;
  CHECK_NEAR(stiffness[0], 9, 0);
  CHECK_NEAR(stiffness[1], 4, 0);
  struct creature_asymmetry why;
  CHECK(!creature_is_symmetric(c, &why));
  CHECK_STR(why.what, "its mass is 0.8 kg, but 0.5 kg in the mirror image of 'right_shank'");

  c = styled("change shank { mass_factor = 2  axis any { range_factor = 0.5  rest = 48  damping = 1 } }");
  CHECK(creature_is_symmetric(c, NULL));
  l = &c->dofs[dof(c, "left_shank.flexion")];
  CHECK_NEAR(l->lower * TO_DEGREES, 24, 1e-12);
  CHECK_NEAR(l->upper * TO_DEGREES, 89, 1e-12);
  CHECK_NEAR(limb(c, "right_shank")->mass, 1, 1e-15);
  CHECK(c->height > plain->height); /* it stands with knees less bent */
  for (int i = 0; i < c->n_tissues; i++)
    CHECK_NEAR(c->tissues[i].slack * TO_DEGREES, 48, 1e-12); /* a spring about the rest angle follows it */

  c = styled("change left_legs { mass_factor = 3 }");
  CHECK_NEAR(limb(c, "left_thigh")->mass, 3, 1e-12);
  CHECK_NEAR(limb(c, "left_shank")->mass, 1.5, 1e-12);
  CHECK_NEAR(limb(c, "right_thigh")->mass, 1, 1e-12);
  CHECK_NEAR(limb(c, "left_arm")->mass, 0.2, 1e-12);
}

/* One side of a mirrored limb, in a creature file without any style. */
static void test_change_in_file(void)
{
  struct diag d;
  diag_init(&d);
  char *file = bad_files_read("good/styled.creature");
  const char *text = arena_printf(arena, "%s\nchange right_thigh { axis flexion { rest = 30 } }\n", file);
  const struct creature *c = creature_parse(arena, "styled", text, strlen(text), &d);
  CHECK(c && c->n_styles == 0);
  if (c) {
    CHECK_NEAR(c->dofs[dof(c, "right_thigh.flexion")].rest * TO_DEGREES, 30, 1e-12);
    CHECK_NEAR(c->dofs[dof(c, "left_thigh.flexion")].rest * TO_DEGREES, 25, 1e-12);
    CHECK(!creature_is_symmetric(c, NULL));
    CHECK(gait(c, "hop")->style == NULL);
  }
  free(file);
  diag_clear(&d);
}

/* Machines have sides that differ a little: one image of a mirrored limb has its own place, centre, inertia and axis,
 * and still is the image, of joint, foot and gait. */
static void test_change_of_one_side(void)
{
  static const double at[3] = {0.01, -0.11, 0.02}, com[3] = {0.01, 0.02, -0.14};
  static const double inertia[6] = {0.02, 0.02, 0.003, 0.001, 0, 0.0005}, about[3] = {0, -0.8, 0.6};
  const struct creature *plain = styled("");
  const struct creature *c = styled("change right_thigh { at = {0.01, -0.11, 0.02}  com = {0.01, 0.02, -0.14}\n"
                                    "  mass = 2  inertia = {0.02, 0.02, 0.003, 0.001, 0, 0.0005}\n"
                                    "  axis flexion { about = {0, -4, 3} } }");
  const struct limb *right = limb(c, "right_thigh"), *left = limb(c, "left_thigh"), *same = limb(plain, "left_thigh");
  const struct dof *d = &c->dofs[dof(c, "right_thigh.flexion")], *o = &c->dofs[dof(c, "left_thigh.flexion")];
  const struct dof *was = &plain->dofs[dof(plain, "left_thigh.flexion")];
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(right->at[i], at[i], 0);
    CHECK_NEAR(right->com[i], com[i], 0);
    CHECK_NEAR(d->offset[i], at[i], 0);
    CHECK_NEAR(d->axis[i], about[i], 1e-15);
    CHECK_NEAR(left->at[i], same->at[i], 0);
    CHECK_NEAR(left->com[i], same->com[i], 0);
    CHECK_NEAR(o->axis[i], was->axis[i], 0);
  }
  for (int i = 0; i < 6; i++) {
    CHECK_NEAR(right->inertia[i], inertia[i], 0);
    CHECK_NEAR(left->inertia[i], same->inertia[i], 0);
  }
  CHECK_INT(d->kind, AXIS_ANY);
  CHECK(d->mirror == o - c->dofs && d->mirror_sign == 1 && !creature_is_symmetric(c, NULL));
  int carries = limb(c, "right_thigh")->body; /* and the body that moves has its masses there */
  CHECK_NEAR(c->dofs[carries].moment1[1], 2 * 0.02, 1e-15);
}

/* A load is what the same body would have with that mass in that place. */
static void test_load(void)
{
  const struct creature *plain = styled(""), *c = styled("load pack { limb = body  mass = 25%  at = {0.05, 0, 0.2} }");
  double m = 0.25 * plain->mass;
  CHECK_NEAR(c->mass, 1.25 * plain->mass, 1e-12);
  CHECK_NEAR(limb(c, "pack")->mass, m, 1e-12);
  CHECK(limb(c, "pack")->is_load && !limb(c, "head")->is_load);
  CHECK_INT(c->n_dofs, plain->n_dofs);
  CHECK_INT(c->n_points, plain->n_points);
  CHECK_NEAR(c->height, plain->height, 0);
  const struct dof *a = &plain->dofs[5], *b = &c->dofs[5];
  CHECK_NEAR(b->mass - a->mass, m, 1e-12);
  CHECK_NEAR(b->moment1[0] - a->moment1[0], m * 0.05, 1e-12);
  CHECK_NEAR(b->moment1[2] - a->moment1[2], m * 0.2, 1e-12);
  double r = cbrt(3 * m / (4 * PI * 500)), own = 0.2 * m * r * r; /* integral of x^2 over a ball */
  CHECK_NEAR(b->moment2[0] - a->moment2[0], m * 0.05 * 0.05 + own, 1e-12);
  CHECK_NEAR(b->moment2[2] - a->moment2[2], m * 0.2 * 0.2 + own, 1e-12);
  CHECK_NEAR(b->moment2[4] - a->moment2[4], m * 0.05 * 0.2, 1e-12);
  CHECK(creature_is_symmetric(c, NULL));

  c = styled("load bundle { limb = left_arm  mass = 1  radius = 0.05 }");
  struct creature_asymmetry why;
  CHECK(!creature_is_symmetric(c, &why));
  CHECK_STR(why.part, "bundle");
  CHECK_NEAR(c->dofs[dof(c, "left_arm.swing")].mass, 1.2, 1e-12);
  CHECK_NEAR(c->dofs[dof(c, "right_arm.swing")].mass, 0.2, 1e-12);

  c = styled("load boots { limb = shank  mass = 0.3  at = {0, 0.01, -0.25} }");
  CHECK(creature_is_symmetric(c, NULL));
  CHECK_NEAR(limb(c, "right_boots")->mass, 0.3, 0);
  CHECK_NEAR(limb(c, "right_boots")->at[1], -0.01, 0);

  c = styled("load pack { mass = 2  place = back }"); /* of the trunk, which is level: above it */
  CHECK_INT(limb(c, "pack")->parent, 0);
  CHECK(limb(c, "pack")->at[2] > 0.1 && limb(c, "pack")->at[0] == 0);
}

/* ---- gaits ---- */

static void test_gait(void)
{
  const struct creature *c = styled("tempo = 0.5  speed = 0.5  clearance = 3  crouch = 0.9\n"
                                    "joints l { of = {left_thigh.flexion, tail}  effort = 3  posture = 0.5 }\n"
                                    "weight torque { factor = 4 }");
  const struct gait *walk = gait(c, "walk"), *hop = gait(c, "hop");
  int left = dof(c, "left_thigh.flexion"), right = dof(c, "right_thigh.flexion"), tail = dof(c, "tail.pitch");
  CHECK_NEAR(walk->period_slow, 1.6, 1e-15);
  CHECK_NEAR(walk->period_fast, 1.2, 1e-15);
  CHECK_NEAR(walk->speed_max, 0.5, 1e-15);
  CHECK_NEAR(hop->style->clearance[0], 3, 0);
  CHECK_NEAR(walk->style->clearance[0], 4.5, 1e-15); /* and 1.5 of its own */
  CHECK_NEAR(hop->style->effort[left], 3, 0);
  CHECK_NEAR(hop->style->effort[right], 1, 0);
  CHECK_NEAR(hop->style->posture[tail], 0.5, 0);
  CHECK_NEAR(walk->style->posture[left], 1, 0); /* its own: 2 */
  CHECK_NEAR(walk->style->posture[right], 2, 0);
  CHECK_NEAR(hop->style->rest[2], 0.9 * c->height, 1e-15);
  CHECK(hop->style->posture[2] > 1);
  CHECK_INT(hop->style->n_weights, 1);
  CHECK_NEAR(hop->style->weights[0].factor, 4, 0);
  CHECK_STR(c->styles[0].name, "test");
  CHECK(!c->styles[0].file);
  struct creature_asymmetry why;
  CHECK(!creature_is_symmetric(c, &why));
  CHECK_STR(why.kind, "style of gait");
  CHECK_STR(why.part, "hop");
  CHECK_STR(why.what, "the effort of 'left_thigh.flexion' is 3, but 1 in the mirror");
  CHECK(creature_is_symmetric(styled("crouch = 0.9  joints l { of = legs  effort = 3 }"), NULL));
}

static void test_pitch(void)
{
  const struct creature *c = styled("gaze = 0  lean = 20  joints n { of = neck  pitch = 30 }");
  CHECK_NEAR(angle(c, "hop", "neck.pitch"), 30, 1e-9);
  CHECK_NEAR(angle(c, "hop", "head.nod"), 30, 1e-9); /* about -y: it looks ahead */
  CHECK_NEAR(gait(c, "hop")->style->rest[4], 0, 0); /* a level trunk does not lean */
  c = styled("gaze = -20");
  CHECK_NEAR(angle(c, "hop", "head.nod"), -20, 1e-9);
  CHECK_NEAR(angle(c, "hop", "neck.pitch"), 0, 0);
  c = styled("joints n { of = {neck, head}  pitch = 70 }"); /* 35 each, but the head ends two degrees before -50 */
  CHECK_NEAR(angle(c, "hop", "head.nod") - angle(c, "hop", "neck.pitch"), -70, 1e-6);
  c = styled("joints n { of = {neck, head}  pitch = 90  only = upright }  joints m { of = thigh.flexion  rest = 40 }");
  CHECK_NEAR(angle(c, "hop", "neck.pitch"), 0, 0);
  CHECK_NEAR(angle(c, "hop", "right_thigh.flexion"), 15, 1e-9);
  c = styled("joints n { of = tail  pitch = 90 }"); /* two degrees from the end of its range */
  CHECK_NEAR(angle(c, "hop", "tail.pitch"), 38, 1e-9);
  CHECK(creature_is_symmetric(c, NULL));
}

/* The time on the ground about the middle of the stance; the other side stays. */
static void test_stance(void)
{
  const struct creature *c = styled("stance lame { of = left_legs  time = 0.5 }");
  const struct interval left = gait(c, "walk")->on[0][0], right = gait(c, "walk")->on[1][0];
  CHECK_NEAR(left.from, 0.15, 1e-12);
  CHECK_NEAR(left.until, 0.45, 1e-12);
  CHECK_NEAR(right.from, 0.5, 1e-12);
  CHECK_NEAR(right.until, 0.1, 1e-12);
  CHECK_NEAR(gait(c, "hop")->on[0][0].from, 0.1, 1e-12);
  c = styled("stance long { of = legs  time = 1.5 }"); /* 0.9 would be, but the swing keeps half of 0.4 */
  CHECK_NEAR(gait_duty(gait(c, "walk"), 0), 0.8, 1e-12);
  CHECK_NEAR(gait_duty(gait(c, "walk"), 1), 0.8, 1e-12);
  CHECK_NEAR(gait_duty(gait(c, "hop"), 0), 0.6, 1e-12);
}

static void test_pose(void)
{
  const struct creature *c = styled("pose a { phase = 0.3  width = 0.2  joint shank.flexion { angle = 90 } }");
  const struct style *walk = gait(c, "walk")->style, *hop = gait(c, "hop")->style;
  CHECK_INT(walk->n_keys, 2);
  CHECK_INT(walk->keys[1].dof, dof(c, "right_shank.flexion"));
  CHECK_NEAR(walk->keys[1].phase, 0.8, 1e-15);
  CHECK_NEAR(hop->keys[1].phase, 0.3, 1e-15);
  CHECK_NEAR(walk->keys[0].angle * TO_DEGREES, 90, 1e-12);
  CHECK(creature_is_symmetric(c, NULL));
  CHECK_NEAR(style_key_share(&walk->keys[0], 0.3), 1, 0);
  CHECK_NEAR(style_key_share(&walk->keys[0], 1.4), 0.5, 1e-12);
  CHECK_NEAR(style_key_share(&walk->keys[0], -0.6), 0.5, 1e-12);
  CHECK_NEAR(style_key_share(&walk->keys[0], 0.51), 0, 0);
  CHECK(style_is_mirrored(c, walk, 0.5, NULL));
  CHECK(!style_is_mirrored(c, walk, 0.25, NULL));

  c = styled("pose a { phase = 0.3  joint head.nod { angle = 9 } }");
  struct creature_asymmetry why;
  CHECK(!creature_is_symmetric(c, &why)); /* in a walk, where the other side's turn is half a cycle later */
  CHECK_STR(why.part, "walk");
  CHECK_STR(why.what, "the angle of 'head.nod' in pose 'a' has no mirror image 0.5 of a cycle later");
  c = styled("pose a { phase = 0.3  mirror = true  joint head.nod { angle = 9 } }");
  CHECK(creature_is_symmetric(c, NULL));
  CHECK_INT(gait(c, "walk")->style->n_keys, 2);
}

static void test_between(void)
{
  const struct creature *c = styled("crouch = 0.8");
  const struct style *walk = gait(c, "walk")->style;
  CHECK(style_between(arena, c, walk, walk) == walk);
  CHECK(style_between(arena, c, NULL, NULL) == NULL);
  const struct style *half = style_between(arena, c, walk, NULL);
  CHECK_NEAR(half->rest[2], 0.9 * c->height, 1e-12);
  CHECK_NEAR(half->clearance[0], sqrt(1.5), 1e-12);
  CHECK_NEAR(half->posture[2], sqrt(walk->posture[2]), 1e-12);
}

/* ---- any creature ---- */

/* Which limbs a group is, by what a factor on their effort does. */
static void expect_group(const char *creature, const char *group, const char *expected)
{
  struct diag d;
  diag_init(&d);
  const char *path = arena_printf(arena, "../../creatures/%s.creature", creature), *names = "";
  char *file = bad_files_read(path);
  const char *text = arena_printf(arena, "%s\nstyle s { joints j { of = %s  effort = 2 } }\n", file, group);
  const struct creature *c = creature_parse(arena, path, text, strlen(text), &d);
  CHECK(c != NULL);
  for (int n = 0; c && n < c->n_limbs; n++) {
    const struct limb *l = &c->limbs[n];
    if (l->n_dofs && l->first_dof >= CREATURE_ROOT_DOFS && c->gaits[0].style->effort[l->first_dof] == 2)
      names = arena_printf(arena, "%s%s%s", names, *names ? " " : "", l->name);
  }
  CHECK_STR(names, expected);
  free(file);
  diag_clear(&d);
}

static void test_groups(void)
{
  expect_group("human", "left_legs", "left_thigh left_shank left_foot left_toes");
  expect_group("human", "right_hind_legs", "right_thigh right_shank right_foot right_toes");
  expect_group("human", "fore_legs", "");
  expect_group("human", "left_arms", "left_upper_arm left_forearm left_hand");
  expect_group("human", "spine", "abdomen chest");
  expect_group("human", "head", "head");
  expect_group("human", "tail", "");
  expect_group("dog", "left_fore_legs", "left_scapula left_humerus left_forearm left_manus");
  expect_group("dog", "left_hind_legs", "left_thigh left_crus left_metatarsus left_toes");
  expect_group("dog", "spine", "loin pelvis");
  expect_group("dog", "neck", "neck");
  expect_group("dog", "tail", "tail");
  expect_group("dog", "arms", "");
  expect_group("biped", "spine", "torso");
  expect_group("biped", "neck", "");
}

/* The styles that come with the program are for all creatures. */
static void test_zoo(void)
{
  static const char *const names[] = {"proud", "tired", "sneaky", "limping", "laden"};
  for (int i = 0; i < zoo_size(); i++)
    for (int k = 0; k < 5; k++) {
      struct diag d;
      diag_init(&d);
      const char *style = arena_printf(arena, "../../styles/%s.style", names[k]);
      const struct creature *c = creature_load_styled(
          arena, arena_printf(arena, "../../creatures/%s.creature", zoo_name(i)), &style, 1, &d);
      CHECK(c && d.n_messages == 0);
      CHECK(c && c->n_styles == 1 && strcmp(c->styles[0].name, names[k]) == 0 && strcmp(c->styles[0].file, style) == 0);
      if (c && k < 3)
        CHECK(creature_is_symmetric(c, NULL));
      if (!c)
        fprintf(stderr, "%s %s: %s\n", zoo_name(i), names[k], diag_text(&d));
      diag_clear(&d);
    }
  CHECK_STR(creature_style_name(arena, "a.b/very tired.style"), "very_tired");
  CHECK_STR(creature_style_name(arena, "3.style"), "style_3");
}

/* A file that says all that can be said. */
static void test_everything(void)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_load(arena, "good/style.creature", &d);
  CHECK(c && d.n_messages == 0);
  if (c) {
    const struct gait *walk = gait(c, "walk");
    CHECK_INT(c->n_styles, 2);
    CHECK_INT(walk->style->n_keys, 4);
    CHECK_NEAR(walk->style->rest[2], 0.9 * 0.95 * c->height, 1e-12);
    CHECK_NEAR(gait_duty(walk, 0), 0.6 * 0.7, 1e-12);
    CHECK_NEAR(gait_duty(walk, 1), 0.6 * 0.9, 1e-12);
    CHECK_NEAR(limb(c, "pack")->mass, 0.2 * 12, 1e-12); /* of the body as it is described */
  }
  diag_clear(&d);
}

/* ---- bytes ---- */

static void put_creature(struct bytes_writer *w, const void *what)
{
  creature_put(w, what);
}

static void test_bytes(void)
{
  const struct creature *c = styled("crouch = 0.9  pose a { phase = 0.3  joint shank.flexion { angle = 90 } }\n"
                                    "weight torque { factor = 4 }  load pack { mass = 2 }");
  size_t n, again;
  const unsigned char *bytes = bytes_pack(arena, put_creature, c, &n);
  struct bytes_reader r = {.at = bytes, .left = n, .arena = arena};
  const struct creature *copy = creature_get(&r);
  CHECK(copy && !r.bad && r.left == 0);
  if (!copy)
    return;
  CHECK_STR(copy->styles[0].name, "test");
  CHECK(limb(copy, "pack")->is_load && !limb(copy, "head")->is_load);
  CHECK_INT(gait(copy, "walk")->style->n_keys, 2);
  CHECK_NEAR(gait(copy, "walk")->style->clearance[1], 1.5, 0);
  const unsigned char *twice = bytes_pack(arena, put_creature, copy, &again);
  CHECK(again == n && memcmp(bytes, twice, n) == 0);
  for (size_t cut = 0; cut < n; cut += 1 + n / 500) { /* what is cut off is refused */
    struct bytes_reader part = {.at = bytes, .left = cut, .arena = arena};
    CHECK(!creature_get(&part) && part.bad);
  }
}

int main(void)
{
  if (!bad_files_enter("tests/creature"))
    return 1;
  arena = arena_new();
  test_change();
  test_change_in_file();
  test_change_of_one_side();
  test_load();
  test_gait();
  test_pitch();
  test_stance();
  test_pose();
  test_between();
  test_groups();
  test_zoo();
  test_everything();
  test_bytes();
  arena_free(arena);
  return test_finish();
}
