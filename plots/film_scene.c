/* A creature in motion before a camera. See plots/film_scene.h. */
#include "plots/film_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"

#define LOW 0.16        /* elevation of cameras at the side and in front [rad]: the ground is a surface, not a line */
#define HIGH 0.42       /* of the one from three quarters                                                            */
#define AROUND 0.95     /* azimuth of that one, from the front [rad]                                                 */
#define SAMPLES 64      /* frames at which the extent is measured                                                    */
#define SAMPLES_PUSHED 1024 /* the same when pushes are not to be missed                                            */
#define PUSH_FADES 0.25 /* an arrow is seen so long after its push [s]                                               */
#define SMOOTH 0.35     /* the camera lags by so many seconds, at scale 1 of sqrt(L/g)                               */
#define GHOSTS_APART 0.5 /* in lengths of the creature                                                               */

/* ---- time ---- */

/* Forces of a frame, any of a cycle, turned by how much its cycle heads elsewhere. */
static void add_forces(struct film_scene *s, int k, double share)
{
  const struct clip *clip = s->clip;
  int n = clip->n_frames, base = ((k % n) + n) % n, cycles = (k - base) / n;
  double turn = clip->cyclic ? cycles * clip->advance.yaw : 0.0, c = cos(turn), si = sin(turn);
  for (int p = 0; p < clip->n_points; p++) {
    const double *f = clip->force + 3 * ((size_t)base * (size_t)clip->n_points + (size_t)p);
    s->force[3 * p] += share * (c * f[0] - si * f[1]);
    s->force[3 * p + 1] += share * (si * f[0] + c * f[1]);
    s->force[3 * p + 2] += share * f[2];
  }
}

/* Frames are dense (see doc/decisions.md, 11): between two of them straight lines do. */
void film_scene_show(struct film_scene *s, double frame)
{
  int last = s->clip->n_frames - 1;
  if (!s->closes) frame = fmin(fmax(frame, 0.0), last);
  int k = (int)floor(frame), after = s->closes || k < last ? k + 1 : k;
  double share = frame - k;
  clip_frame(s->clip, k, s->q);
  memset(s->force, 0, 3 * (size_t)s->clip->n_points * sizeof *s->force);
  add_forces(s, k, 1.0 - share);
  if (share > 0.0) {
    clip_frame(s->clip, after, s->next);
    for (int i = 0; i < s->clip->n_dofs; i++) s->q[i] += share * (s->next[i] - s->q[i]);
    add_forces(s, after, share);
  }
  s->at = frame;
  figure_pose(s->figure, s->q);
}

/* ---- the camera's way ---- */

/* Of a cycle: at the mean speed, through the mean place. */
static void steady_way(struct film_scene *s)
{
  const struct clip *clip = s->clip;
  int n = clip->n_frames;
  double x = 0.0, y = 0.0;
  for (int k = 0; k < n; k++) {
    const double *q = clip->q + (size_t)k * (size_t)clip->n_dofs;
    x += (q[0] - clip->advance.x * k / n) / n;
    y += (q[1] - clip->advance.y * k / n) / n;
  }
  for (int k = 0; k <= n; k++) s->way[k] = (struct xy){x + clip->advance.x * k / n, y + clip->advance.y * k / n};
}

/* Of anything else: with the root, but not with every sway of it. At the ends the way goes on as it was. */
static void smooth_way(struct film_scene *s)
{
  const struct clip *clip = s->clip;
  int n = clip->n_frames;
  size_t dofs = (size_t)clip->n_dofs;
  double lag = SMOOTH * sqrt(fabs(s->creature->height)) / clip->dt;
  int reach = (int)ceil(3.0 * lag);
  for (int k = 0; k < n; k++) {
    double x = 0.0, y = 0.0, weights = 0.0;
    for (int j = k - reach; j <= k + reach; j++) {
      int inside = j < 0 ? 0 : j > n - 1 ? n - 1 : j, mirrored = 2 * inside - j;
      if (mirrored < 0 || mirrored > n - 1) continue;
      const double *q = clip->q + (size_t)inside * dofs, *m = clip->q + (size_t)mirrored * dofs;
      double u = (j - k) / lag, w = exp(-0.5 * u * u), odd = inside == j ? 0.0 : 1.0;
      x += w * (q[0] + odd * (q[0] - m[0]));
      y += w * (q[1] + odd * (q[1] - m[1]));
      weights += w;
    }
    s->way[k] = (struct xy){x / weights, y / weights};
  }
  s->way[n] = s->way[n - 1];
}

/* The ground along the way, evened out as the way is. */
static void smooth_heights(struct film_scene *s)
{
  const struct terrain *ground = s->options.terrain;
  int n = s->clip->n_frames;
  double lag = SMOOTH * sqrt(fabs(s->creature->height)) / s->clip->dt;
  int reach = ground_slope(ground) != 0.0 || ground_is_level(ground) ? 0 : (int)ceil(3.0 * lag);
  for (int k = 0; k <= n; k++) {
    double sum = 0.0, weights = 0.0;
    for (int j = k - reach; j <= k + reach; j++) {
      struct xy at = s->way[j < 0 ? 0 : j > n ? n : j];
      double u = (j - k) / lag, w = exp(-0.5 * u * u);
      sum += w * ground_height(ground, at.x, at.y);
      weights += w;
    }
    s->high[k] = sum / weights;
  }
}

struct xy film_scene_target(const struct film_scene *s, double frame)
{
  int n = s->clip->n_frames, cycles = 0;
  if (s->closes) cycles = (int)floor(frame / n);
  frame = fmin(fmax(frame - (double)cycles * n, 0.0), s->closes ? n : n - 1.0);
  int k = (int)fmin(floor(frame), n - 1.0);
  double share = frame - k;
  struct xy a = s->way[k], b = s->way[k + 1];
  return (struct xy){a.x + share * (b.x - a.x) + cycles * s->clip->advance.x,
                     a.y + share * (b.y - a.y) + cycles * s->clip->advance.y};
}

double film_scene_height(const struct film_scene *s, double frame)
{
  double n = s->clip->n_frames, cycles = s->closes ? floor(frame / n) : 0.0;
  double at = fmin(fmax(frame - cycles * n, 0.0), n), k = fmin(floor(at), n - 1.0);
  return s->high[(int)k] + (at - k) * (s->high[(int)k + 1] - s->high[(int)k]) + cycles * clip_climb(s->clip);
}

struct xy film_scene_aim(const struct film_scene *s, double frame)
{
  struct xy at = film_scene_target(s, frame);
  return camera_project(&s->camera, (const double[3]){at.x, at.y, film_scene_height(s, frame)});
}

/* ---- the camera ---- */

static const double *last_pose(const struct clip *clip)
{
  return clip->q + (size_t)(clip->n_frames - 1) * (size_t)clip->n_dofs;
}

static int goes_straight(const struct film_scene *s)
{
  const struct clip *clip = s->clip;
  if (!s->closes)
    for (int k = 0; k < clip->n_frames; k++)
      if (fabs(clip->q[(size_t)k * (size_t)clip->n_dofs + 3] - clip->q[3]) > 0.35) return 0;
  return 1;
}

static double mean_heading(const struct film_scene *s)
{
  double mean = 0.0;
  if (!goes_straight(s)) return s->clip->q[3];
  for (int k = 0; k < s->clip->n_frames; k++)
    mean += s->clip->q[(size_t)k * (size_t)s->clip->n_dofs + 3] / s->clip->n_frames;
  return mean;
}

static void choose_camera(struct film_scene *s)
{
  double heading = mean_heading(s), stride = hypot(s->clip->advance.x, s->clip->advance.y);
  s->travel = heading;
  if (s->closes && stride > 1e-6 * fabs(s->creature->height))
    s->travel = atan2(s->clip->advance.y, s->clip->advance.x);
  if (fabs(remainder(s->travel - heading, 2.0 * PI)) < 0.12) heading = s->travel; /* threads along the picture */
  enum film_view view = s->options.view;
  if (view == FILM_OWN) view = goes_straight(s) ? FILM_SIDE : FILM_THREE_QUARTER;
  s->options.view = view;
  s->camera = view == FILM_SIDE    ? camera_from(heading - 0.5 * PI, LOW)
              : view == FILM_FRONT ? camera_from(heading, LOW)
              : view == FILM_TOP   ? camera_above(heading)
                                   : camera_from(heading - AROUND, HIGH);
}

/* ---- how much is seen ---- */

static struct xy picture_of(const struct film_scene *s, struct xy ground)
{
  const double at[3] = {ground.x, ground.y, ground_height(s->options.terrain, ground.x, ground.y)};
  return camera_project(&s->camera, at);
}

int film_scene_asked(const struct film_scene *s, double *heading)
{
  const struct performance *p = s->options.play;
  int i = p ? task_find_arrow(p->task) : -1;
  if (i < 0) return 0;
  int k = (int)fmin(fmax(s->at, 0.0), p->n_frames - 1.0);
  *heading = p->asked[(size_t)k * (size_t)p->n_parameters + (size_t)i];
  return 1;
}

const struct film_push *film_scene_push(const struct film_scene *s, double frame, double *clearly)
{
  double fading = PUSH_FADES / s->clip->dt;
  for (int i = s->options.n_pushes - 1; i >= 0; i--) { /* of several the last */
    const struct film_push *p = &s->options.pushes[i];
    if (frame < p->from || frame > p->until + fading) continue;
    *clearly = frame <= p->until ? 1.0 : 1.0 - (frame - p->until) / fading;
    return p;
  }
  return NULL;
}

/* With the arrow of a push, and what is thrown at it when it is near. */
static struct rect outside_extent(const struct film_scene *s, double frame, struct rect r)
{
  double clearly, weight = s->creature->mass * CREATURE_GRAVITY, tail[3];
  const struct film_push *p = film_scene_push(s, frame, &clearly);
  if (!p) return r;
  const double *centre = figure_solid(s->figure, p->limb)->centre;
  for (int k = 0; k < 3; k++) tail[k] = centre[k] - FILM_PUSH_LENGTH * s->creature->height * p->force[k] / weight;
  struct xy at = camera_project(&s->camera, tail);
  return rect_union(r, (struct rect){at.x, at.y, 0.0, 0.0});
}

void film_scene_tip(const struct film_scene *s, int point, double *tip)
{
  const double *at = figure_contact(s->figure, point), *f = s->force + 3 * point;
  double length = s->metres * sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), cut = length > s->longest ? s->longest /
                  length : 1.0;
  for (int k = 0; k < 3; k++) tip[k] = at[k] + cut * s->metres * f[k];
}

static struct rect pose_extent(struct film_scene *s, double frame)
{
  film_scene_show(s, frame);
  struct rect r = figure_extent(s->figure, &s->camera);
  for (int p = 0; p < s->clip->n_points && s->options.forces; p++) {
    double tip[3];
    film_scene_tip(s, p, tip);
    struct xy to = camera_project(&s->camera, tip);
    r = rect_union(r, (struct rect){to.x, to.y, 0.0, 0.0});
  }
  r = outside_extent(s, frame, r);
  double heading, reach = FILM_ARROW_UNTIL * s->creature->height;
  if (film_scene_asked(s, &heading)) {
    struct xy tip = picture_of(s, (struct xy){s->q[0] + reach * cos(heading), s->q[1] + reach * sin(heading)});
    r = rect_union(r, (struct rect){tip.x, tip.y, 0.0, 0.0});
  }
  return r;
}

static void measure(struct film_scene *s)
{
  int n = s->clip->n_frames, most = s->options.n_pushes ? SAMPLES_PUSHED : SAMPLES, samples = n < most ? n : most;
  for (int i = 0; i < samples; i++) {
    double frame = s->closes ? (double)i * n / samples : (double)i * (n - 1) / fmax(1.0, samples - 1.0);
    struct xy from = film_scene_aim(s, frame);
    for (int g = 0; g <= s->options.ghosts; g++) {
      if (!s->closes && frame - g * s->ghost_gap < 0.0) break;
      struct rect r = pose_extent(s, frame - g * s->ghost_gap);
      r.x -= from.x;
      r.y -= from.y;
      s->extent = i || g ? rect_union(s->extent, r) : r;
    }
  }
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The longest arrow is somewhat shorter than half of the creature; when feet hit the ground in a simulated world, the
 * few largest forces are not counted. */
static double choose_arrows(const struct film_scene *s, struct arena *arena, double height)
{
  int n = s->clip->n_frames * s->clip->n_points, k = 0;
  double *sizes = ARENA_NEW(arena, (size_t)n + 1, double), weight = s->creature->mass * CREATURE_GRAVITY;
  for (int i = 0; i < n; i++) {
    const double *f = s->clip->force + 3 * (size_t)i;
    double size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    if (size > 1e-3 * weight) sizes[k++] = size;
  }
  qsort(sizes, (size_t)k, sizeof *sizes, by_size);
  double largest = k == 0 ? 0.0 : sizes[s->clip->cyclic ? k - 1 : (int)(0.97 * (k - 1))];
  return 0.45 * height / fmax(largest, 0.02 * weight);
}

/* So many frames that ghosts stand apart, but not further than half of a cycle. */
static double choose_gap(const struct film_scene *s, double length)
{
  int n = s->clip->n_frames;
  double way = 0.0;
  for (int k = 0; k < n; k++) way += hypot(s->way[k + 1].x - s->way[k].x, s->way[k + 1].y - s->way[k].y);
  double gap = GHOSTS_APART * length * n / fmax(way, 1e-9);
  return fmax(1.0, fmin(gap, s->closes ? 0.5 * n : 0.2 * n));
}

void film_scene_choose_step(struct film_scene *s, double shift)
{
  double stride = hypot(s->clip->advance.x, s->clip->advance.y), view = fmax(s->extent.w, s->extent.h);
  double own = s->has_wall ? 4.0 : 1.5; /* a floor alone has many of them */
  double fields = s->options.lines > 0 ? s->options.lines : own;
  double wanted = fmax(view / fields, 2.6 * shift);
  if (s->closes && stride > 1e-3 * view)
    s->step = stride / fmax(1.0, floor(stride / wanted + 0.3));
  else
    s->step = scale_bar_choose(1.0, 1.5 * wanted).length;
  if (!(s->step > 0.03 * view)) s->step = 0.03 * view;
}

/* The wall stands behind the creature. Beside a straight way it is fixed to the world; one that the creature comes
 * from, or turns away from, goes along, or it would soon be out of sight. Its uprights meet the threads of the
 * floor. */
static void build_wall(struct film_scene *s, double length)
{
  double along = s->camera.right[0] * cos(s->travel) + s->camera.right[1] * sin(s->travel);
  struct xy at = film_scene_target(s, 0.0), back = {s->camera.back[0], s->camera.back[1]};
  double flat = hypot(back.x, back.y);
  int low = s->options.view == FILM_SIDE || s->options.view == FILM_FRONT;
  s->has_wall = low && (fabs(along) < 0.02 || fabs(along) > 0.999);
  s->wall_follows = !(goes_straight(s) && along > 0.999);
  if (!s->has_wall) return;
  double behind = (s->wall_follows ? 0.7 * length : 0.5 * s->depth) + 0.35 * s->extent.h;
  s->behind = behind;
  s->wall = picture_of(s, (struct xy){at.x - behind * back.x / flat, at.y - behind * back.y / flat}).y;
  if (s->wall_follows) s->wall -= film_scene_aim(s, 0.0).y;
}

struct film_scene *film_scene_new(struct arena *arena, const struct creature *c, const struct clip *clip,
                        const struct film_scene_options *o)
{
  struct film_scene *s = ARENA_NEW(arena, 1, struct film_scene);
  *s = (struct film_scene){.creature = c, .clip = clip, .options = *o};
  if (!o->terrain && !surface_is_level(&clip->ground) && terrain_of_surface(&clip->ground, &s->own_ground))
    s->options.terrain = &s->own_ground;
  s->look = o->paper ? film_look_paper() : film_look_plate();
  s->closes = clip->cyclic && fabs(clip->advance.yaw) < 1e-6;
  s->figure = figure_new(arena, c);
  s->q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  s->next = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  s->force = ARENA_NEW(arena, 3 * (size_t)c->n_points + 1, double);
  s->way = ARENA_NEW(arena, (size_t)clip->n_frames + 1, struct xy);
  s->high = ARENA_NEW(arena, (size_t)clip->n_frames + 1, double);
  figure_stand_on(s->figure, s->options.terrain);
  if (s->closes)
    steady_way(s);
  else
    smooth_way(s);
  smooth_heights(s);
  choose_camera(s);
  struct camera side = camera_side();
  struct rect rest = figure_extent(s->figure, &side);
  s->depth = s->options.view == FILM_SIDE ? fmax(1.3 * figure_depth(s->figure, &side), 0.15 * rest.w) : 0.0;
  s->metres = choose_arrows(s, arena, rest.h);
  s->longest = 0.5 * rest.h;
  s->ghost_gap = choose_gap(s, rest.w);
  s->origin = s->way[0];
  measure(s);
  build_wall(s, rest.w);
  film_scene_choose_step(s, 0.0);
  film_scene_show(s, 0.0);
  return s;
}

/* ---- words ---- */

char *film_scene_pace(const struct film_scene *s, struct arena *arena)
{
  const struct clip *clip = s->clip;
  double seconds = clip->n_frames * clip->dt;
  double stride = hypot(hypot(clip->advance.x, clip->advance.y), clip_climb(clip));
  if (!clip->cyclic) {
    double turn = (last_pose(clip)[3] - clip->q[3]) * TO_DEGREES;
    if (s->options.play || fabs(turn) < 5.0) return arena_strdup(arena, "");
    return arena_printf(arena, "%.0f° to the %s", fabs(turn), turn > 0.0 ? "left" : "right");
  }
  double speed = stride / seconds;
  if (speed < 1.0) return arena_printf(arena, "%s/s", text_length(arena, speed));
  return arena_printf(arena, "%s m/s", text_number3(arena, speed));
}
