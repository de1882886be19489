/* From nothing to a controller that stands pushes: loads a creature, solves a gait, verifies it, builds a controller,
 * plays it, learns feedback for a simulated body, and pushes that. With the installed library:
 *
 *     cc walk.c $(pkg-config --cflags --libs muybridge) -o walk && ./walk biped walk direction biped.muy */
#include <muybridge.h>
#include <stdio.h>

static int show(void *user, const muy_progress *p)
{
  (void)user;
  fprintf(stderr, "\r  %s: %d of %d, %.4g   ", p->what, p->done, p->total, p->value);
  return 1; /* 0 would stop it */
}

int main(int argc, char **argv)
{
  muy_messages *why = muy_messages_new();
  muy_creature *creature = NULL;
  muy_clip *gait = NULL, *played = NULL;
  muy_run *run = NULL;
  muy_synthesis_options synthesis;
  muy_trial_options trial;
  muy_trials pushes = {0, 0, 0, 0, 0};
  double cost = 0;
  if (argc != 5) return fprintf(stderr, "usage: walk CREATURE GAIT TASK RUN.muy\n"), 2;

  muy_synthesis_defaults(&synthesis, sizeof synthesis);
  synthesis.clips = 5;
  synthesis.progress = show;
  muy_trial_defaults(&trial, sizeof trial);
  trial.trials = 4;
  trial.push = 0.2; /* body weights, for 0.1 s */

  muy_status status = muy_creature_load(argv[1], why, &creature);
  if (status == MUY_OK) status = muy_solve_gait(creature, argv[2], NULL, why, &gait);
  if (status == MUY_OK) status = muy_clip_verify(gait, NULL, 0, NULL);
  if (status == MUY_OK) status = muy_run_create(argv[4], creature, why, &run);
  if (status == MUY_OK) status = muy_run_synthesize(run, argv[3], &synthesis, why);
  if (status == MUY_OK) status = muy_run_play(run, NULL, why, &played, &cost);
  if (status == MUY_OK) status = muy_clip_verify(played, NULL, 0, NULL);
  if (status == MUY_OK) status = muy_run_learn(run, NULL, why);
  if (status == MUY_OK) status = muy_run_try(run, &trial, why, &pushes, sizeof pushes);
  if (status == MUY_OK)
    printf("%s: played %d frames at a cost of %.3f each; %d of %d pushes stood\n", muy_creature_name(creature),
           muy_clip_n_frames(played), cost, pushes.up, pushes.n);
  fprintf(stderr, "\n%s", muy_messages_text(why));
  muy_clip_free(gait);
  muy_clip_free(played);
  muy_run_free(run);
  muy_creature_free(creature);
  muy_messages_free(why);
  return status;
}
