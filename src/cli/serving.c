/* What ranks of MPI other than the first do: serve the farms that the command opens at rank 0, each by the service that
 * it names. */
#include "cli/cli.h"
#include "cli/tracking.h"
#include "control/guided.h"
#include "control/lookahead_distillation.h"
#include "control/trials.h"
#include "gaits/job.h"
#include "search/job.h"
#include "follow/batches.h"

static void forget_creature(void *worker)
{
  job_worker_clear(worker);
}

void cli_serve(void)
{
  struct arena *arena = arena_new();
  const struct farm_options services[] = {
    {.service = "search", .user = ARENA_NEW(arena, 1, struct job_worker), .run = job_run, .prepare = job_prepare,
     .finish = forget_creature},
    {.service = "gaits", .user = ARENA_NEW(arena, 1, struct gaits_worker), .run = gaits_job_run,
     .prepare = gaits_job_prepare, .finish = gaits_worker_clear},
    batches_service(arena), track_trials_service(arena),
    control_jobs_service(arena, &guided_jobs), control_jobs_service(arena, &trials_jobs),
    control_jobs_service(arena, &lookahead_jobs)};
  farm_serve(services, (int)(sizeof services / sizeof *services));
  arena_free(arena);
}
