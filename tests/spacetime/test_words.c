/* Words for failures follow from the failure: what is only out of time is not told to slow down, and what cannot be is
 * told why not. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "spacetime/body.h"
#include "spacetime/formulation.h"
#include "spacetime/schedule.h"
#include "spacetime/solve.h"
#include "spacetime/spacetime.h"
#include "spacetime/words.h"
#include "zoo.h"

#define HAS(text, part)                                                                                                \
  do {                                                                                                                 \
    if (!strstr(text, part))                                                                                           \
      fprintf(stderr, "\"%s\" is not in \"%s\"\n", part, text);                                                        \
    CHECK(strstr(text, part) != NULL);                                                                                 \
  } while (0)
#define HAS_NOT(text, part) CHECK(strstr(text, part) == NULL)

/* One leg under a body, its foot a board of four corners. */
static const char hopper[] = "limb body  { from = {0, 0, 0}  to = {0, 0, 0.3}  radius = 0.12  mass = 12 }\n"
                             "limb thigh { parent = body  to = {0, 0, -0.3}  mass = 1.5  shape = none\n"
                             "             axis flexion { about = -y  range = {-60, 90}  rest = 25 }\n"
                             "             axis abduction { about = x  range = {-30, 30} } }\n"
                             "limb shank { parent = thigh  to = {0, 0, -0.3}  mass = 0.7  shape = none\n"
                             "             axis flexion { about = y  range = {5, 140}  rest = 50 torque = %g } }\n"
                             "limb sole  { parent = shank  to = {0.1, 0, -0.04}  mass = 0.3  radius = 0.01\n"
                             "             axis flexion { about = -y  range = {-60, 60}  rest = 25 }\n"
                             "             axis roll { about = x  range = {-20, 20} } }\n"
                             "foot sole  { limb = sole  point a { at = {-0.05, -0.03, -0.04} }\n"
                             "             point b { at = {-0.05, 0.03, -0.04} }\n"
                             "             point c { at = {0.1, -0.03, -0.04} }\n"
                             "             point d { at = {0.1, 0.03, %g} } }\n"
                             "gait hop   { period = 0.45  speed = {0.5, 1.5}  contact sole { on = {0, 0.5} } }\n";

static const struct creature *make_hopper(struct arena *arena, double torque, double lowest)
{
  const char *text = arena_printf(arena, hopper, torque, lowest);
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "hopper", text, strlen(text), &d);
  if (!c)
    fprintf(stderr, "%s", diag_text(&d));
  CHECK(c != NULL);
  diag_clear(&d);
  return c;
}

static void fail(struct arena *arena, const struct creature *c, double speed, const struct spacetime_options *o,
                 struct spacetime_report *report)
{
  CHECK(!spacetime_gait(arena, &(struct gait_request){.c = c, .gait = 0, .speed = speed}, o, report));
}

static void test_out_of_time(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  struct spacetime_options o;
  spacetime_defaults(&o);
  o.max_seconds = 0.02;
  fail(arena, zoo_find(arena, "horse"), 1.4, &o, &report);
  CHECK_INT(report.status, SPACETIME_FAILED);
  CHECK(!strncmp(report.reason, "out of time (0.02 s): solve 1 was at iteration ", 47));
  HAS(report.reason, "that does not say that there is no such motion: allow more seconds");
  HAS_NOT(report.reason, "speed");
  HAS_NOT(report.reason, "period");
  arena_free(arena);
}

static void test_uneven_sole(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  struct spacetime_options o;
  spacetime_defaults(&o);
  fail(arena, make_hopper(arena, 100, -0.03), 1, &o, &report);
  CHECK_INT(report.status, SPACETIME_REFUSED);
  CHECK_STR(report.reason, "sole.d is 0.01 m off the plane through sole.a, sole.b and sole.c of the same limb, so that "
                           "they cannot all be on the ground, as they are at 0.01 of the cycle: move it, or let it "
                           "touch at other times");
  arena_free(arena);
}

/* ---- what a look at the motion tells ---- */

static struct problem *hop_problem(struct arena *arena, double torque)
{
  const struct creature *c = body_of(arena, make_hopper(arena, torque, -0.04));
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct schedule s = schedule_of_gait(arena, c, &c->gaits[0], 12, &o);
  struct problem_input in = solve_input(arena, c, 12, 0.2, &o);
  in.cyclic = 1;
  in.on = s.on;
  in.swing = s.swing;
  in.clearance = s.clearance;
  return problem_new(arena, &in);
}

static void pose(struct problem *p, double *x, const char *dof, double angle)
{
  for (int k = 0; k < p->in.n_frames; k++) {
    memcpy(x + p->q_var[k], p->in.rest, (size_t)p->n * sizeof *x);
    if (dof)
      x[p->q_var[k] + creature_find_dof(p->in.c, dof)] = angle;
  }
  problem_evaluate(p, x, 1);
}

static const double degree = 3.14159265358979323846 / 180;

static void test_looks(void)
{
  struct arena *arena = arena_new();
  struct problem *p = hop_problem(arena, 100);
  double *x = ARENA_NEW(arena, (size_t)p->n_vars, double);
  struct row_words words;
  pose(p, x, NULL, 0);
  words_advise_leg(p, 1, 0, "usual", &words);
  CHECK_STR(words.advice, "usual");
  words_advise_balance(p, 1, "usual", &words);
  CHECK_STR(words.advice, "usual");
  words_advise_torque(p, 1, creature_find_dof(p->in.c, "shank.flexion"), "usual", &words);
  CHECK_STR(words.advice, "usual");
  pose(p, x, "sole.flexion", 60 * degree);
  words_advise_leg(p, 1, 0, "usual", &words);
  CHECK_STR(words.advice, "sole.flexion is at the end of its range there (60 degrees): widen it, or lower the speed");
  pose(p, x, "shank.flexion", 8 * degree);
  for (int k = 0; k < p->in.n_frames; k++) /* the toes point down */
    x[p->q_var[k] + creature_find_dof(p->in.c, "sole.flexion")] = -59 * degree;
  problem_evaluate(p, x, 1);
  words_advise_leg(p, 1, 3, "usual", &words);
  HAS(words.advice, "its leg is straight there, 9");
  HAS(words.advice, "lower the speed, shorten the period or the contact, or make the leg longer");
  pose(p, x, "thigh.flexion", -50 * degree);
  words_advise_balance(p, 1, "usual", &words);
  HAS(words.advice, "all feet that stand there are behind the centre of mass, 0.");
  pose(p, x, "thigh.flexion", 80 * degree);
  words_advise_balance(p, 1, "usual", &words);
  HAS(words.advice, "all feet that stand there are ahead of the centre of mass, 0.");
  p = hop_problem(arena, 1);
  pose(p, x, NULL, 0);
  words_advise_torque(p, 1, creature_find_dof(p->in.c, "shank.flexion"), "usual", &words);
  HAS(words.advice, "even to stand still at rest on the feet that are down there takes ");
  HAS(words.advice, " N m of it, and its limit is 1 N m: raise the limit");
  arena_free(arena);
}

int main(void)
{
  test_out_of_time();
  test_uneven_sole();
  test_looks();
  return test_finish();
}
