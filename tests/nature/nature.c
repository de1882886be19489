/* How close to nature? Gaits are solved and measured, and the numbers printed beside those of animals, as a page of
 * Markdown: doc/nature.md, by `make nature`.
 *
 *   nature [--human-walk FILE] [--only SECTION] [--creature NAME] [--all]
 *   nature --controllers RUN...
 *
 *   --human-walk FILE   one cycle of a person's walk; without it these rows are skipped
 *   --only SECTION      human, arms, horse, dog or torques
 *   --creature NAME     torques of this creature only
 *   --all               torques of the centipede too, which takes long
 *   --controllers       instead: what the direction controllers of run files do when they turn
 *
 * Which gait is being solved is reported on standard error. Exit status 0 whatever the numbers are; 2 when the command
 * line or a file is wrong. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "nature/curves.h"
#include "nature/measures.h"
#include "zoo.h"

static const char nature_head[] =
    "# Close to nature?\n"
    "\n"
    "Numbers of today's motions beside those of animals. This page is printed by a program, `make nature`\n"
    "(`tests/nature/`): all gaits are solved anew, with the creatures of the zoo as they are, measured, and\n"
    "compared. It prints the same page every time.\n"
    "\n"
    "    make nature HUMAN_WALK=human_walk.csv\n"
    "    tests/nature/nature --only horse\n"
    "\n"
    "The bar is what we want to reach, not what nature does. Numbers \"from memory\" were not looked up again.\n"
    "Those with a star are from our own notes, which name no source. What controllers do when they turn is a page\n"
    "of its own, written by `make nature-controllers`.\n";

struct nature_section { const char *name; void (*measure)(struct measures *m); };
static const struct nature_section nature_sections[] = {
    {"human", measure_human_walk}, {"arms", measure_arms},       {"horse", measure_horse},
    {"dog", measure_dog},          {"torques", measure_torques},
};
#define NATURE_SECTIONS (sizeof nature_sections / sizeof *nature_sections)

const struct motion *measures_gait(struct measures *m, const char *creature, const char *gait, double speed)
{
  return measures_gait_in(m, creature, gait, speed, 0);
}

const struct motion *measures_gait_in(struct measures *m, const char *creature, const char *gait, double speed,
                                      double period)
{
  const struct motion *g = motion_gait(m->library, creature, gait, speed, period);
  if (g->clip)
    return g;
  table_fail(&m->table, arena_printf(g->arena, "not solved: %s", g->reason), "%s %s at %.4g m/s", creature, gait,
             g->speed);
  return NULL;
}

const char *measures_range(const struct motion *m, const double *x, const unsigned char *on, int wanted, int decimals)
{
  struct curve_range r = curve_range_where(m->n, x, on, wanted);
  return arena_printf(m->arena, "%.*f to %.*f", decimals, r.low, decimals, r.high);
}

static int nature_finish(const struct table *t)
{
  fprintf(t->out, "\nOf %d bars, %d are met, %d missed and %d skipped.\n", t->met + t->missed + t->skipped, t->met,
          t->missed, t->skipped);
  return fflush(t->out) || ferror(t->out) ? 2 : 0;
}

static int nature_print_page(struct measures *m, const char *only)
{
  int known = 0;
  for (size_t i = 0; i < NATURE_SECTIONS; i++)
    known |= !only || !strcmp(only, nature_sections[i].name);
  if (!known) {
    fprintf(stderr, "nature: no section '%s'; there are human, arms, horse, dog and torques\n", only);
    return 2;
  }
  if (!only)
    fputs(nature_head, m->table.out);
  for (size_t i = 0; i < NATURE_SECTIONS; i++)
    if (!only || !strcmp(only, nature_sections[i].name))
      nature_sections[i].measure(m);
  return nature_finish(&m->table);
}

static int nature_knows(const char *creature)
{
  for (int i = 0; i < zoo_size(); i++)
    if (!creature || !strcmp(creature, zoo_name(i)))
      return 1;
  fprintf(stderr, "nature: the zoo has no '%s'\n", creature);
  return 0;
}

int main(int argc, char **argv)
{
  static const struct option options[] = {{"human-walk", required_argument, NULL, 'h'},
                                          {"only", required_argument, NULL, 'o'},
                                          {"creature", required_argument, NULL, 'c'},
                                          {"all", no_argument, NULL, 'a'},
                                          {"controllers", no_argument, NULL, 'r'},
                                          {NULL, 0, NULL, 0}};
  struct arena *arena = arena_new();
  struct measures m = {.table = {.out = stdout}, .library = motion_library_new(arena)};
  const char *only = NULL;
  int status = 0, controllers = 0;
  for (int k; (k = getopt_long(argc, argv, "", options, NULL)) != -1;)
    switch (k) {
    case 'h': m.walk = reference_read(arena, optarg); break;
    case 'o': only = optarg; break;
    case 'c': m.creature = optarg; break;
    case 'a': m.all = 1; break;
    case 'r': controllers = 1; break;
    default: status = 2;
    }
  if (controllers ? optind == argc : optind < argc) {
    fprintf(stderr, controllers ? "nature: name run files\n" : "nature: what is '%s'?\n", argv[optind]);
    status = 2;
  }
  if (status == 0 && controllers)
    status = measure_controllers(&m, argc - optind, argv + optind) ? nature_finish(&m.table) : 2;
  else if (status == 0)
    status = nature_knows(m.creature) ? nature_print_page(&m, only) : 2;
  arena_free(arena);
  return status;
}
