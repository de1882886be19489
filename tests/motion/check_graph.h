/* Graphs of clips that must do, and of clips that must not. For test programs: the counts of check.h are theirs. */
#ifndef MUYBRIDGE_TESTS_CHECK_GRAPH_H
#define MUYBRIDGE_TESTS_CHECK_GRAPH_H

#include <stdlib.h>

#include "check.h"
#include "motion/graph.h"

/* Ends the program when there is none. */
static inline struct motion_graph *new_graph(struct arena *arena, const struct creature *c,
                                             const struct graph_clip *clips, int n)
{
  struct diag d;
  diag_init(&d);
  struct graph_input in = {c, "run.muy", n, clips, 0, NULL};
  struct motion_graph *g = graph_new(arena, &in, &d);
  char *text = diag_text(&d);
  fputs(text, stderr);
  CHECK((g != NULL) == (d.n_errors == 0));
  free(text);
  diag_clear(&d);
  if (!g)
    exit(99);
  return g;
}

/* There is none, and this is what is said. */
static inline void expect_error(const struct creature *c, const struct graph_clip *clips, int n, const char *expected)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct graph_input in = {c, "run.muy", n, clips, 0, NULL};
  CHECK(graph_new(arena, &in, &d) == NULL);
  char *text = diag_text(&d);
  CHECK_STR(text, expected);
  free(text);
  diag_clear(&d);
  arena_free(arena);
}

#endif
