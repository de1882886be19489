/* Stands for farm_mpi.c in a program that was built without MPI: it is always alone. */
#include "farm/room.h"

void farm_start(int *argc, char ***argv) { (void)argc, (void)argv; }
void farm_stop(void) {}
int farm_rank(void) { return 0; }
int farm_ranks(void) { return 1; }
void farm_serve(const struct farm_options *services, int n) { (void)services, (void)n; }

static int alone_open(struct farm *f, struct arena *arena, struct diag *d)
{
  (void)f, (void)arena;
  diag_error(d, "farm", 0, "this program was built without MPI");
  return 0;
}

const struct farm_ways farm_mpi_ways = {.open = alone_open};
