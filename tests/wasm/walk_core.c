/* walk_core CONTROLS CREATURE: what the portable core does, in numbers to compare between machines.
 *
 * Reads a creature's text, and a control graph with its creature, clips and policies as bytes; walks the graph for some
 * seconds in the tree engine, pushed once hard enough that it looks ahead; prints numbers of the creature and the pose
 * at the start of every fragment, to the last digit. Built natively and for wasm32-wasi; make wasm compares. */
#include <stdio.h>
#include <stdlib.h>

#include "control/record.h"
#include "control/runner.h"
#include "physics/world.h"

#define SECONDS    8.0
#define PUSH_AT    2.0
#define PUSH_FOR   0.1
#define PUSH_SIZE  0.35          /* body weights, to the left */
#define MOST_BYTES (16u << 20)

static int fail(const char *what, const struct diag *d)
{
  char *text = diag_text(d);
  fprintf(stderr, "walk_core: %s\n%s", what, text);
  free(text);
  return 1;
}

/* Some of what the text says, and what was derived from it. */
static int print_creature(struct arena *arena, const char *path, struct diag *d)
{
  const struct creature *c = creature_load(arena, path, d);
  if (!c)
    return 0;
  printf("creature %d dofs %d limbs mass %.17g height %.17g\n", c->n_dofs, c->n_limbs, c->mass, c->height);
  for (int i = 0; i < c->n_dofs; i++)
    printf("dof %.17g %.17g %.17g %.17g\n", c->dofs[i].lower, c->dofs[i].rest, c->dofs[i].moment2[0],
           c->dofs[i].servo_kp);
  return 1;
}

static struct controls *read_controls(struct arena *arena, const char *path, struct diag *d)
{
  unsigned char *bytes = malloc(MOST_BYTES);
  FILE *in = bytes ? fopen(path, "rb") : NULL;
  size_t n = in ? fread(bytes, 1, MOST_BYTES, in) : 0;
  struct bytes_reader b = {.at = bytes, .left = n, .arena = arena};
  struct controls *c = controls_get(&b, d);
  if (in)
    fclose(in);
  free(bytes);
  return c && b.left == 0 ? c : NULL;
}

static int walk(struct arena *arena, const struct controls *c, struct diag *d)
{
  const struct creature *k = c->graph->creature;
  struct runner_options o;
  double q[k->n_dofs], push[3] = {0, PUSH_SIZE * k->mass * CREATURE_GRAVITY, 0};
  int pushed = 0;
  runner_defaults(k, &o);
  o.world.engine = WORLD_TREE;
  struct runner *r = runner_new(arena, c, &o, d);
  if (!r)
    return 0;
  runner_start(r, 0, 0, 0, 0, NULL);
  while (r->time < SECONDS && r->state == RUNNER_UP) {
    if (!pushed && r->time >= PUSH_AT)
      pushed = world_push(r->body->world, 0, push, PUSH_FOR);
    world_get(r->body->world, q, NULL);
    printf("pose %.17g", r->time);
    for (int i = 0; i < k->n_dofs; i++)
      printf(" %.17g", q[i]);
    printf("\n");
    runner_go(r);
  }
  printf("end %s after %ld fragments, looked ahead %ld times\n", r->state == RUNNER_UP ? "up" : "fallen", r->fragments,
         r->looks);
  runner_free(r);
  return 1;
}

int main(int argc, char **argv)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  if (argc != 3)
    return fail("usage: walk_core CONTROLS CREATURE", &d);
  if (!print_creature(arena, argv[2], &d))
    return fail("the creature cannot be read", &d);
  const struct controls *c = read_controls(arena, argv[1], &d);
  if (!c)
    return fail("the control graph cannot be read", &d);
  if (!walk(arena, c, &d))
    return fail("no world", &d);
  arena_free(arena);
  return 0;
}
