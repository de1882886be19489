/* Clips, and a creature with its clips, as bytes for other processes. */
#ifndef MUYBRIDGE_MOTION_BYTES_H
#define MUYBRIDGE_MOTION_BYTES_H

#include "base/bytes.h"
#include "motion/graph.h"

void clip_put(struct bytes_writer *w, const struct clip *c);   /* NULL is fine, and read as such              */
struct clip *clip_get(struct bytes_reader *r);                 /* NULL also when something is wrong: r->bad   */

/* Creature, file, clips with their numbers; without features. get: 0, and r->bad, if these are not such, or a clip is
 * none of the creature's. */
void graph_input_put(struct bytes_writer *w, const struct graph_input *in);
int graph_input_get(struct bytes_reader *r, struct graph_input *out);

#endif
