/* Recorded performances of a run file, whatever way they came about: what play, film and plot share. */
#ifndef MUYBRIDGE_CLI_PERFORMING_H
#define MUYBRIDGE_CLI_PERFORMING_H

#include "modal/record.h"

struct performing {
  const struct creature *creature;
  struct store_performance kept; /* words and numbers                     */
  struct recording *recording;
  struct modal_kept modal;       /* of SERIES_MODAL                       */
};

/* From an open run file; number 0 stands for the newest of the series. 0 after an error. */
int performing_load(struct arena *arena, struct store *s, enum store_series series, int number, struct performing *out,
                    struct diag *d);

/* The same from a run file by name. */
int performing_open(struct arena *arena, const char *run, enum store_series series, int number, struct performing *out,
                    struct diag *d);

/* Does it again; the recording's motion becomes what came of it. The largest difference to what was kept [L], [rad]: 0:
 * the same, to the last bit; NaN after an error. */
double performing_replay(struct arena *arena, struct performing *p, struct diag *d);

#endif
