/* A creature as bytes, for other processes and other machines: what was read from its file, number for number, so that
 * they need neither the file nor what it includes. Field by field, little-endian: the bytes are the same wherever they
 * are written, and programs of 32 and 64 bits read them alike. */
#ifndef MUYBRIDGE_CREATURE_BYTES_H
#define MUYBRIDGE_CREATURE_BYTES_H

#include "base/bytes.h"
#include "creature/creature.h"

void creature_put(struct bytes_writer *w, const struct creature *c);

/* NULL, and r->bad, if these are not bytes of a creature. */
const struct creature *creature_get(struct bytes_reader *r);

/* A gait of such a creature alone; its style does not go along. Damaged: r->bad. */
void creature_put_gait(struct bytes_writer *w, const struct creature *c, const struct gait *g);
void creature_get_gait(struct bytes_reader *r, const struct creature *c, struct gait *g);

#endif
