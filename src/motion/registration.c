/* Timewarp curves by dynamic programming, alignment along them, contacts that belong together. */
#include "motion/registration.h"

#include <math.h>
#include <string.h>

#include "motion/ground.h"

/* Standing heights by which the frames of a blend are off, in the mean: by a share of the distance of what is blended
 * (the mean of the smaller weight), and when time runs differently (measured on the biped's walk). */
#define BLEND_PRICE 0.19
#define TEMPO_PRICE 0.12 /* per logarithm of the tempo */

#define STRAIGHT 0.05 /* share of the straight line in the curve, so that it never stands still */

/* A cell of the table is reached by a step in both motions (state 0), or by the 1st .. RUNth step in a row in the
 * first alone, or in the second alone. */
enum { BOTH = 0, FIRST = 1, SECOND = 1 + REGISTRATION_RUN, STATES = 1 + 2 * REGISTRATION_RUN };

struct table {
  int na, nb;
  double *distance;             /*                 (na x nb)          */
  double *cost;                 /* of the best way (na x nb x STATES) */
  signed char *from;            /* state before    (na x nb x STATES) */
};

static size_t registration_cell(const struct table *t, int i, int j)
{
  return (size_t)i * (size_t)t->nb + (size_t)j;
}

static struct table registration_new_table(struct arena *arena, const struct registration_input *in)
{
  struct table t = {.na = in->a->n_frames, .nb = in->b->n_frames};
  size_t cells = (size_t)t.na * (size_t)t.nb;
  t.distance = ARENA_NEW(arena, cells, double);
  t.cost = ARENA_NEW(arena, cells * STATES, double);
  t.from = ARENA_NEW(arena, cells * STATES, signed char);
  for (int i = 0; i < t.na; i++)
    for (int j = 0; j < t.nb; j++)
      t.distance[registration_cell(&t, i, j)] = cloud_distance(in->space, in->clouds_a, i, in->clouds_b, j);
  return t;
}

/* The cheapest state of a cell, without those from `but` to `until`; -1 if there is no cell or no way to it. */
static int registration_cheapest_but(const struct table *t, int i, int j, int but, int until)
{
  int best = -1;
  if (i < 0 || j < 0)
    return -1;
  const double *cost = t->cost + STATES * registration_cell(t, i, j);
  for (int s = 0; s < STATES; s++)
    if ((s < but || s >= until) && cost[s] < (best < 0 ? INFINITY : cost[best]))
      best = s;
  return best;
}

static int registration_cheapest(const struct table *t, int i, int j)
{
  return registration_cheapest_but(t, i, j, STATES, STATES);
}

/* A step into cell (i, j) from a cell in whichever state may take it. */
static void registration_reach(struct table *t, int i, int j, int state, int from_state, double step)
{
  int pi = i - (state < SECOND), pj = j - (state == BOTH || state >= SECOND);
  if (pi < 0 || pj < 0 || from_state < 0)
    return;
  double cost = t->cost[STATES * registration_cell(t, pi, pj) + (size_t)from_state] +
                step * t->distance[registration_cell(t, i, j)];
  size_t at = STATES * registration_cell(t, i, j) + (size_t)state;
  if (cost < t->cost[at]) {
    t->cost[at] = cost;
    t->from[at] = (signed char)from_state;
  }
}

/* All ways from (0, start). A step in both motions is two steps long. The first step of a run comes from any state but
 * a run of the same kind. */
static void registration_fill_table(struct table *t, int start)
{
  size_t all = (size_t)t->na * (size_t)t->nb * STATES;
  for (size_t i = 0; i < all; i++)
    t->cost[i] = INFINITY, t->from[i] = -1;
  t->cost[STATES * registration_cell(t, 0, start)] = 0;
  for (int i = 0; i < t->na; i++)
    for (int j = start; j < t->nb; j++) {
      registration_reach(t, i, j, BOTH, registration_cheapest(t, i - 1, j - 1), 2);
      registration_reach(t, i, j, FIRST, registration_cheapest_but(t, i - 1, j, FIRST, SECOND), 1);
      registration_reach(t, i, j, SECOND, registration_cheapest_but(t, i, j - 1, SECOND, STATES), 1);
      for (int run = 1; run < REGISTRATION_RUN; run++) {
        registration_reach(t, i, j, FIRST + run, FIRST + run - 1, 1);
        registration_reach(t, i, j, SECOND + run, SECOND + run - 1, 1);
      }
    }
}

struct ends { int start, end; double mean, price; }; /* first frame of b, last frame of a, mean distance */

/* What a blend of the wanted length along a curve of some length is off by. */
static double registration_price_of(const struct registration_input *in, double mean, double length)
{
  return BLEND_PRICE * mean + (in->frames > 1 ? TEMPO_PRICE * fabs(log(length / (in->frames - 1))) : 0);
}

/* Tries a start with all ends. */
static void registration_try_start(struct table *t, const struct registration_input *in, int start, struct ends *best)
{
  int free_a = in->free_a < t->na - 4 ? in->free_a : t->na - 4, last = t->nb - 1;
  registration_fill_table(t, start);
  for (int end = t->na - 1 - free_a; end < t->na; end++) {
    int s = registration_cheapest(t, end, last);
    double steps = end + last - start,
           cost = s < 0 ? INFINITY : t->cost[STATES * registration_cell(t, end, last) + (size_t)s];
    double mean = cost / steps;
    double price = registration_price_of(in, mean, 0.5 * steps);
    if (price < best->price)
      *best = (struct ends){start, end, mean, price};
  }
}

/* The best ends: about eight starts, then those around the best. */
static struct ends registration_find_ends(struct table *t, const struct registration_input *in)
{
  struct ends best = {0, -1, INFINITY, INFINITY};
  int free_b = in->free_b < t->nb - 4 ? in->free_b : t->nb - 4, stride = 1 + free_b / 8;
  for (int start = 0; start <= free_b; start += stride)
    registration_try_start(t, in, start, &best);
  while ((stride /= 2) >= 1) {
    int centre = best.start;
    for (int start = centre - stride; start <= centre + stride; start += 2 * stride)
      if (start >= 0 && start <= free_b)
        registration_try_start(t, in, start, &best);
  }
  return best;
}

/* Frames along the curve, from its end; returns how many there are. */
static int registration_trace_back(const struct table *t, struct ends ends, int *i_of, int *j_of)
{
  int i = ends.end, j = t->nb - 1, state = registration_cheapest(t, i, j), n = 0;
  for (;; n++) {
    i_of[n] = i, j_of[n] = j;
    int before = t->from[STATES * registration_cell(t, i, j) + (size_t)state];
    if (before < 0)
      return n + 1;
    i -= state < SECOND;
    j -= state == BOTH || state >= SECOND;
    state = before;
  }
}

/* A moving average that shrinks towards the ends: they stay, and what grows still grows. */
static void registration_smooth(int n, const double *in, double *out)
{
  for (int k = 0; k < n; k++) {
    int half = REGISTRATION_RUN, left = k, right = n - 1 - k;
    half = half < left ? half : left;
    half = half < right ? half : right;
    out[k] = 0;
    for (int i = k - half; i <= k + half; i++)
      out[k] += in[i] / (2 * half + 1);
  }
}

static void registration_smooth_times(struct arena *arena, int n, const int *frame, double *out)
{
  double *raw = ARENA_NEW(arena, (size_t)n, double);
  for (int k = 0; k < n; k++)
    raw[k] = frame[n - 1 - k];
  registration_smooth(n, raw, out);
  for (int k = 0; k < n; k++)
    out[k] = k == n - 1 ? raw[k] : (1 - STRAIGHT) * out[k] + STRAIGHT * (raw[0] + (raw[n - 1] - raw[0]) * k / (n - 1));
}

/* The first motion's ground frame in that of the second, along the curve. */
static void registration_align(struct arena *arena, const struct registration_input *in, const int *i_of,
                               const int *j_of, struct registration *r)
{
  int n = r->n;
  double *raw = ARENA_NEW(arena, 6 * (size_t)n, double), *out = raw + 3 * n;
  for (int k = 0; k < n; k++) {
    int i = i_of[n - 1 - k], j = j_of[n - 1 - k];
    struct clip_advance align_b = cloud_alignment(in->clouds_a, i, in->clouds_b, j);
    struct clip_advance there = ground_after(ground_inverse(align_b), path_ground(in->a, i));
    struct clip_advance rel = ground_after(ground_inverse(path_ground(in->b, j)), there);
    raw[k] = rel.x, raw[n + k] = rel.y;
    raw[2 * n + k] = k ? raw[2 * n + k - 1] + ground_wrap(rel.yaw - raw[2 * n + k - 1]) : ground_wrap(rel.yaw);
  }
  for (int part = 0; part < 3; part++)
    registration_smooth(n, raw + part * n, out + part * n);
  for (int k = 0; k < n; k++)
    r->beside[k] = (struct clip_advance){out[k], out[n + k], out[2 * n + k]};
}

static int registration_is_possible(const struct path *p)
{
  return p->n_frames >= 4 && p->n_frames <= REGISTRATION_LONGEST;
}

struct registration *registration_new(struct arena *arena, const struct registration_input *in)
{
  if (!registration_is_possible(in->a) || !registration_is_possible(in->b))
    return NULL;
  struct arena *scratch = arena_new();
  struct table t = registration_new_table(scratch, in);
  struct ends ends = registration_find_ends(&t, in);
  struct registration *r = NULL;
  if (ends.end >= 0) {
    size_t most = (size_t)(t.na + t.nb);
    int *i_of = ARENA_NEW(scratch, most, int), *j_of = ARENA_NEW(scratch, most, int);
    registration_fill_table(&t, ends.start);
    int n = registration_trace_back(&t, ends, i_of, j_of);
    r = ARENA_NEW(arena, 1, struct registration);
    *r = (struct registration){.n = n, .cost = ends.mean};
    r->a = ARENA_NEW(arena, (size_t)n, double);
    r->b = ARENA_NEW(arena, (size_t)n, double);
    r->beside = ARENA_NEW(arena, (size_t)n, struct clip_advance);
    registration_smooth_times(scratch, n, i_of, r->a);
    registration_smooth_times(scratch, n, j_of, r->b);
    registration_align(scratch, in, i_of, j_of, r);
  }
  arena_free(scratch);
  return r;
}

/* ---- contacts ---- */

/* Where along the curve a motion's time is. */
static double registration_place_on_curve(int n, const double *time, double t)
{
  int k = 0;
  while (k + 2 < n && time[k + 1] <= t)
    k++;
  return k + (t - time[k]) / (time[k + 1] - time[k]);
}

/* Contacts of a point in one motion, as far as the curve uses it. */
static int registration_list_contacts(const struct path *p, int point, int n, const double *time, int room,
                                      struct registration_contact *out)
{
  int count = 0, first = (int)ceil(time[0]), last = (int)floor(time[n - 1]), on = 0;
  for (int k = first; k <= last; k++) {
    int now = p->contact[(size_t)k * (size_t)p->n_points + (size_t)point];
    if (now && !on && count < room)
      out[count++] = (struct registration_contact){
          k == first ? -INFINITY : registration_place_on_curve(n, time, k - 0.5), INFINITY};
    if (!now && on && count > 0)
      out[count - 1].off = registration_place_on_curve(n, time, k - 0.5);
    on = now;
  }
  return count;
}

static double registration_weight_at(const struct registration *r, const double *weight, double u)
{
  u = fmin(fmax(u, 0), r->n - 1);
  int k = (int)fmin(floor(u), r->n - 2);
  return weight[k] + (u - k) * (weight[k + 1] - weight[k]);
}

static double registration_overlap(const struct registration *r, struct registration_contact x,
                                   struct registration_contact y)
{
  return fmin(fmin(x.off, y.off), r->n - 1) - fmax(fmax(x.on, y.on), 0);
}

/* An end that two contacts share: between their own, nearer to that of the motion that counts more there. */
static double registration_shared_end(const struct registration *r, const double *weight, double x, double y)
{
  double w = registration_weight_at(r, weight, isfinite(x) && isfinite(y) ? 0.5 * (x + y) : isfinite(x) ? x : y);
  if (!isfinite(x) || !isfinite(y))
    return w < 0.5 ? x : y;
  return (1 - w) * x + w * y;
}

static double registration_middle(const struct registration *r, struct registration_contact x)
{
  return 0.5 * (fmax(x.on, 0) + fmin(x.off, r->n - 1));
}

enum { MOST_CONTACTS = 64 };

/* The contact of the second motion that overlaps one of the first most and is not taken; -1 if none does. */
static int registration_find_partner(const struct registration *r, struct registration_contact x, int n,
                                     const struct registration_contact *others, const int *taken)
{
  int best = -1;
  for (int j = 0; j < n; j++)
    if (!taken[j] && registration_overlap(r, x, others[j]) > (best < 0 ? 0 : registration_overlap(r, x, others[best])))
      best = j;
  return best;
}

int registration_contacts(const struct registration *r, const struct path *a, const struct path *b, int point,
                          const double *weight, int room, struct registration_contact *out)
{
  struct registration_contact of_a[MOST_CONTACTS], of_b[MOST_CONTACTS];
  int taken[MOST_CONTACTS] = {0}, count = 0;
  int na = registration_list_contacts(a, point, r->n, r->a, MOST_CONTACTS, of_a);
  int nb = registration_list_contacts(b, point, r->n, r->b, MOST_CONTACTS, of_b);
  for (int i = 0; i < na && count < room; i++) {
    int j = registration_find_partner(r, of_a[i], nb, of_b, taken);
    if (j >= 0) {
      taken[j] = 1;
      out[count++] = (struct registration_contact){registration_shared_end(r, weight, of_a[i].on, of_b[j].on),
                                                   registration_shared_end(r, weight, of_a[i].off, of_b[j].off)};
    } else if (registration_weight_at(r, weight, registration_middle(r, of_a[i])) < 0.5) {
      out[count++] = of_a[i];
    }
  }
  for (int j = 0; j < nb && count < room; j++)
    if (!taken[j] && registration_weight_at(r, weight, registration_middle(r, of_b[j])) >= 0.5)
      out[count++] = of_b[j];
  return count;
}
