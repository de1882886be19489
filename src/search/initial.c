/* Initial motions from the clips of a library. */
#include "search/initial.h"

#include <math.h>
#include <string.h>

#include "motion/blend.h"
#include "motion/cloud.h"
#include "motion/ground.h"
#include "motion/path.h"
#include "motion/warp.h"
#include "search/walk.h"

#define STRAIN 0.05 /* standing heights by which a frame moves away per radian that its window is bent, on a walk    */

struct initial_library {
  struct arena *arena;
  const struct creature *c;
  struct cloud_space *space;
  struct distance_matrix *distances;
  int n, room;
  int *ids;
  const struct clip **clips;
  struct clouds **clouds;
};

void initial_defaults(struct initial_options *o)
{
  *o = (struct initial_options){1.5, .max_cycles = 48, .max_paths = 48, .max_branches = 3, .shortlist = 3};
}

/* ---- library ---- */

struct initial_library *initial_library_new(struct arena *arena, const struct creature *c)
{
  struct initial_library *lib = ARENA_NEW(arena, 1, struct initial_library);
  *lib = (struct initial_library){.arena = arena, .c = c};
  lib->space = cloud_space_new(arena, c);
  lib->distances = distance_new(arena, c);
  return lib;
}

static void *wider(struct arena *arena, const void *old, size_t n, size_t room, size_t size)
{
  void *out = arena_alloc(arena, room, size);
  if (n)
    memcpy(out, old, n * size);
  return out;
}

static struct clip_list list_of(const struct initial_library *lib)
{
  return (struct clip_list){lib->n, lib->ids, lib->clips};
}

int initial_library_add(struct initial_library *lib, int id, const struct clip *clip)
{
  size_t n = (size_t)lib->n;
  if (lib->n == lib->room) {
    lib->room = lib->room ? 2 * lib->room : 16;
    lib->ids = wider(lib->arena, lib->ids, n, (size_t)lib->room, sizeof *lib->ids);
    lib->clips = wider(lib->arena, lib->clips, n, (size_t)lib->room, sizeof *lib->clips);
    lib->clouds = wider(lib->arena, lib->clouds, n, (size_t)lib->room, sizeof *lib->clouds);
  }
  struct clip_list all = list_of(lib);
  lib->ids[n] = id;
  lib->clips[n] = clip;
  lib->clouds[n] = clouds_of_clip(lib->arena, lib->space, &all, clip);
  distance_add(lib->distances, id, clip);
  return lib->n++;
}

const struct distance_matrix *initial_distances(const struct initial_library *lib)
{
  return lib->distances;
}

int initial_library_size(const struct initial_library *lib)
{
  return lib->n;
}

const struct clip *initial_library_clip(const struct initial_library *lib, int index)
{
  return lib->clips[index];
}

static int index_of(const struct initial_library *lib, int id)
{
  for (int i = 0; i < lib->n; i++)
    if (lib->ids[i] == id)
      return i;
  return -1;
}

/* ---- quality ---- */

struct nearest { int clip, frame; double distance; };

/* The frames of one clip. Distances keep the triangle inequality, so that what is known of one frame says of another
 * that it cannot be nearer: one that is twice as far from the nearest so far as that is from the cloud, and one that is
 * near to a frame that is far away. */
static void search_clip(const struct initial_library *lib, const struct clouds *clouds, int k, int clip,
                        struct nearest *best)
{
  int looked_at = -1;
  double far = 0;
  for (int f = 0; f < lib->clips[clip]->n_frames; f++) {
    if (looked_at >= 0 && far - distance_between(lib->distances, clip, looked_at, clip, f) >= best->distance)
      continue;
    if (distance_between(lib->distances, best->clip, best->frame, clip, f) >= 2 * best->distance)
      continue;
    looked_at = f;
    far = cloud_distance(lib->space, clouds, k, lib->clouds[clip], f);
    if (far < best->distance)
      *best = (struct nearest){clip, f, far};
  }
}

/* q, or infinity as soon as it is clear that it is more than a limit. */
static double quality_within(struct initial_library *lib, const struct clip *clip, double limit)
{
  struct arena *scratch = arena_new();
  struct clip_list all = list_of(lib);
  struct clouds *clouds = clouds_of_clip(scratch, lib->space, &all, clip);
  struct nearest at = {0, 0, 0};
  double sum = 0;
  for (int k = 0; k < clip->n_frames && sum <= limit; k++) {
    at.distance = cloud_distance(lib->space, clouds, k, lib->clouds[at.clip], at.frame);
    for (int c = 0; c < lib->n; c++)
      search_clip(lib, clouds, k, c, &at);
    sum += at.distance;
    at.frame = (at.frame + 1) % lib->clips[at.clip]->n_frames; /* likely to be the nearest to the next */
  }
  arena_free(scratch);
  return sum <= limit ? sum : INFINITY;
}

double initial_quality(struct initial_library *lib, const struct clip *clip)
{
  return lib->n ? quality_within(lib, clip, INFINITY) : INFINITY;
}

/* Who touches the ground shares the weight. */
static void share_weight(const struct creature *c, struct clip *clip)
{
  for (int k = 0; k < clip->n_frames; k++) {
    int touching = 0;
    for (int i = 0; i < c->n_points; i++)
      touching += clip->contact[k * c->n_points + i];
    for (int i = 0; i < c->n_points; i++)
      clip->force[3 * (k * c->n_points + i) + 2] =
          clip->contact[k * c->n_points + i] ? c->mass * CREATURE_GRAVITY / touching : 0;
  }
}

/* The result, out of the arena in which it was made; a best of NULL stays so. */
static void hand_out(struct arena *arena, const struct creature *c, struct initial_motion *best)
{
  const struct clip *made = best->clip;
  if (!made)
    return;
  struct clip *out = clip_new(arena, c, made->n_frames, made->dt), sizes = *out;
  size_t frames = (size_t)made->n_frames;
  *out = *made;
  out->q = sizes.q, out->force = sizes.force, out->contact = sizes.contact;
  out->name = arena_strdup(arena, made->name);
  memcpy(out->q, made->q, frames * (size_t)c->n_dofs * sizeof *out->q);
  memcpy(out->contact, made->contact, frames * (size_t)c->n_points);
  share_weight(c, out);
  best->clip = out;
}

static struct path *path_of_spots(struct arena *arena, const struct initial_library *lib, const struct spot *spots,
                                  int n)
{
  struct path *path = path_new(arena, lib->c, n, lib->clips[spots[0].clip]->dt);
  for (int k = 0; k < n; k++)
    path_set_frame(path, k, lib->clips[spots[k].clip], spots[k].frame, spots[k].place);
  return path;
}

/* ---- cycles ---- */

/* A way around, straightened, as a cyclic clip. */
static struct clip *clip_around(struct arena *arena, const struct initial_library *lib, const struct spot *spots, int n)
{
  struct path *path = path_of_spots(arena, lib, spots, n + 1);
  path_go_home(path);
  warp_straight(path);
  struct clip *clip = path_to_clip(arena, lib->c, path);
  const double *end = path_pose(path, n);
  clip->n_frames = n;
  clip->cyclic = 1;
  clip->turn = 0;
  clip->advance = (struct clip_advance){end[0] - path->q[0], end[1] - path->q[1], 0};
  return clip;
}

static struct clip *warped_cycle(struct arena *arena, const struct initial_library *lib, const struct clip *around,
                                 const struct initial_cycle *r)
{
  const struct gait *gait = &lib->c->gaits[r->gait];
  struct rhythm target = rhythm_of_gait(arena, lib->c, gait, r->frames, around->dt), source = rhythm_of_clip(around);
  if (!rhythm_matches(lib->c, &source, &target))
    return NULL;
  struct clip *clip = warp_rhythm(arena, lib->c, around, &target);
  warp_velocity(clip, r->speed, r->strafe);
  clip->name = clip->gait = clip->gait_after = gait->name;
  return clip;
}

struct initial_motion initial_cycle(struct arena *arena, struct initial_library *lib, const struct initial_cycle *r,
                                    const struct initial_options *o)
{
  struct initial_motion best = {.quality = INFINITY, .linear_quality = INFINITY};
  struct arena *scratch = arena_new(), *kept = NULL;
  if (lib->n > 0 && r->frames > 0) {
    struct clip_list all = list_of(lib);
    struct walk_limits limits = {o->max_cycles, o->max_branches};
    struct walk_list cycles = walk_cycles(scratch, &all, (int)floor(o->longest_cycle / lib->clips[0]->dt), &limits);
    for (int i = 0; i < cycles.n; i++) {
      struct arena *own = arena_new();
      struct clip *clip = warped_cycle(own, lib, clip_around(own, lib, cycles.spots[i], cycles.lengths[i]), r);
      double quality = clip ? quality_within(lib, clip, best.quality) : INFINITY;
      best.n_tried += clip != NULL;
      if (quality < best.quality) {
        arena_free(kept);
        kept = own, best.clip = clip, best.quality = quality;
      } else {
        arena_free(own);
      }
    }
  }
  hand_out(arena, lib->c, &best);
  arena_free(kept);
  arena_free(scratch);
  return best;
}

/* ---- transitions ---- */

/* A pair of walks, and how far apart they are where they would be blended. */
struct pair { int a, b; double rough; };

struct transition_search {
  struct initial_library *lib;
  const struct initial_transition *r;
  int from, to;                 /* indices                                               */
  struct walk_list out, in;     /* walks out of the first frame, and to the last         */
  double *turn;                 /* that each way in makes by itself                      */
  double *weight;               /* of the second path                                    */
};

static double heading_at(const struct initial_library *lib, struct spot s)
{
  return ground_heading(lib->clips[s.clip], s.frame) + s.place.yaw;
}

/* An estimate of q without making the blend: a pose between two is as far from the nearer one as its weight says. What
 * is left to turn bends it further. */
static double rough_quality(const struct transition_search *s, int a, int b)
{
  const struct spot *x = s->out.spots[a], *y = s->in.spots[b];
  const struct clip *clip = s->lib->clips[s->from];
  int n = s->r->frames;
  double window = 4 * cloud_step(s->lib->c, clip->dt), sum = STRAIN * window * fabs(s->r->turn - s->turn[b]);
  for (int k = 0; k < n; k++) {
    double w = fmin(s->weight[k], 1 - s->weight[k]);
    if (w > 0)
      sum += w * distance_between(s->lib->distances, x[k].clip, x[k].frame, y[k].clip, y[k].frame);
  }
  return sum;
}

/* The best pairs, best first; of equals the first found. */
static int shortlist_pairs(const struct transition_search *s, int room, struct pair *best)
{
  int n = 0;
  for (int a = 0; a < s->out.n; a++)
    for (int b = 0; b < s->in.n; b++) {
      struct pair p = {a, b, rough_quality(s, a, b)};
      int at = n;
      while (at > 0 && best[at - 1].rough > p.rough)
        at--;
      if (at >= room)
        continue;
      n += n < room;
      memmove(best + at + 1, best + at, (size_t)(n - 1 - at) * sizeof *best);
      best[at] = p;
    }
  return n;
}

/* Bends a blend to the turn that is asked and makes a clip of it. */
static struct clip *finish(struct arena *arena, const struct transition_search *s, struct path *path)
{
  const struct clip *from = s->lib->clips[s->from], *to = s->lib->clips[s->to];
  double *share = ARENA_NEW(arena, (size_t)path->n_frames, double);
  int arrival = path->n_frames - 2; /* the frame that a turn is told by: the next one may turn on */
  path_go_home(path);
  warp_share_circular(s->lib->c, path, share);
  warp_turn(path, s->r->turn - path->heading[arrival], share);
  struct clip *clip = path_to_clip(arena, s->lib->c, path);
  clip->gait = from->gait_after;
  clip->gait_after = to->gait;
  clip->name = strcmp(clip->gait, clip->gait_after) == 0 ? arena_printf(arena, "%s-turn", clip->gait)
                                                         : arena_printf(arena, "%s-%s", clip->gait, clip->gait_after);
  clip->speed = to->speed;
  clip->turn = clip->advance.yaw = s->r->turn;
  clip->from = (struct clip_end){s->r->from_clip, s->r->from_frame};
  clip->to = (struct clip_end){s->r->to_clip, s->r->to_frame};
  return clip;
}

static struct clip *blend_pair(struct arena *arena, const struct transition_search *s, struct pair p)
{
  struct path *a = path_of_spots(arena, s->lib, s->out.spots[p.a], s->r->frames);
  struct path *b = path_of_spots(arena, s->lib, s->in.spots[p.b], s->r->frames);
  return finish(arena, s, blend_linear(arena, s->lib->c, a, b));
}

static struct clouds *clouds_of_spots(struct arena *arena, const struct initial_library *lib, const struct spot *spots,
                                      int n)
{
  struct clouds *out = clouds_room(arena, lib->space, n);
  for (int k = 0; k < n; k++) {
    const struct clip *clip = lib->clips[spots[k].clip];
    struct spot s = spots[k];
    int row = clip->cyclic ? (s.frame % clip->n_frames + clip->n_frames) % clip->n_frames : s.frame;
    struct clip_advance round = ground_match(clip, s.frame, clip, row); /* cycles that lie between */
    clouds_copy(lib->clouds[s.clip], row, ground_after(s.place, round), out, k);
  }
  return out;
}

/* The better blend of a pair; NULL where there is no registration. */
static struct clip *register_pair(struct arena *arena, const struct transition_search *s, struct pair p)
{
  int n = s->r->frames;
  struct registration_input in = {.space = s->lib->space, .free_a = n / 3, .free_b = n / 3, .frames = n};
  in.a = path_of_spots(arena, s->lib, s->out.spots[p.a], n);
  in.b = path_of_spots(arena, s->lib, s->in.spots[p.b], n);
  in.clouds_a = clouds_of_spots(arena, s->lib, s->out.spots[p.a], n);
  in.clouds_b = clouds_of_spots(arena, s->lib, s->in.spots[p.b], n);
  struct registration *curve = registration_new(arena, &in);
  return curve ? finish(arena, s, blend_registered(arena, s->lib->c, curve, in.a, in.b, n)) : NULL;
}

static struct transition_search find_walks(struct arena *arena, struct initial_library *lib,
                                           const struct initial_transition *r, const struct initial_options *o)
{
  struct clip_list all = list_of(lib);
  struct walk_limits limits = {o->max_paths, o->max_branches};
  struct transition_search s = {.lib = lib, .r = r};
  s.from = index_of(lib, r->from_clip);
  s.to = index_of(lib, r->to_clip);
  if (s.from < 0 || s.to < 0 || r->frames < 8)
    return s;
  s.out = walk_paths(arena, &all, s.from, r->from_frame, r->frames, 1, &limits);
  s.in = walk_paths(arena, &all, s.to, r->to_frame, r->frames, -1, &limits);
  s.turn = ARENA_NEW(arena, (size_t)s.in.n + 1, double);
  s.weight = ARENA_NEW(arena, (size_t)r->frames, double);
  blend_weights(r->frames, s.weight);
  for (int i = 0; i < s.in.n; i++)
    s.turn[i] = heading_at(lib, s.in.spots[i][r->frames - 2]) - heading_at(lib, s.in.spots[i][0]);
  return s;
}

double initial_rough_quality(struct initial_library *lib, const struct initial_transition *r,
                             const struct initial_options *o)
{
  struct arena *scratch = arena_new();
  struct transition_search s = find_walks(scratch, lib, r, o);
  struct pair best[2];
  double quality = shortlist_pairs(&s, 1, best) ? best[0].rough : INFINITY;
  arena_free(scratch);
  return quality;
}

struct initial_motion initial_transition(struct arena *arena, struct initial_library *lib,
                                         const struct initial_transition *r, const struct initial_options *o)
{
  struct initial_motion best = {.quality = INFINITY, .linear_quality = INFINITY};
  struct arena *own = arena_new();
  struct transition_search s = find_walks(own, lib, r, o);
  struct pair *pairs = ARENA_NEW(own, (size_t)o->shortlist + 1, struct pair), winner = {0, 0, 0};
  int n = shortlist_pairs(&s, o->shortlist, pairs);
  best.n_tried = s.out.n * s.in.n;
  for (int i = 0; i < n; i++) {
    struct clip *clip = blend_pair(own, &s, pairs[i]);
    double quality = quality_within(lib, clip, best.quality);
    if (quality < best.quality)
      best.clip = clip, best.quality = best.linear_quality = quality, winner = pairs[i];
  }
  struct clip *better = n ? register_pair(own, &s, winner) : NULL;
  double quality = better ? quality_within(lib, better, best.quality) : INFINITY;
  if (quality <= best.quality && better)
    best.clip = better, best.quality = quality, best.registered = 1;
  hand_out(arena, lib->c, &best);
  arena_free(own);
  return best;
}
