/* Policies and values of a control graph as bytes, and back: what the run file keeps. Little-endian on every
 * machine. */
#ifndef MUYBRIDGE_CONTROL_RECORD_H
#define MUYBRIDGE_CONTROL_RECORD_H

#include "base/bytes.h"
#include "control/controls.h"

/* In the arena; *n bytes. */
const void *controls_write(struct arena *arena, const struct controls *c, size_t *n);

/* In the short form, an eighth as long or so: short_gains.h; of fragments that are mirror images of each other, one.
 * For pages, which have to be loaded. */
const void *controls_write_short(struct arena *arena, const struct controls *c, size_t *n);

/* The same for the graph that they were learned on, from either form. NULL after an error: bytes that are damaged, or
 * of other clips. */
struct controls *controls_read(struct arena *arena, const struct control_graph *g, const void *bytes, size_t n,
                               struct diag *d);

/* The same with all that they need: creature, clips, step of the world, policies. What is read runs in a program that
 * has neither the run file nor the creature's text. NULL after an error; there may be no message: b->bad. */
void controls_put(struct bytes_writer *w, const struct controls *c);
struct controls *controls_get(struct bytes_reader *b, struct diag *d);

#endif
