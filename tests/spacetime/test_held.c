/* Rows of contact points say nothing twice and leave nothing out, whatever the points, their order and the heading. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "spacetime/body.h"
#include "spacetime/formulation.h"
#include "spacetime/held.h"
#include "spacetime/solve.h"
#include "zoo.h"

/* A foot with toes; the points of either are given. */
static const char leg[] = "limb body  { from = {0, 0, 0}  to = {0, 0, 0.3}  radius = 0.12  mass = 12 }\n"
                          "limb thigh { parent = body  to = {0, 0, -0.4}  mass = 1  shape = none\n"
                          "             axis flexion { about = -y  range = {-60, 90}  rest = 10 }\n"
                          "             axis abduction { about = x  range = {-30, 30} }\n"
                          "             axis turn { about = z  range = {-30, 30} } }\n"
                          "limb shank { parent = thigh  to = {0, 0, -0.4}  mass = 1  shape = none\n"
                          "             axis flexion { about = y  range = {0, 140}  rest = 20 } }\n"
                          "limb sole  { parent = shank  mass = 0.5  shape = none  to = {0.1, 0, 0}\n"
                          "             axis flexion { about = -y  range = {-60, 60}  rest = 10 }\n"
                          "             axis roll { about = x  range = {-20, 20} } }\n"
                          "limb toes  { parent = sole  at = {0.1, 0, -0.03}  to = {0.05, 0, 0}  mass = 0.1\n"
                          "             shape = none  axis bend { about = -y  range = {-30, 60} } }\n"
                          "%s\n"
                          "gait hop   { period = 0.45  speed = {0.5, 1.5} }\n";

struct rows { int height, slip; };

static struct rows rows_of(struct arena *arena, const char *feet, double heading, const char *off)
{
  const char *text = arena_printf(arena, leg, feet);
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "leg", text, strlen(text), &d);
  if (!c)
    fprintf(stderr, "%s", diag_text(&d));
  CHECK(c != NULL);
  diag_clear(&d);
  c = body_of(arena, c);
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct problem_input in = solve_input(arena, c, 2, 0.2, &o);
  unsigned char *on = ARENA_NEW(arena, (size_t)(2 * c->n_points), unsigned char);
  double *none = ARENA_NEW(arena, (size_t)(2 * c->n_points), double);
  for (int i = 0; i < 2 * c->n_points; i++)
    on[i] = c->points[i % c->n_points].foot >= 0 && !strstr(off, strchr(c->points[i % c->n_points].name, '.') + 1);
  double *headings = ARENA_NEW(arena, 2, double);
  headings[0] = headings[1] = heading;
  in.heading = headings;
  in.on = on, in.swing = none, in.clearance = none;
  struct problem *p = problem_new(arena, &in);
  struct rows r = {0, 0};
  for (int i = 0; i < p->n_rows; i++) {
    r.height += p->rows[i].family == &row_family_height && p->rows[i].frame == 0;
    r.slip += p->rows[i].family == &row_family_slip && p->rows[i].frame == 0;
  }
  return r;
}

/* Which of x, y of point i is a row, likewise. */
static int slip_of(struct arena *arena, const char *feet, double heading, int i)
{
  const char *text = arena_printf(arena, leg, feet);
  struct diag d;
  diag_init(&d);
  const struct creature *c = body_of(arena, creature_parse(arena, "leg", text, strlen(text), &d));
  diag_clear(&d);
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct problem_input in = solve_input(arena, c, 2, 0.2, &o);
  unsigned char *on = ARENA_NEW(arena, (size_t)(2 * c->n_points), unsigned char);
  double *none = ARENA_NEW(arena, (size_t)(2 * c->n_points), double);
  for (int k = 0; k < 2 * c->n_points; k++)
    on[k] = c->points[k % c->n_points].foot >= 0;
  double headings[2] = {heading, heading};
  in.heading = headings;
  in.on = on, in.swing = none, in.clearance = none;
  return held_slip(problem_new(arena, &in), 0, i);
}

#define BOARD                                                                                                          \
  "foot f { limb = sole point a { at = {-0.05, -0.03, -0.04} } point b { at = {-0.05, 0.03, -0.04} }\n"                \
  "         point c { at = {0.1, -0.03, -0.04} } point d { at = {0.1, 0.03, -0.04} } }"

int main(void)
{
  struct arena *arena = arena_new();
  static const struct { const char *feet, *off; int height, slip; } cases[] = {
      {BOARD, "", 3, 3}, /* rigid: six */
      {BOARD, "a", 3, 3},
      {BOARD, "a b", 2, 3}, /* a line: all but its roll */
      {BOARD, "b c", 2, 3},
      {BOARD, "a b c", 1, 2},
      /* three on a line, and one beside it */
      {"foot f { limb = sole point a { at = {-0.05, 0, -0.04} } point b { at = {0.02, 0, -0.04} }\n"
       "         point c { at = {0.1, 0, -0.04} } point d { at = {0.1, 0.05, -0.04} } }", "", 3, 3},
      {"foot f { limb = sole point a { at = {-0.05, 0, -0.04} } point b { at = {0.02, 0, -0.04} }\n"
       "         point c { at = {0.1, 0, -0.04} } point d { at = {0.1, 0.05, -0.04} } }", "d", 2, 3},
      {"foot f { limb = sole point a { at = {-0.05, 0, -0.04} } point b { at = {0.1, -0.03, -0.04} }\n"
       "         point c { at = {0.1, 0.03, -0.04} } }\n"
       "foot t { limb = toes point d { at = {0.05, 0, -0.01} } point e { at = {0.05, 0.03, -0.01} } }", "", 4, 3},
      {"foot f { limb = sole point a { at = {-0.05, 0, -0.04} } }\n" /* as the zoo's human has it: all */
       "foot t { limb = toes point d { at = {0.02, 0, -0.01} } }", "", 2, 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int turn = 0; turn < 3; turn++) {
      struct rows r = rows_of(arena, cases[i].feet, 0.8 * turn, cases[i].off);
      if (r.height != cases[i].height || r.slip != cases[i].slip)
        fprintf(stderr, "case %zu without '%s', heading %g:\n", i, cases[i].off, 0.8 * turn);
      CHECK_INT(r.height, cases[i].height);
      CHECK_INT(r.slip, cases[i].slip);
    }
  /* of two points in a row the second is held across the line between them, wherever that points */
  static const char line[] = "foot f { limb = sole point a { at = {-0.05, 0, -0.04} }\n"
                             "                      point b { at = {0.1, 0, -0.04} } }";
  CHECK_INT(slip_of(arena, line, 0, 1), HELD_Y);
  CHECK_INT(slip_of(arena, line, 1.5707963267948966, 1), HELD_X);
  CHECK_INT(slip_of(arena, line, 1.5707963267948966, 0), HELD_X | HELD_Y);
  arena_free(arena);
  return test_finish();
}
