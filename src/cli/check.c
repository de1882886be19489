/* muybridge check: is a creature file well formed, what does it mean, and what does it look like? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/drawing.h"
#include "cli/options.h"
#include "plots/creature_sheet.h"

static const char usage[] =
    "Usage: muybridge check [OPTION]... CREATURE...\n"
    "Reads creature files (or creatures of the zoo by name, such as horse), reports what is wrong with them,\n"
    "and prints what they describe.\n\n"
    "  -o, --output FILE  draw them: side and front view, centre of mass, feet and gait diagrams of one creature,\n"
    "                     a family picture of several (.png, .svg or .pdf)\n"
    "  -s, --size W[xH]   pixels (PNG) or points that the picture fits into (default: its own size)\n"
    "      --style NAME   with this style: proud, tired, sneaky, limping, laden or a file (may be given again)\n"
    "  -q, --quiet        print nothing but errors and warnings\n"
    "      --json         print the tables as JSON\n"
    "  -h, --help         this text\n\n"
    "Exit status: 0 all files are well formed, 1 the picture could not be written, 2 a file is not well formed.\n";

struct check_options {
  const char *output;
  int quiet, json, width, height;
  struct cli_styles styles;
};

static const char *joint_name(const struct limb *l)
{
  static const char *const names[] = {"fixed", "hinge", "universal", "ball"};
  return l->parent < 0 ? "free" : names[l->n_dofs];
}

static double limb_length(const struct limb *l)
{
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += (l->shape.to[k] - l->shape.from[k]) * (l->shape.to[k] - l->shape.from[k]);
  return sqrt(sum);
}

/* Widest of the names in a column, at least as wide as its heading. */
static int column_width(const char *heading, int n, const char *(*name)(const struct creature *, int),
                        const struct creature *c)
{
  size_t width = strlen(heading);
  for (int i = 0; i < n; i++)
    if (strlen(name(c, i)) > width)
      width = strlen(name(c, i));
  return (int)width;
}

static const char *limb_name(const struct creature *c, int i) { return c->limbs[i].name; }
static const char *point_name(const struct creature *c, int i) { return c->points[i].name; }
static const char *gait_name(const struct creature *c, int i) { return c->gaits[i].name; }

static void print_head(const struct creature *c)
{
  double g = CREATURE_GRAVITY;
  struct creature_asymmetry why;
  int symmetric = creature_is_symmetric(c, &why);
  printf("%s (%s)\n", c->name, c->file);
  if (c->summary && *c->summary)
    printf("%s\n", c->summary);
  for (int i = 0; i < c->n_styles; i++)
    printf("%s%s%s%s", i ? ", " : "  style: ", c->styles[i].name, c->styles[i].file ? "" : " (in its file)",
           i + 1 < c->n_styles ? "" : "\n");
  printf("  %d degrees of freedom, %d limbs, %d feet with %d contact points, %g kg, friction %g\n", c->n_dofs,
         c->n_limbs,
         c->n_feet, c->n_points, c->mass, c->friction);
  printf("  standing height L %.4g m, natural speed sqrt(gL) %.3g m/s, natural period sqrt(L/g) %.3g s, %.4g "
         "frames/s\n",
         c->height, sqrt(g * c->height), sqrt(c->height / g), c->frame_rate);
  if (symmetric)
    printf("  symmetric: left and right are mirror images\n\n");
  else
    printf("  not symmetric: %s '%s': %s\n\n", why.kind, why.part, why.what);
}

static void print_limbs(const struct creature *c)
{
  int w = column_width("limb", c->n_limbs, limb_name, c);
  printf("  %-*s  %-*s  %-9s  %4s  %9s  %7s  %8s\n", w, "limb", w, "parent", "joint", "DOFs", "mass kg", "share %",
         "length m");
  for (int i = 0; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    printf("  %-*s  %-*s  %-9s  %4d  %9.4g  %7.2f  %8.4g\n", w, l->name, w,
           l->parent < 0 ? "-" : c->limbs[l->parent].name,
           joint_name(l), l->n_dofs, l->mass, 100 * l->mass / c->mass, limb_length(l));
  }
  putchar('\n');
}

static void print_feet(const struct creature *c)
{
  if (!c->n_points)
    return;
  int w = column_width("contact point", c->n_points, point_name, c);
  printf("  %-*s  %-20s  %12s\n", w, "contact point", "limb", "leg length m");
  for (int i = 0; i < c->n_points; i++) {
    const struct contact_point *p = &c->points[i];
    printf("  %-*s  %-20s  %12.4g\n", w, p->name, c->limbs[p->limb].name, c->feet[p->foot].leg_length);
  }
  putchar('\n');
}

/* "0.62", or "0.3-0.62" when the contact points that touch differ. */
static void print_duties(const struct creature *c, const struct gait *g)
{
  double least = 2, most = -1;
  for (int p = 0; p < c->n_points; p++) {
    double duty = gait_duty(g, p);
    if (duty > 0)
      least = fmin(least, duty), most = fmax(most, duty);
  }
  if (most < 0)
    printf("none");
  else if (most - least < 5e-4)
    printf("%.3g", most);
  else
    printf("%.3g-%.3g", least, most);
}

/* "walk leaves open: its period, how long its feet stand" */
static void print_open_gaits(const struct creature *c)
{
  for (int i = 0; i < c->n_open; i++) {
    const struct open_gait *o = &c->open[i];
    int incomplete = 0;
    for (int p = 0; p < c->n_points; p++)
      incomplete |= !isnan(o->touch[p]);
    const char *open[] = {o->gait.period_slow > 0 ? NULL : "its period", o->has_order ? NULL : "the order of its feet",
                          (incomplete || !o->has_order) && !(o->duty > 0) ? "how long they stand" : NULL};
    const char *between = " leaves open: ";
    printf("  %s", o->gait.name);
    for (size_t k = 0; k < sizeof open / sizeof *open; k++)
      if (open[k])
        printf("%s%s", between, open[k]), between = ", ";
    printf(*between == ',' ? "\n" : " leaves open: when heel and toe touch\n");
  }
  if (c->n_open)
    putchar('\n');
}

static void print_gaits(const struct creature *c)
{
  print_open_gaits(c);
  if (!c->n_gaits)
    return;
  int w = column_width("gait", c->n_gaits, gait_name, c);
  printf("  %-*s  %13s  %13s  %13s  %s\n", w, "gait", "period s", "speed m/s", "v/sqrt(gL)", "duty factor");
  for (int i = 0; i < c->n_gaits; i++) {
    const struct gait *g = &c->gaits[i];
    double unit = sqrt(CREATURE_GRAVITY * c->height);
    printf("  %-*s  %6.3g-%-6.3g  %6.3g-%-6.3g  %6.2g-%-6.2g  ", w, g->name, g->period_slow, g->period_fast,
           g->speed_min,
           g->speed_max, g->speed_min / unit, g->speed_max / unit);
    print_duties(c, g);
    putchar('\n');
  }
  putchar('\n');
}

/* ---- limbs that meet ---- */

static const char *const why_words[] = {"apart at rest", "must clear", "neighbours", "touch at rest", "may overlap"};

static void print_pairs(const struct creature *c)
{
  int w = column_width("limb", c->n_limbs, limb_name, c), neighbours = 0;
  for (int i = 0; i < c->n_exempt; i++)
    neighbours += c->exempt[i].why == PAIR_NEIGHBOURS;
  printf("  %d pairs of limbs keep apart; %d pairs of neighbours need not", c->n_pairs, neighbours);
  printf(c->n_exempt > neighbours ? ", nor these:\n" : "\n");
  for (int i = 0; i < c->n_exempt; i++) {
    const struct limb_pair *p = &c->exempt[i];
    if (p->why != PAIR_NEIGHBOURS && p->mirror >= i)
      printf("  %-*s  %-*s  %-13s  gap at rest %.2g m\n", w, c->limbs[p->a].name, w, c->limbs[p->b].name,
             why_words[p->why], p->rest_gap);
  }
  putchar('\n');
}

static void write_pairs(struct json *j, const struct creature *c, const char *key, int n, const struct limb_pair *pairs)
{
  json_break(j);
  json_array(j, key);
  for (int i = 0; i < n; i++) {
    json_break(j);
    json_object(j, NULL);
    json_text(j, "a", c->limbs[pairs[i].a].name);
    json_text(j, "b", c->limbs[pairs[i].b].name);
    json_text(j, "why", why_words[pairs[i].why]);
    json_number(j, "rest_gap", pairs[i].rest_gap, 17);
    json_end(j);
  }
  json_end(j);
}

static void write_creature(struct json *j, const struct creature *c)
{
  struct creature_asymmetry why;
  int symmetric = creature_is_symmetric(c, &why);
  json_object(j, NULL);
  json_text(j, "name", c->name);
  json_text(j, "file", c->file);
  json_integer(j, "dofs", c->n_dofs);
  json_number(j, "mass", c->mass, 17);
  json_number(j, "height", c->height, 17);
  json_number(j, "friction", c->friction, 17);
  json_number(j, "frame_rate", c->frame_rate, 17);
  json_array(j, "styles");
  for (int i = 0; i < c->n_styles; i++)
    json_text(j, NULL, c->styles[i].name);
  json_end(j);
  json_truth(j, "symmetric", symmetric);
  if (!symmetric) {
    json_object(j, "asymmetry");
    json_text(j, "kind", why.kind);
    json_text(j, "part", why.part);
    json_text(j, "what", why.what);
    json_end(j);
  }
  json_break(j);
  json_array(j, "limbs");
  for (int i = 0; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    json_break(j);
    json_object(j, NULL);
    json_text(j, "name", l->name);
    json_integer(j, "parent", l->parent);
    json_text(j, "joint", joint_name(l));
    json_integer(j, "dofs", l->n_dofs);
    json_number(j, "mass", l->mass, 17);
    json_number(j, "length", limb_length(l), 17);
    json_end(j);
  }
  json_end(j);
  json_break(j);
  json_array(j, "contact_points");
  for (int i = 0; i < c->n_points; i++) {
    json_break(j);
    json_object(j, NULL);
    json_text(j, "name", c->points[i].name);
    json_integer(j, "limb", c->points[i].limb);
    json_number(j, "leg_length", c->feet[c->points[i].foot].leg_length, 17);
    json_end(j);
  }
  json_end(j);
  json_break(j);
  json_array(j, "gaits");
  for (int i = 0; i < c->n_gaits; i++) {
    const struct gait *g = &c->gaits[i];
    json_break(j);
    json_object(j, NULL);
    json_text(j, "name", g->name);
    json_numbers(j, "period", 2, (double[2]){g->period_slow, g->period_fast}, 17);
    json_numbers(j, "speed", 2, (double[2]){g->speed_min, g->speed_max}, 17);
    json_array(j, "duty");
    for (int p = 0; p < c->n_points; p++)
      json_number(j, NULL, gait_duty(g, p), 17);
    json_end(j);
    json_end(j);
  }
  json_end(j);
  write_pairs(j, c, "pairs", c->n_pairs, c->pairs);
  write_pairs(j, c, "exempt_pairs", c->n_exempt, c->exempt);
  json_end(j);
}

static void print_json(const struct creature *const *creatures, int n)
{
  struct json j = json_to(stdout);
  json_array(&j, NULL);
  for (int i = 0; i < n; i++) {
    json_break(&j);
    write_creature(&j, creatures[i]);
  }
  json_end(&j);
}

static void print_tables(const struct creature *const *creatures, int n)
{
  for (int i = 0; i < n; i++) {
    print_head(creatures[i]);
    print_limbs(creatures[i]);
    print_feet(creatures[i]);
    print_gaits(creatures[i]);
    print_pairs(creatures[i]);
  }
}

static int draw(const struct creature *const *creatures, int n, const struct check_options *o)
{
  struct diag d;
  diag_init(&d);
  canvas_wish(&(struct canvas_wish){.width = o->width, .height = o->height});
  if (n == 1)
    plot_creature_sheet(creatures[0], o->output, &d);
  else
    plot_zoo_sheet(n, creatures, o->output, &d);
  canvas_wish(NULL);
  if (cli_report(&d))
    return CLI_FAILED;
  if (!o->quiet && !o->json)
    printf("drew %s\n", o->output);
  return CLI_DONE;
}

static int check_files(struct arena *arena, int n, char **files, const struct check_options *o)
{
  const struct creature **creatures = ARENA_NEW(arena, (size_t)n, const struct creature *);
  struct diag d;
  int good = 0, errors = 0;
  diag_init(&d);
  for (int i = 0; i < n; i++) {
    const struct creature *c = cli_load_styled(arena, files[i], &o->styles, &d);
    errors += cli_report(&d);
    if (c)
      creatures[good++] = c;
  }
  diag_clear(&d);
  if (!o->quiet)
    (o->json ? print_json : print_tables)(creatures, good);
  if (errors || good < n) {
    if (o->output)
      fprintf(stderr, "muybridge check: nothing drawn because of the errors above\n");
    return CLI_WRONG_INPUT;
  }
  int status = o->output ? draw(creatures, n, o) : CLI_DONE;
  return status ? status : cli_finish_output("check");
}

static int read_size(char *text, void *options)
{
  struct check_options *o = options;
  return drawing_size("check", text, (int)CANVAS_MAX, &o->width, &o->height);
}

static const struct cli_option check_options[] = {
    CLI_TEXT("output", 'o', check_options, output), CLI_READ("size", 's', read_size),
    CLI_FLAG("quiet", 'q', check_options, quiet), CLI_FLAG("json", 0, check_options, json), CLI_STYLE,
    CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"check", usage, "wrong option", check_options};

int cli_check(int argc, char **argv)
{
  struct check_options o = {0};
  struct cli_line *line;
  struct arena *arena = arena_new();
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  o.styles = cli_line_styles(arena, line);
  if (status == CLI_DONE && line->n_operands == 0)
    status = cli_usage_error("check", "name at least one creature file");
  else if (status == CLI_DONE)
    status = check_files(arena, line->n_operands, line->operands, &o);
  arena_free(arena);
  return cli_exit_status(&syntax, status);
}
