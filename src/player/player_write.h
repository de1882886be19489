/* Writing controllers: from clips and values to the file that a player loads. For the workshop, not for the game.
 *
 * What is written is a struct muy_player_controller that the caller filled; n_cells, first_segment and memory are left
 * to muy_player_load(). What has been written has also been loaded once: a file that exists is a file that loads. */
#ifndef MUYBRIDGE_PLAYER_WRITE_H
#define MUYBRIDGE_PLAYER_WRITE_H

#include "muybridge-player.h"

/* Writes a new file and then puts it in the place of path: whoever reads sees the old one or the new one, never a half.
 * 0 after an error, which `why` tells in one line; the old file is still there then. */
int muy_player_write(const char *path, const struct muy_player_controller *c, char *why, size_t size);

/* The bytes of the file; the caller frees them. NULL after an error. */
unsigned char *muy_player_write_memory(const struct muy_player_controller *c, size_t *length, char *why, size_t size);

/* ---- laying pieces ---- */

struct muy_player_run { int clip, first, count; }; /* of a cyclic clip, count may be any number of cycles */

/* Lays runs of frames one after another: where a run ends, the pose of the next frame of its clip is put over the first
 * pose of the next run, so the clips must agree there. Runs over the end of a cyclic clip become several pieces.
 * heading: the reference heading in the first frame of the first run, and in the frame after the last run, each in its
 * clip's own frame; from them follows the segment's motion. Sets n_frames, n_pieces, pieces and motion of the segment.
 * Returns the number of pieces (if it is more than `room`, call again with more), or -1 for frames that there are not:
 * a clip that is not cyclic must have the frame after a run, too. */
int muy_player_lay(const struct muy_player_controller *c, const struct muy_player_run *runs, int n_runs,
                   const double heading[2], struct muy_player_piece *pieces, int room,
                   struct muy_player_segment *segment);

/* The largest jump that any order of segments can show: by how much [m], [rad] a dof where a piece goes on differs from
 * where the one before it would have. The segment before that joint is put into *segment. For a controller that could
 * be written; a NaN is larger than any number. */
double muy_player_gap(const struct muy_player_controller *c, int *segment);

#endif
