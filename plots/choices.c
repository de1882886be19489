/* Choices of a controller: names and colours. See plots/choices.h. */
#include "plots/choices.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "motion/mirror.h"

#define STRAIGHT 0.01         /* turns below this are none [rad]                                           */
#define MIRROR_TOLERANCE 0.02 /* of a cyclic clip that is its own mirror image [rad], [standing heights]    */

static int same_text(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

struct choice choice_of_clip(const struct clip *clip)
{
  return (struct choice){.name = clip->name ? clip->name : "", .cyclic = clip->cyclic,
                         .changes_gait = !clip->cyclic && !same_text(clip->gait, clip->gait_after),
                         .turn = clip->cyclic ? 0.0 : clip->turn};
}

enum choice_side choice_side(const struct choice *c)
{
  if (c->cyclic || !(fabs(c->turn) > STRAIGHT)) return CHOICE_STRAIGHT;
  return c->turn > 0.0 ? CHOICE_LEFT : CHOICE_RIGHT;
}

struct colour choice_hue(const struct choice *c)
{
  enum choice_side side = choice_side(c);
  struct colour turning = palette(side == CHOICE_LEFT ? PALETTE_BLUE : PALETTE_VERMILION);
  if (c->cyclic) return colour_rgb(0xd5d1c8);
  if (!c->changes_gait) return side == CHOICE_STRAIGHT ? colour_rgb(0x8f8a80) : turning;
  return side == CHOICE_STRAIGHT ? palette(PALETTE_GREEN) : colour_mix(palette(PALETTE_GREEN), turning, 0.5);
}

struct colour choice_colour(const struct choice *c, double largest)
{
  if (choice_side(c) == CHOICE_STRAIGHT) return choice_hue(c);
  double share = largest > 0.0 ? fmin(1.0, fabs(c->turn) / largest) : 1.0;
  struct colour dark = colour_mix(choice_hue(c), palette(PALETTE_BLACK), 0.3);
  if (share > 0.6) return colour_mix(choice_hue(c), dark, (share - 0.6) / 0.4);
  return colour_mix(choice_hue(c), colour_rgb(0xffffff), 0.8 * (0.6 - share) / 0.6);
}

char *choice_turn(struct arena *arena, double turn)
{
  double angle = floor(TO_DEGREES * turn * 10.0 + 0.5) / 10.0;
  return arena_printf(arena, "%s%.4g\xc2\xb0", angle < 0.0 ? "\xe2\x88\x92" : "", fabs(angle));
}

char *choice_label(struct arena *arena, const struct choice *c)
{
  char *name = text_clean(arena, c->name, 1);
  enum choice_side side = choice_side(c);
  if (side == CHOICE_STRAIGHT) return name;
  return arena_printf(arena, "%s %s %s", name, choice_turn(arena, fabs(c->turn)),
                      side == CHOICE_LEFT ? "left" : "right");
}

double choice_largest(const struct motion_graph *g)
{
  double largest = 0.0;
  for (int i = 0; i < g->n_clips; i++)
    if (g->use[i] == GRAPH_USED && !g->clips[i].clip->cyclic) largest = fmax(largest, fabs(g->clips[i].clip->turn));
  return largest;
}

char *choice_title(struct arena *arena, const char *creature, const char *task)
{
  return arena_printf(arena, "%s: %s", text_clean(arena, creature ? creature : "creature", 1),
                      text_clean(arena, task ? task : "task", 1));
}

/* ---- mirror images ---- */

/* Is the frame where b leaves or arrives that of a in the mirror? */
static int ends_mirror(const struct motion_graph *g, const int *shift, struct clip_end a, struct clip_end b)
{
  if (a.clip != b.clip) return 0;
  for (int i = 0; i < g->n_clips; i++) {
    if (g->clips[i].id != a.clip) continue;
    int n = g->clips[i].clip->n_frames;
    return shift[i] >= 0 && (a.frame + shift[i] - b.frame) % n == 0;
  }
  return 0;
}

static int clips_mirror(const struct motion_graph *g, const int *shift, const struct clip *a, const struct clip *b)
{
  return !a->cyclic && !b->cyclic && a->n_frames == b->n_frames && fabs(a->turn + b->turn) < 1e-6 &&
         same_text(a->gait, b->gait) && same_text(a->gait_after, b->gait_after) &&
         ends_mirror(g, shift, a->from, b->from) && ends_mirror(g, shift, a->to, b->to);
}

void choice_mirrors(const struct motion_graph *g, int *mirror)
{
  struct arena *arena = arena_new();
  int *shift = ARENA_NEW(arena, (size_t)g->n_clips + 1, int), symmetric = creature_is_symmetric(g->creature, NULL);
  for (int i = 0; i < g->n_clips; i++) {
    const struct clip *clip = g->clips[i].clip;
    mirror[i] = shift[i] = -1;
    if (symmetric && clip->cyclic && !clip_mirror_shift(g->creature, clip, MIRROR_TOLERANCE, &shift[i])) shift[i] = -1;
  }
  for (int i = 0; i < g->n_clips; i++)
    for (int k = i + 1; k < g->n_clips; k++)
      if (mirror[i] < 0 && mirror[k] < 0 && clips_mirror(g, shift, g->clips[i].clip, g->clips[k].clip)) {
        mirror[i] = k;
        mirror[k] = i;
      }
  arena_free(arena);
}
