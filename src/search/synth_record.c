/* A synthesis in the run file: begun, found again, and how it stands. See synth.h. */
#include "search/synth.h"

int synth_may_begin(struct arena *arena, struct store *store, const char *run, struct diag *d)
{
  struct store_synth told;
  int there = store_get_synth(arena, store, &told, d);
  if (there == 1)
    diag_error(d, run, 0, "there is a synthesis in this run file already; muybridge resume goes on with it");
  return there == 0;
}

int synth_begin(struct arena *arena, struct store *store, const char *run, const struct task *t, const char *task_path,
                const struct synth_options *o, struct diag *d)
{
  if (!synth_may_begin(arena, store, run, d))
    return 0;
  struct store_synth told = {.task = store_put_task(store, task_path, d), .seed = o->seed,
                             .strategy = choose_names[o->strategy], .branches = o->branches, .alpha = t->alpha,
                             .options = synth_options_text(arena, o), .state = "running"};
  return told.task && store_put_synth(store, &told, d);
}

int synth_recall(struct arena *arena, struct store *store, const char *run, struct synth_options *o, struct diag *d)
{
  struct store_synth told;
  int there = store_get_synth(arena, store, &told, d);
  if (there == 1 && !synth_options_read(told.options, o)) {
    diag_error(d, run, 0, "its synthesis was told '%s', which this version does not understand", told.options);
    there = -1;
  }
  if (there == 1)
    o->seed = told.seed;
  return there;
}

void synth_keep_state(struct arena *arena, struct store *store, const struct synth_options *o, const char *state)
{
  struct store_synth told;
  struct diag unheard; /* what goes wrong here was or will be told elsewhere */
  diag_init(&unheard);
  if (store_get_synth(arena, store, &told, &unheard) == 1) {
    told.options = synth_options_text(arena, o);
    told.state = state;
    store_put_synth(store, &told, &unheard);
  }
  diag_clear(&unheard);
}
