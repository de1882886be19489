/* Files that a person edits: tells when what is in them has changed, whichever way an editor saves (in place, or as a
 * new file that gets the name). A file that is only touched, or saved as it was, has not. */
#ifndef MUYBRIDGE_SERVE_CHANGES_H
#define MUYBRIDGE_SERVE_CHANGES_H

#include "base/diag.h"

struct changes;

/* NULL after an error. */
struct changes *changes_open(struct diag *d);
void changes_close(struct changes *c); /* NULL is fine */

/* To be polled: can be read when there is something to look at. */
int changes_fd(const struct changes *c);

/* Looks out for these files too, from what is in them now; those that are known keep what was last seen of them. A
 * file need not be there. */
void changes_add(struct changes *c, int n, const char *const *files);

/* 1: a file has another content than when it was last looked at. To be called when the descriptor can be read, and now
 * and then where changes_must_poll(). */
int changes_look(struct changes *c);

/* 1: the system does not tell of all of them (too many are watched, a file system that does not). */
int changes_must_poll(const struct changes *c);

#endif
