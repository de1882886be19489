/* Gaits as sections of a creature file, and a creature's text with other gaits than it had. */
#ifndef MUYBRIDGE_GAITS_SECTIONS_H
#define MUYBRIDGE_GAITS_SECTIONS_H

#include "base/arena.h"
#include "creature/creature.h"

/* "gait walk { ... }" with a line of comment before it (NULL: none). In the arena. Phases are printed to four digits:
 * read back, it is the same gait if its phases have no more. */
const char *sections_of_gait(struct arena *arena, const struct creature *c, const struct gait *g, const char *comment);

/* The text of a creature file with these gaits in place of its own. In the arena; NULL after an error. */
const char *sections_in_place(struct arena *arena, const char *file, const char *text, size_t length,
                              const char *sections, struct diag *d);

/* The text of a creature file without its sections `gait`, of which it need not have any, or without one of them
 * (`only`; NULL: all); comments stay. Includes are not looked into. In the arena. NULL after an error, which the parser
 * would have, too. */
const char *sections_without_gaits(struct arena *arena, const char *file, const char *text, size_t length,
                                   const char *only, struct diag *d);

#endif
