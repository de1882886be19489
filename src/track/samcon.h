/* What plain and improved sampling share: saved states, and windows sampled from them. Inside of src/track only. */
#ifndef MUYBRIDGE_TRACK_SAMCON_H
#define MUYBRIDGE_TRACK_SAMCON_H

#include "track/track.h"

struct node {                   /* a saved sample */
  int parent;                   /* of the window before                          */
  double path_cost;             /* sum of costs from the start                   */
  double cost;                  /* of its window                                 */
  double *u, *x;                /* offsets that led here; errors here            */
  double *drawn;                /* u less what the feedback said                 */
  void *state;
};

struct level { int n; struct node *nodes; };

/* The start as the only saved one. */
struct level samcon_first(struct tracking *t);

/* Which samples are drawn from each saved state. */
struct round {
  uint64_t number;              /* no two of one window have the same            */
  int samples;
  int with_mean;                /* the first from each state is the mean itself  */
  double wider;                 /* times the usual spread                        */
  const double *mean, *lower;   /* instead of that: a distribution, the mean beside what the feedback says; or NULL */
};

struct gathering {              /* samples of a window from all saved states */
  int n, room;
  struct batch_sample *samples;
  int *parent;
  double *cost;                 /* infinite: lost                                */
  double value;                 /* of the feedback: the least so far             */
};
void samcon_gathering(struct arena *scratch, int room, struct gathering *g);

/* Draws and simulates samples of a window, adding them to g; 0 after an error. */
int samcon_sample(struct tracking *t, struct arena *scratch, int w, const struct level *from,
                  const struct round *round, struct gathering *g);

/* Makes saved ones of some samples. */
struct level samcon_save(struct tracking *t, int w, const struct level *from, const struct gathering *g, int n,
                         const int *chosen);

/* The cheapest path back from the last level that was reached: offsets, n_windows and windows' best of the result. */
void samcon_path(struct tracking *t, const struct level *levels, int last);

#endif
