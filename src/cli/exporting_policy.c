/* muybridge export --to policy: a control graph for other programs. */
#include "cli/exporting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "control/learning.h"
#include "control/policy_arrays.h"
#include "control/record.h"

static int write_arrays(const void *what, FILE *out)
{
  return arrays_write(what, out);
}

/* The newest policies of a run file, on the graph that they were learned on; NULL after an error. */
static struct controls *load_controls(struct arena *arena, const char *run, struct diag *d)
{
  struct store_control kept;
  struct learning l;
  struct store *s = store_open(arena, run, STORE_READ, d);
  int found = s ? store_get_control(arena, s, NULL, &kept, d) : -1;
  store_close(s);
  if (found == 0)
    diag_error(d, run, 0, "it has no control graph; muybridge control %s learns one", run);
  if (found < 1 || !learning_open(arena, run, kept.skill, &l, d))
    return NULL;
  struct controls *c = controls_read(arena, l.graph, kept.bytes, kept.n_bytes, d);
  if (c && (c->kind != CONTROL_FULL || !c->gains)) {
    diag_error(d, run, 0, "its newest policies (teacher %s) are compact ones; export takes full ones: "
               "muybridge control %s --teacher lqr --again", kept.teacher, run);
    return NULL;
  }
  return c;
}

int cli_export_policy(struct arena *arena, const char *run, const char *output)
{
  struct diag d;
  int status = CLI_DONE;
  diag_init(&d);
  const struct controls *c = load_controls(arena, run, &d);
  struct arrays *a = arrays_new(arena);
  if (c)
    policy_arrays_add(a, arena, c);
  if (cli_report(&d) || !c)
    status = CLI_WRONG_INPUT;
  else if (output)
    status = cli_write("export", output, write_arrays, a) ? CLI_DONE : CLI_FAILED;
  else if (arrays_write(a, stdout)) {
    fprintf(stderr, "muybridge export: cannot write standard output: %s\n", strerror(errno));
    status = CLI_FAILED;
  }
  diag_clear(&d);
  return status;
}
