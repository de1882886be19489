/* Names of gaits by rules of duty and lag; doc/gaits.md has the table. Quadrupeds: Hildebrand 1965 and 1976, whose lag
 * is that of the fore foot after the hind foot of the same side; in sixteenths of a cycle. */
#include "gaits/pattern.h"

#include <math.h>

#define NAME_NEAR   (1.0 / 16)   /* of a cycle: feet that come down together, for people's eyes */
#define NAME_CANTER 0.08         /* likewise the diagonal pair of a canter                      */

static double name_off(double lag, double from)
{
  double x = lag - from - floor(lag - from);
  return fmin(x, 1 - x);
}

static struct pattern_name name_symmetric(double lag, double duty)
{
  int walks = duty >= 0.5;
  if (name_off(lag, 0.5) <= NAME_NEAR + 1e-9)
    return walks ? (struct pattern_name){"walking_trot", "walking trot"} : (struct pattern_name){"trot", "trot"};
  if (name_off(lag, 0) <= NAME_NEAR + 1e-9)
    return walks ? (struct pattern_name){"walking_pace", "walking pace"} : (struct pattern_name){"pace", "pace"};
  if (lag < 0.5)
    return walks ? (struct pattern_name){"walk", "lateral-sequence walk"}
                 : (struct pattern_name){"tolt", "tolt (lateral-sequence run)"};
  return walks ? (struct pattern_name){"diagonal_walk", "diagonal-sequence walk"}
               : (struct pattern_name){"diagonal_run", "diagonal-sequence run"};
}

/* The fore foot that comes down with the hind foot of the other side, the second of the hind feet: three beats. */
static int name_has_three_beats(const struct pattern *p)
{
  double left_hind = p->lead_hind, right_fore = p->lag + 0.5 * (p->lead_hind - p->lead_fore);
  return p->lead_fore > 0 && name_off(right_fore, left_hind) <= NAME_CANTER;
}

static struct pattern_name name_asymmetric(const struct pattern *p)
{
  int hind_at_once = p->lead_hind < NAME_NEAR - 1e-9, fore_at_once = fabs(p->lead_fore) < NAME_NEAR - 1e-9;
  if (hind_at_once && fore_at_once)
    return name_off(p->lag, 0) <= NAME_NEAR ? (struct pattern_name){"pronk", "pronk"}
                                            : (struct pattern_name){"bound", "bound"};
  if (hind_at_once)
    return (struct pattern_name){"half_bound", "half-bound"};
  if (fore_at_once)
    return (struct pattern_name){"crutch_walk", "crutch walk: fore feet at once, hind feet one by one"};
  if (name_has_three_beats(p))
    return (struct pattern_name){"canter", "canter"};
  return p->lead_fore > 0 ? (struct pattern_name){"gallop", "transverse gallop"}
                          : (struct pattern_name){"rotary_gallop", "rotary gallop"};
}

static struct pattern_name name_wave(const struct legs *legs, double lag, double duty)
{
  int alternates = name_off(lag, 0.5) <= 0.09;
  if (alternates && legs->n_rows == 3)
    return (struct pattern_name){"tripod", "alternating tripods"};
  if (alternates)
    return (struct pattern_name){"alternating", "neighbours alternate"};
  if (name_off(lag, 0) <= NAME_NEAR / 2)
    return (struct pattern_name){"sides", "one side, then the other"};
  if (legs->n_rows == 3 && duty < 0.75 && name_off(lag, 1.0 / 3) <= NAME_NEAR + 1e-9)
    return (struct pattern_name){"tetrapod", "tetrapod (forward wave)"};
  return lag < 0.5 ? (struct pattern_name){"wave", "direct wave (hind to fore)"}
                   : (struct pattern_name){"retrograde_wave", "retrograde wave (fore to hind)"};
}

struct pattern_name pattern_name(const struct legs *legs, const struct pattern *p)
{
  double duty = 0.5 * (p->duty_hind + p->duty_fore);
  int n_pairs = 0;
  for (int i = 0; i < legs->n; i++)
    n_pairs += legs->leg[i].other > i;
  switch (p->family) {
  case PATTERN_ALTERNATE:
    if (legs->n_rows == 1)
      return duty >= 0.5 ? (struct pattern_name){"walk", "walk"} : (struct pattern_name){"run", "run"};
    if (legs->n_rows == 2 && n_pairs == 2)
      return name_symmetric(p->lag, duty);
    return name_wave(legs, p->lag, duty);
  case PATTERN_TOGETHER:
    if (legs->n_rows == 1)
      return duty >= 0.5 ? (struct pattern_name){"slow_hop", "hop without flight"}
                         : (struct pattern_name){"hop", "hop"};
    if (name_off(p->lag, 0) <= NAME_NEAR)
      return (struct pattern_name){"pronk", "pronk: all feet at once"};
    return legs->n_rows == 2 ? (struct pattern_name){"bound", "bound"}
                             : (struct pattern_name){"paired_wave", "wave of pairs"};
  case PATTERN_LEAD: return name_asymmetric(p);
  case PATTERN_GIVEN: return (struct pattern_name){"given", "as its file says"};
  case PATTERN_RING: return (struct pattern_name){"round", "one leg after the other, round the body"};
  }
  return (struct pattern_name){"gait", "gait"};
}
