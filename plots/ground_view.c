/* See plots/ground_view.h. */
#include "plots/ground_view.h"

#include <math.h>

#include "base/angle.h"

int ground_is_level(const struct terrain *t) { return !t || t->kind == TERRAIN_FLAT; }

double ground_height(const struct terrain *t, double x, double y) { return ground_is_level(t) ? 0.0
                                                                   : terrain_height(t, x, y, NULL); }

double ground_slope(const struct terrain *t) { return t && t->kind == TERRAIN_SLOPE ? tan(t->size) : 0.0; }

double ground_line(const struct terrain *t, const struct camera *cam, double depth, double u)
{
  return ground_height(t, u * cam->right[0] + depth * cam->back[0], u * cam->right[1] + depth * cam->back[1]);
}

void ground_profile(const struct terrain *t, const struct camera *cam, double depth, double raised, struct rect area,
                    struct to_scale map, int n, struct xy *points)
{
  for (int i = 0; i < n; i++) {
    double u = (area.x + area.w * i / (n - 1.0) - map.x0) / map.scale;
    points[i] = to_scale_map(&map, u, ground_line(t, cam, depth, u) + raised);
  }
}

const char *ground_words(const struct terrain *t, struct arena *arena)
{
  static const char *const things[] = {[TERRAIN_STEPS] = "steps", [TERRAIN_BEAMS] = "beams",
                                       [TERRAIN_PEBBLES] = "pebbles"};
  if (ground_is_level(t)) return "";
  if (t->kind == TERRAIN_SLOPE)
    return arena_printf(arena, "on a slope of %s degrees", text_number3(arena, t->size * TO_DEGREES));
  return arena_printf(arena, "over %s of %s", things[t->kind], text_length(arena, fabs(t->size)));
}
