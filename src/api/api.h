/* What the files of this room share: the objects behind the opaque types, and how the library's ways of failing become
 * values. Not installed. */
#ifndef MUYBRIDGE_API_API_H
#define MUYBRIDGE_API_API_H

#include <stdatomic.h>
#include <stdio.h>

#include "api/muybridge.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/find.h"
#include "creature/creature.h"
#include "motion/clip.h"
#include "spacetime/spacetime.h"
#include "store/store.h"

struct muy_messages {
  struct diag diag;
  char *text;                   /* by muy_messages_text()                              */
};

struct muy_creature {
  atomic_int users;             /* who keep it alive                                   */
  struct arena *arena;
  const struct creature *c;
  const char *text;             /* NULL: it is the file c->file                        */
  size_t length;
};

struct muy_clip {
  struct arena *arena;
  muy_creature *creature;
  const struct clip *clip;
  const struct spacetime_report *report; /* NULL: not solved here                      */
  int id;                       /* in the run file that it comes from; 0: none         */
  int captured;
};

struct muy_run {
  struct arena *arena;
  const char *path;
  muy_creature *creature;
};

/* Diagnostics of one call: those of the caller's list, or some that nobody sees. */
struct api_diag { struct diag own, *d; };
struct diag *api_diag_open(struct api_diag *a, muy_messages *m);
void api_diag_close(struct api_diag *a);

/* An error about a file or "". Returns the status. */
muy_status api_fail(struct diag *d, muy_status status, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

muy_creature *api_creature_new(struct arena *arena, const struct creature *c, const char *text, size_t length);
muy_creature *api_creature_share(const muy_creature *c); /* one user more */
/* Takes the arena over. */
muy_clip *api_clip_new(struct arena *arena, const muy_creature *creature, const struct clip *clip);

/* Settings as the library knows them: its defaults, and over them what the caller's version of the struct has. */
void api_read_options(void *out, size_t known, const void *given); /* given begins with its size; NULL: nothing to do */
void api_set_defaults(void *out, size_t size, const void *defaults, size_t known);

/* Passes progress on; 0: stop. */
int api_progress(muy_progress_function *f, void *user, const char *what, int done, int total, double value);

/* The file that a name means: creatures, tasks, scripts. NULL after an error. */
const char *api_find(struct arena *arena, const char *name, enum find_kind kind, struct diag *d);

/* Writes a file that is there whole or not at all. */
muy_status api_write(struct arena *arena, const char *path, int (*write)(const void *what, FILE *out), const void *what,
                     struct diag *d);

/* Who writes to run files. */
struct store_session api_session(struct arena *arena);

#endif
