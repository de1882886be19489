/* What export writes that is more than a creature and its clips. */
#ifndef MUYBRIDGE_CLI_EXPORTING_H
#define MUYBRIDGE_CLI_EXPORTING_H

#include "cli/cli.h"

#define EXPORTING_POLICY "policy" /* what --to takes */
#define EXPORTING_POLICY_WHAT "a control graph and its policies as NumPy's arrays, to drive the creature elsewhere"

/* The newest control graph of a run file with full policies; output NULL: standard output. The exit status. */
int cli_export_policy(struct arena *arena, const char *run, const char *output);

#endif
