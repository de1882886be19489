/* What a person does with arms, trunk and head. */
#include <math.h>

#include "nature/curves.h"
#include "nature/measures.h"

static const char arms_prose[] =
    "\nCorrelations over the cycle of shoulder flexion, left against right, and of shoulder against hip flexion of\n"
    "the same side (right). Twist is the range of the chest's yaw less the pelvis' yaw, both in the world. Pitch of\n"
    "the head is that of its forward axis against the horizon: rms about its mean, and from lowest to highest.\n";

static const double arms_speeds[] = {0.6, 0.9, 1.3, 1.8};

static double *arms_difference(const struct motion *g, const double *a, const double *b)
{
  double *x = ARENA_NEW(g->arena, (size_t)g->n, double);
  for (int k = 0; k < g->n; k++)
    x[k] = a[k] - b[k];
  return x;
}

static double arms_travel(int n, const double *x)
{
  struct curve_range r = curve_range(n, x);
  return r.high - r.low;
}

static double arms_rms(int n, const double *x)
{
  double mean = curve_mean(n, x), sum = 0;
  for (int k = 0; k < n; k++)
    sum += (x[k] - mean) * (x[k] - mean);
  return sqrt(sum / n);
}

static void arms_at_speed(struct measures *m, double speed)
{
  const struct motion *g = measures_gait(m, "human", "walk", speed);
  if (!g)
    return;
  double *left = motion_angle(g, "left_upper_arm.flexion"), *right = motion_angle(g, "right_upper_arm.flexion");
  double *twist = arms_difference(g, motion_yaw(g, "chest"), motion_yaw(g, "pelvis"));
  struct table_bar bar = speed == 1.3 ? table_between(8, 20) : table_no_bar();
  table_number(&m->table, table_below(-0.85), curve_correlation(g->n, left, right), 3, "-0.93 to -0.99*",
               "left against right arm, walk at %.1f m/s", speed);
  table_number(&m->table, table_below(0), curve_correlation(g->n, right, motion_angle(g, "right_thigh.flexion")), 2,
               "negative*", "arm against the leg of the same side, walk at %.1f m/s", speed);
  table_number(&m->table, table_no_bar(), arms_travel(g->n, right), 0, "25 to 35*", "range of the shoulder, walk at "
               "%.1f m/s [degrees]", speed);
  table_number(&m->table, bar, arms_travel(g->n, twist), 1, "17 (the person above)",
               "twist of the trunk, walk at %.1f m/s [degrees]", speed);
}

static void arms_head(struct measures *m, const struct motion *g)
{
  double *pitch = motion_pitch(g, "head");
  table_words(&m->table, arena_printf(g->arena, "%.1f, %.1f", arms_rms(g->n, pitch), arms_travel(g->n, pitch)), NULL,
              "pitch of the head, %s at %.1f m/s: rms, peak to peak [degrees]", g->gait, g->speed);
}

void measure_arms(struct measures *m)
{
  table_section(&m->table, "Arms, trunk and head", arms_prose);
  for (size_t i = 0; i < sizeof arms_speeds / sizeof *arms_speeds; i++)
    arms_at_speed(m, arms_speeds[i]);
  const struct motion *walk = measures_gait(m, "human", "walk", 1.3), *run = measures_gait(m, "human", "run", 3);
  if (run)
    table_number(&m->table, table_no_bar(), curve_mean(run->n, motion_angle(run, "right_forearm.flexion")), 0,
                 "99 to 119*", "mean flexion of the elbow, run at 3.0 m/s [degrees]");
  if (walk)
    arms_head(m, walk);
  if (run)
    arms_head(m, run);
}
