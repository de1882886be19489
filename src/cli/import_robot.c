/* See import_robot.h. */
#include "cli/import_robot.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "robots/robots.h"

static void print_report(const char *output, const struct robots_report *r, const struct creature *c)
{
  struct creature_asymmetry why;
  printf("%s: %d limbs (%d pairs), %d joints, %d feet, %.4g kg\n", r->format, r->n_limbs, r->n_pairs, r->n_axes,
         r->n_feet, r->mass);
  printf("rest pose %s, standing height %.3g m\n", r->rest, c->height);
  if (!creature_is_symmetric(c, &why))
    printf("not symmetric: %s '%s': %s; --symmetric makes it so\n", why.kind, why.part, why.what);
  if (r->gaits)
    printf("gaits to begin with: %s\n", r->gaits);
  else
    puts("no gait sections: muybridge gaits finds some");
  printf("wrote %s\n", output);
}

static int write_creature(struct arena *arena, const char *output, const char *text, const struct robots_report *report,
                          const struct import_robot_options *o, struct diag *d)
{
  int error = file_write_bytes(output, text, strlen(text));
  if (error) {
    diag_error(d, output, 0, "cannot be written: %s", strerror(error));
    return CLI_FAILED;
  }
  const struct creature *c = creature_parse(arena, output, text, strlen(text), d);
  if (c && !o->quiet)
    print_report(output, report, c);
  return c ? CLI_DONE : CLI_WRONG_INPUT;
}

int import_robot(struct arena *arena, const char *path, const char *output, const struct import_robot_options *o)
{
  struct robots_report report;
  struct diag d;
  int status = CLI_WRONG_INPUT;
  diag_init(&d);
  const struct robots_options options = {.symmetric = o->symmetric};
  const char *text = robots_creature(arena, path, &options, &report, &d);
  if (text && output)
    status = write_creature(arena, output, text, &report, o, &d);
  else if (text)
    status = fputs(text, stdout) < 0 ? CLI_FAILED : CLI_DONE;
  cli_report(&d);
  return status;
}
