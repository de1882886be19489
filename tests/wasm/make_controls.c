/* make_controls FILE: solves the biped's walk and a turn out of it, learns policies for them, and writes all of it as
 * bytes: what walk_core.c, built for this machine and for WebAssembly, is given. */
#include <stdio.h>

#include "control/lqr_teacher.h"
#include "control/record.h"
#include "follow/walk.h"

static void put_controls(struct bytes_writer *w, const void *what)
{
  controls_put(w, what);
}

static const struct controls *learn(struct arena *arena, struct diag *d)
{
  struct walk walk;
  if (!walk_make(arena, 1, &walk))
    return NULL;
  walk.in.n_clips = 2;
  const struct motion_graph *motion = graph_new(arena, &walk.in, d);
  const struct control_graph *graph = motion ? control_graph_new(arena, motion, 0, d) : NULL;
  if (!graph)
    return NULL;
  struct lqr_teacher_options o;
  lqr_teacher_defaults(walk.creature, &o);
  const struct lqr_teacher *t = lqr_teacher_learn(arena, graph, &o, d);
  struct controls *c = controls_new(arena, graph);
  c->gains = t ? t->gains : NULL;
  return t ? c : NULL;
}

int main(int argc, char **argv)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct controls *c = argc == 2 ? learn(arena, &d) : NULL;
  size_t n = 0;
  const void *bytes = c ? bytes_pack(arena, put_controls, c, &n) : NULL;
  FILE *out = bytes ? fopen(argv[1], "wb") : NULL;
  int good = out && fwrite(bytes, 1, n, out) == n;
  if (out && fclose(out))
    good = 0;
  if (!good)
    fprintf(stderr, "make_controls: no bytes were written\n%s", diag_text(&d));
  diag_clear(&d);
  arena_free(arena);
  return good ? 0 : 1;
}
