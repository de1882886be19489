/* The command track --method modal: options of its own, so a parser of its own. */
#ifndef MUYBRIDGE_CLI_MODAL_H
#define MUYBRIDGE_CLI_MODAL_H

/* Does a command line of track ask for modal control? Then cli_modal() is its command. */
int cli_modal_wanted(int argc, char **argv);
int cli_modal(int argc, char **argv);

#endif
