/* A person's walk: joint angles and the force of the ground against those of a person who was measured. */
#include <math.h>

#include "nature/curves.h"
#include "nature/measures.h"

#define HUMAN_SPEED  1.257  /* of the person [m/s] */
#define HUMAN_PERIOD 1.1445 /* of a stride of the person [s] */

static const char human_prose[] =
    "\n`gait human walk` at 1.257 m/s in strides of 1.1445 s against one cycle of a person of 85.3 kg who walked so,\n"
    "from heel strike to heel strike of the right foot (example data of opensim-core; the file is not part of\n"
    "Muybridge, see [CONTRIBUTING](../CONTRIBUTING.md)). Curves of the right side are resampled to the places of\n"
    "the file, the first one the frame in which the right heel touches.\n"
    "\n"
    "Zeros of angles are anatomical and the same in both: hip, the thigh along the pelvis' vertical axis; knee,\n"
    "thigh and shank in a line; ankle, the sole at right angles to the shank. Nothing is fitted: rms(x - y) counts\n"
    "a constant difference too. In parentheses, for information: rms without it, i.e. of (x - mean x) - (y - mean\n"
    "y).\n"
    "\n"
    "Correlation is Pearson's, over the cycle. Forces are those of heel and ball together, in body weights;\n"
    "fore-aft is positive forwards. The second peak is the largest local maximum in the second half of the stance.\n"
    "Recovery: see the horse.\n";

struct human_angle { const char *what, *dof, *column; };
static const struct human_angle human_angles[] = {
    {"hip flexion", "right_thigh.flexion", "hip_flexion_deg"},
    {"knee flexion", "right_shank.flexion", "knee_flexion_deg"},
    {"ankle dorsiflexion", "right_foot.dorsiflexion", "ankle_dorsiflexion_deg"},
};
struct human_force { const char *what, *column; int up; double bar; };
static const struct human_force human_forces[] = {
    {"vertical ground force", "grf_vertical_bw", 1, 0.98},
    {"fore-aft ground force", "grf_fore_bw", 0, 0.93},
};

static const char human_no_file[] = "no reference file";

/* A curve of ours, from the right heel's touchdown on, at the places of the reference. */
static double *human_resample(const struct motion *g, const double *x, int places)
{
  double *y = ARENA_NEW(g->arena, (size_t)places, double);
  curve_resample(g->n, x, curve_touchdown(g->n, motion_contact(g, "right_heel")), places, y);
  return y;
}

static void human_compare_angle(struct measures *m, const struct motion *g, const struct human_angle *a)
{
  if (!m->walk) {
    table_skip(&m->table, table_above(0.95), human_no_file, "%s: correlation", a->what);
    table_skip(&m->table, table_below(6), human_no_file, "%s: rms [degrees]", a->what);
    return;
  }
  int n = m->walk->n;
  const double *real = reference_column(m->walk, a->column);
  double *x = human_resample(g, motion_angle(g, a->dof), n);
  struct curve_range ours = curve_range(n, x), theirs = curve_range(n, real);
  const char *nature = arena_printf(g->arena, "%.0f to %.0f degrees (here %.0f to %.0f)", theirs.low, theirs.high,
                                    ours.low, ours.high);
  table_number(&m->table, table_above(0.95), curve_correlation(n, x, real), 3, nature, "%s: correlation", a->what);
  table_number_said(&m->table, table_below(6), curve_rms(n, x, real), 1,
                    arena_printf(g->arena, " (%.1f)", curve_rms_centred(n, x, real)), nature,
                    "%s: rms (without offset) [degrees]", a->what);
}

static void human_compare_force(struct measures *m, const struct motion *g, const struct human_force *f)
{
  if (!m->walk) {
    table_skip(&m->table, table_above(f->bar), human_no_file, "%s: correlation", f->what);
    return;
  }
  int n = m->walk->n;
  const double *real = reference_column(m->walk, f->column);
  double *x = human_resample(g, f->up ? motion_force_up(g, "right_") : motion_force_fore(g, "right_"), n);
  struct curve_range ours = curve_range(n, x), theirs = curve_range(n, real);
  table_number(&m->table, table_above(f->bar), curve_correlation(n, x, real), 3,
               arena_printf(g->arena, "%.2f to %.2f body weights (here %.2f to %.2f)", theirs.low, theirs.high,
                            ours.low, ours.high),
               "%s: correlation", f->what);
}

/* Of a curve of force over a cycle, n values, and when the foot is on the ground. */
static double human_second_peak(struct arena *arena, int n, const double *force, const unsigned char *on)
{
  int first = curve_touchdown(n, on), length = first < 0 ? 0 : curve_stance(n, on, first);
  double *stance = ARENA_NEW(arena, (size_t)length + 1, double);
  for (int k = 0; k < length; k++)
    stance[k] = force[(first + k) % n];
  return curve_last_peak(length, stance);
}

/* The person's; on the ground is a foot that pushes at all. */
static const char *human_second_peak_of_person(const struct measures *m, struct arena *arena)
{
  if (!m->walk)
    return NULL;
  int n = m->walk->n - 1; /* the last place is the first of the next cycle */
  const double *force = reference_column(m->walk, "grf_vertical_bw");
  unsigned char *on = ARENA_NEW(arena, (size_t)n, unsigned char);
  for (int k = 0; k < n; k++)
    on[k] = force[k] > 0.02;
  return arena_printf(arena, "%.2f (that person)", human_second_peak(arena, n, force, on));
}

void measure_human_walk(struct measures *m)
{
  table_section(&m->table, "A person's walk", human_prose);
  const struct motion *g = measures_gait_in(m, "human", "walk", HUMAN_SPEED, HUMAN_PERIOD);
  const struct motion *free = measures_gait(m, "human", "walk", HUMAN_SPEED);
  if (!g || !free)
    return;
  table_number(&m->table, table_no_bar(), free->clip->n_frames * free->clip->dt, 2, "1.14 (that person)",
               "period of the stride, when it is free [s]");
  for (size_t i = 0; i < sizeof human_angles / sizeof *human_angles; i++)
    human_compare_angle(m, g, &human_angles[i]);
  for (size_t i = 0; i < sizeof human_forces / sizeof *human_forces; i++)
    human_compare_force(m, g, &human_forces[i]);
  double peak = human_second_peak(g->arena, g->n, motion_force_up(g, "right_"), motion_contact(g, "right_"));
  table_number(&m->table, table_between(1.05, 1.2), peak, 2, human_second_peak_of_person(m, g->arena),
               "second peak of the vertical force [body weights]");
  table_number(&m->table, table_no_bar(),
               100 * curve_recovery(g->n, motion_energy_forward(g), motion_energy_vertical(g)), 0,
               "about 65 (Cavagna 1976, from memory)", "pendular recovery [%%]");
}
