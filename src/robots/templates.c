/* Gaits to begin with, for robots with two or four legs: periods and speeds of the zoo's (biped, human, HyQ) scaled by
 * sqrt(L/g) and sqrt(g L), L the standing height. Whoever wants those that cost least asks `muybridge gaits`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robots/limbs.h"

#define GRAVITY 9.81            /* [m/s2] */

struct template { double period[2], speed[2]; }; /* in sqrt(L/g) and sqrt(g L), slow and fast */

static const struct template walk_of_two_flat = {{4.2, 3.2}, {0.15, 0.45}}; /* human */
static const struct template walk_of_two = {{3.3, 2.6}, {0.11, 0.43}};      /* biped */
static const struct template trot_of_four = {{2.9, 2.3}, {0.10, 0.55}};     /* HyQ, longer on the ground: 0.55 */
static const struct template walk_of_four = {{6.5, 4.9}, {0.04, 0.18}};     /* HyQ   */

static void put_gait(FILE *out, const struct limbs *k, const char *name, const struct template *t)
{
  double T = sqrt(k->height / GRAVITY), V = sqrt(k->height * GRAVITY);
  fprintf(out, "gait %-5s { period = {%.3g, %.3g}  speed = {%.2g, %.2g}\n ", name, t->period[0] * T, t->period[1] * T,
          t->speed[0] * V, t->speed[1] * V);
}

/* A foot that rolls from heel to toe does so. */
static void put_walk_of_two(FILE *out, const struct limb *l)
{
  for (int i = 0; i < l->n_points; i++) {
    const char *p = l->points[i].name;
    const char *on = !strncmp(p, "heel", 4) ? "0, 0.40" : !strncmp(p, "toe", 3) ? "0.08, 0.62" : "0, 0.6";
    if (l->n_points == 1)
      fprintf(out, " contact %s { on = {%s} }", l->name, on);
    else
      fprintf(out, " contact %s.%s { on = {%s} }", l->name, p, on);
  }
}

static double foot_ahead(const struct limbs *k, const struct limb *l)
{
  double x = 0;
  for (int i = (int)(l - k->limb); k->limb[i].parent >= 0; i = k->limb[i].parent)
    x = k->limb[i].place[0]; /* of the joint nearest to the body */
  return x;
}

const char *limbs_gaits(const struct limbs *k, const char **names)
{
  const struct limb *pair[3] = {0};
  char *text = NULL;
  size_t length = 0;
  int n = 0, single = 0;
  for (int i = 0; i < k->n; i++) {
    const struct limb *l = &k->limb[i];
    single += l->is_foot && (l->mirror < 0 || l->mirror == i);
    if (l->is_foot && l->left && n < 3)
      pair[n++] = l;
  }
  *names = NULL;
  if (single || n < 1 || n > 2 || !(k->height > 0))
    return NULL;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    arena_out_of_memory();
  if (n == 1) {
    put_gait(out, k, "walk", pair[0]->is_flat ? &walk_of_two_flat : &walk_of_two);
    put_walk_of_two(out, pair[0]);
    fputs(" }\n", out);
    *names = "walk";
  } else {
    int first = foot_ahead(k, pair[0]) > foot_ahead(k, pair[1]);
    const char *hind = pair[first]->name, *fore = pair[1 - first]->name;
    put_gait(out, k, "walk", &walk_of_four);
    fprintf(out, " contact %s { on = {0, 0.77} }  contact %s { on = {0.25, 0.02} } }\n", hind, fore);
    put_gait(out, k, "trot", &trot_of_four);
    fprintf(out, " contact %s { on = {0, 0.55} }  contact %s { on = {0.5, 0.05} } }\n", hind, fore);
    *names = "walk, trot";
  }
  fclose(out);
  const char *kept = arena_strdup(k->arena, text);
  free(text);
  return kept;
}
