/* Private to src/samcon. What plain and improved sampling share: saved states, and windows sampled from them. */
#ifndef MUYBRIDGE_SAMCON_SAMCON_H
#define MUYBRIDGE_SAMCON_SAMCON_H

#include "samcon/track.h"

struct node {                   /* a saved sample */
  int parent;                   /* of the window before                          */
  double path_cost;             /* sum of costs from the start                   */
  double cost;                  /* of its window                                 */
  double *u, *x;                /* offsets that led here; errors here            */
  double *drawn;                /* u less what the feedback said                 */
  void *state;
};

struct level {
  int n;
  struct node *nodes;
  int from_surrogate;           /* 1: states are those of the surrogate, or missing  */
};

/* The start as the only saved one. */
struct level samcon_first(struct tracking *t);

/* Which samples are drawn from each saved state. */
struct round {
  uint64_t number;              /* no two of one window have the same            */
  int samples;
  int with_mean;                /* the first from each state is the mean itself  */
  double wider;                 /* times the usual spread                        */
  int surrogate;                /* by the surrogate                                  */
  int stateless;                /* states at the end are not wanted              */
  const double *mean, *lower;   /* instead of that: a distribution, the mean beside what the feedback says; or NULL */
};

struct gathering {              /* samples of a window from all saved states */
  int n, room;
  struct batch_sample *samples;
  int *parent;
  double *cost;                 /* infinite: lost                                */
  double value;                 /* of the feedback: the least so far             */
  int from_surrogate;           /* samples are the surrogate's                       */
};
void samcon_gathering(struct arena *scratch, int room, struct gathering *g);

/* Draws and simulates samples of a window, adding them to g; 0 after an error. */
int samcon_sample(struct tracking *t, struct arena *scratch, int w, const struct level *from,
                  const struct round *round, struct gathering *g);

/* Makes saved ones of some samples. */
struct level samcon_save(struct tracking *t, int w, const struct level *from, const struct gathering *g, int n,
                         const int *chosen);

/* May windows first .. until - 1 be sampled in the surrogate simulator? */
int samcon_may_use_surrogate(const struct tracking *t, int first, int until);

/* Simulates saved ones of the surrogate simulator in the world of record, from the saved ones before them, which are
 * such: costs, errors and states become the world's, and those that are lost there are left out. 0 after an error. */
int samcon_confirm(struct tracking *t, int w, const struct level *from, struct level *level);

/* Records in the result what was saved of a window: for figures. */
void samcon_note(struct tracking *t, int w, const struct level *level);

/* The cheapest path back from the last level that was reached: offsets, n_windows and windows' best of the result. */
void samcon_path(struct tracking *t, const struct level *levels, int last);

#endif
