/* What the commands that take motion files have in common: whose motion it is, the clip, what there is to say. */
#ifndef MUYBRIDGE_CLI_CAPTURING_H
#define MUYBRIDGE_CLI_CAPTURING_H

#include "capture/capture.h"
#include "store/store.h"

/* The creature of a name or file; without a name one of the actor's own size, whose text is given too. NULL after an
 * error. */
struct capturing_actor { const char *name, *file; double mass; }; /* file: what the one that is built is called */
const struct creature *capturing_creature(struct arena *arena, const struct bvh *bvh,
                                          const struct capturing_actor *actor, struct capture_options *o,
                                          const char **text, struct diag *d);

/* All of it for one file: a creature by name or, without one, of the actor's size. 0 after an error. */
struct capturing {
  const struct creature *creature;
  const char *text;             /* of the creature that was built; NULL: it was named */
  struct clip *clip;
  struct capture_report report;
};
int capturing_load(struct arena *arena, const char *path, const char *creature, struct capturing *out, struct diag *d);

/* How the motion came onto the creature, on standard output. */
void capturing_print(const struct creature *c, const struct clip *clip, const struct capture_report *r);

/* Keeps the clip in a run file; its number, 0 after an error. */
int capturing_keep(struct arena *arena, struct store *s, const struct creature *c, const struct clip *clip,
                   struct diag *d);

/* Does the name end in .bvh? */
int capturing_is_motion(const char *path);

#endif
