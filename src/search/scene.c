/* What is known of the clips of a search, and what could be tried next. */
#include "search/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "motion/ground.h"
#include "motion/mirror.h"
#include "spacetime/spacetime.h"

/* ---- clips ---- */

int scene_find(const struct scene *s, int id)
{
  for (int i = 0; i < s->n_clips; i++)
    if (s->clips[i].id == id)
      return i;
  return -1;
}

int scene_node(const struct scene *s, int clip, int frame)
{
  const struct motion_graph *g = s->controller->graph;
  for (int i = 0; i < g->n_nodes; i++)
    if (g->nodes[i].clip == clip && g->nodes[i].frame == frame)
      return i;
  return -1;
}

/* Names and numbers do not tell: two gallops that lead with the same foot have the same ones. */
static int same_poses(const struct clip *a, const struct clip *b)
{
  return a->n_frames == b->n_frames &&
         memcmp(a->q, b->q, (size_t)a->n_frames * (size_t)a->n_dofs * sizeof *a->q) == 0;
}

/* A cyclic clip that is not its own mirror image, such as one that strafes, may have it beside it: the same to the
 * other side. */
static int find_other_side(const struct scene *s, int i)
{
  struct arena *scratch = arena_new();
  const struct clip *mirrored = clip_mirror(scratch, s->c, s->clips[i].clip);
  int found = -1;
  for (int k = 0; k < s->n_clips && found < 0; k++)
    if (k != i && s->clips[k].clip->cyclic && same_poses(s->clips[k].clip, mirrored))
      found = k;
  arena_free(scratch);
  return found;
}

static void find_mirrors(struct scene *s)
{
  s->symmetric = s->symmetric_body = creature_is_symmetric(s->c, NULL);
  for (int i = 0; i < s->n_clips; i++)
    s->clips[i].mirror = -1;
  for (int i = 0; i < s->n_clips && s->symmetric_body; i++) {
    struct scene_clip *x = &s->clips[i];
    if (!x->clip->cyclic)
      continue;
    if (clip_mirror_shift(s->c, x->clip, 1e-6, &x->shift))
      x->mirror = i;
    else
      x->mirror = find_other_side(s, i), x->shift = 0;
    s->symmetric &= x->mirror >= 0;
  }
}

void scene_settings_defaults(struct scene_settings *o)
{
  *o = (struct scene_settings){.least_share = 0.6,
                               .small_angle = PI / 6,
                               .long_answer = 1.0,
                               .coverage_tries = 3,
                               .coverage_from = 30,
                               .large_grid = 500,
                               .shortlist = 16,
                               .paper_candidates = 24,
                               .evaluated = 8,
                               .also_added_of_one = 1.0,
                               .also_added = 0.3};
}

struct scene *scene_new(struct arena *arena, const struct controller *controller, int branches)
{
  const struct motion_graph *g = controller->graph;
  struct scene *s = ARENA_NEW(arena, 1, struct scene);
  *s = (struct scene){.c = g->creature, .task = controller->task, .controller = controller, .branches = branches,
                      .n_clips = g->n_clips, .clips = ARENA_NEW(arena, (size_t)g->n_clips, struct scene_clip)};
  for (int i = 0; i < g->n_clips; i++)
    s->clips[i] = (struct scene_clip){g->clips[i].id, g->clips[i].clip, -1, 0};
  scene_settings_defaults(&s->settings);
  find_mirrors(s);
  return s;
}

static int mirror_end(const struct scene *s, int id, int frame, int *new_id, int *new_frame)
{
  int i = scene_find(s, id);
  if (i < 0 || s->clips[i].mirror < 0)
    return 0;
  *new_id = s->clips[s->clips[i].mirror].id;
  *new_frame = (frame + s->clips[i].shift) % s->clips[i].clip->n_frames;
  return 1;
}

int scene_mirror(const struct scene *s, const struct candidate *x, struct candidate *out)
{
  *out = *x;
  if (x->kind == CANDIDATE_FIRST || !mirror_end(s, x->from_clip, x->from_frame, &out->from_clip, &out->from_frame) ||
      !mirror_end(s, x->to_clip, x->to_frame, &out->to_clip, &out->to_frame))
    return 0;
  out->turn = -x->turn;
  out->strafe = -x->strafe;
  return out->from_clip != x->from_clip || out->from_frame != x->from_frame || out->to_clip != x->to_clip ||
         out->to_frame != x->to_frame || x->turn != 0 || x->strafe != 0;
}

/* ---- candidates ---- */

struct frame_features candidate_features(const struct candidate *x)
{
  struct frame_features f = {.direction = x->strafe, .speed = x->speed, .gait = x->gait};
  memcpy(f.measured, x->measured, sizeof f.measured);
  return f;
}

struct frame_features scene_features(const struct scene *s, int clip)
{
  const struct clip *c = s->clips[clip].clip;
  struct frame_features f = {.direction = c->strafe, .speed = c->speed, .gait = creature_find_gait(s->c, c->gait)};
  memcpy(f.measured, s->controller->graph->clips[clip].features[0].measured, sizeof f.measured);
  return f;
}

/* A cyclic clip, at random. */
static int random_cycle(const struct scene *s, struct rng *r)
{
  int n = 0, which;
  for (int i = 0; i < s->n_clips; i++)
    n += s->clips[i].clip->cyclic;
  which = rng_below(r, n);
  for (int i = 0; i < s->n_clips; i++)
    if (s->clips[i].clip->cyclic && which-- == 0)
      return i;
  return 0;
}

/* A stand has one, wherever it is left or entered. */
static int branch_frame(const struct scene *s, int clip, int k)
{
  if (clip_is_still(s->clips[clip].clip))
    return 0;
  return graph_branch_frame(s->clips[clip].clip->n_frames, s->branches, (k % s->branches + s->branches) % s->branches);
}

/* ---- lengths ---- */

static struct transition_request request_of(const struct scene *s, int a, int b, const struct candidate *x)
{
  return (struct transition_request){.c = s->c, .from = s->clips[a].clip, .to = s->clips[b].clip,
                                     .from_frame = x->from_frame, .to_frame = x->to_frame, .turn = x->turn};
}

/* Frames that a transition must have. */
static double least_frames(struct arena *scratch, const struct scene *s, const struct transition_request *r,
                           enum scene_pace pace)
{
  int natural = spacetime_transition_frames(scratch, r);
  return pace == SCENE_NATURAL ? natural : fmax(s->settings.least_share * natural, spacetime_least_frames(r));
}

/* From a branch of a cycle to the branch of the same one that its feet come to in so many steps of the grid: at least a
 * cycle. (In less a walker cannot both turn and be in step again: which way it falls is set by where its feet stand.)
 */
static int turn_length_of_cycle(struct arena *scratch, const struct scene *s, struct rng *r, int clip,
                                enum scene_pace pace, struct candidate *out)
{
  int n = s->clips[clip].clip->n_frames, k = rng_below(r, s->branches), more = rng_below(r, s->branches + 1);
  out->from_frame = out->to_frame = branch_frame(s, clip, k);
  struct transition_request turn = request_of(s, clip, clip, out);
  double cycles = fmax(1, least_frames(scratch, s, &turn, pace) / n);
  int steps = (int)ceil(s->branches * cycles - 0.1) + more;
  out->to_frame = branch_frame(s, clip, k + steps);
  out->frames = ((out->to_frame - out->from_frame) % n + n) % n + 2;
  while (out->frames < steps * n / s->branches + 1)
    out->frames += n;
  return 1;
}

/* On the spot: as long as its steps take, or longer by eighths of a cycle. */
static int turn_length_of_stand(struct arena *scratch, const struct scene *s, struct rng *r, int clip,
                                struct candidate *out)
{
  out->from_frame = out->to_frame = 0;
  struct transition_request turn = request_of(s, clip, clip, out);
  int natural = spacetime_transition_frames(scratch, &turn), more = rng_below(r, s->branches + 1);
  out->frames = natural + more * s->clips[clip].clip->n_frames / s->branches;
  return natural > 0;
}

static int turn_length(struct arena *scratch, const struct scene *s, struct rng *r, int clip, enum scene_pace pace,
                       struct candidate *out)
{
  return clip_is_still(s->clips[clip].clip) ? turn_length_of_stand(scratch, s, r, clip, out)
                                            : turn_length_of_cycle(scratch, s, r, clip, pace, out);
}

/* Between two cycles: from any branch to the one that is reached soonest; sometimes a cycle sooner than that. */
static int passage_length(struct arena *scratch, const struct scene *s, struct rng *r, const int ends[2],
                          enum scene_pace pace, struct candidate *out)
{
  int a = ends[0], b = ends[1], best = 0, cycle = (s->clips[a].clip->n_frames + s->clips[b].clip->n_frames) / 2;
  out->from_frame = branch_frame(s, a, rng_below(r, s->branches));
  out->frames = 0;
  for (int k = 0; k < s->branches; k++) {
    struct candidate x = *out;
    x.to_frame = branch_frame(s, b, k);
    struct transition_request natural = request_of(s, a, b, &x);
    int frames = spacetime_transition_frames(scratch, &natural);
    if (frames > 0 && (!out->frames || frames < out->frames))
      out->frames = frames, best = x.to_frame;
  }
  out->to_frame = best;
  int sooner = out->frames - cycle;
  struct transition_request passage = request_of(s, a, b, out);
  if (sooner >= cycle && sooner >= least_frames(scratch, s, &passage, pace) && rng_below(r, 2))
    out->frames = sooner;
  return out->frames > 0;
}

/* ---- transitions ---- */

/* How different a cyclic clip is from what is wanted: velocities as seen from the nose, and what the task measures, a
 * unit of which counts as a fifth of the natural speed [m/s]. */
static double gap_to(const struct scene *s, const struct frame_features *wanted, int clip)
{
  const struct clip *c = s->clips[clip].clip;
  double gap = hypot(wanted->speed * cos(wanted->direction) - c->speed * cos(c->strafe),
                     wanted->speed * sin(wanted->direction) - c->speed * sin(c->strafe));
  if (s->task->measures.n == 0)
    return gap;
  struct frame_features there = scene_features(s, clip);
  return hypot(gap, 0.2 * sqrt(CREATURE_GRAVITY * s->c->height) *
                        task_measured_gap(s->task, wanted->measured, there.measured));
}

/* The nearest of some random cycles: transitions between neighbours are short and easy. */
static int random_near_cycle(const struct scene *s, struct rng *r, const struct frame_features *wanted, int throws)
{
  int best = random_cycle(s, r);
  for (int i = 1; i < throws; i++) {
    int other = random_cycle(s, r);
    if (gap_to(s, wanted, other) < gap_to(s, wanted, best))
      best = other;
  }
  return best;
}

/* The nearest cycle; in one case of three the nearest of three random ones, in case no transition from it exists. */
static int random_hub_clip(const struct scene *s, struct rng *r, const struct frame_features *wanted)
{
  int best = random_near_cycle(s, r, wanted, 3), exact = rng_below(r, 3) > 0;
  for (int i = 0; exact && i < s->n_clips; i++)
    if (s->clips[i].clip->cyclic && gap_to(s, wanted, i) < gap_to(s, wanted, best) - 1e-9)
      best = i;
  return best;
}

/* Direction of travel against the torso, of a cyclic clip. */
static double strafe_of(const struct scene *s, int clip)
{
  return s->clips[clip].clip->strafe;
}

/* Multiples of 15 degrees, of 30 where there is more to ask for, and so fewer clips for a cycle: two turns add up to
 * another, and what one of them leaves to be done a second can do. */
static double random_angle(const struct scene *s, struct rng *r)
{
  int half = s->task->n_parameters > 1 ? 6 : 12;
  return PI / half * (s->symmetric ? 1 + rng_below(r, half) : rng_below(r, 2 * half) - half + 1);
}

/* How far to turn between two cycles: not at all; so that the direction of travel stays, while the torso turns under
 * it; or any angle. A user who asks for one thing at a time makes the first two worth more than all others. */
static double random_turn(const struct scene *s, struct rng *r, const int ends[2])
{
  double any = random_angle(s, r), keeping = strafe_of(s, ends[0]) - strafe_of(s, ends[1]);
  int which = rng_below(r, 3);
  if (!task_turns(s->task))
    return 0;
  if (ends[0] == ends[1] || which == 0)
    return any;
  return which == 1 && task_find_heading(s->task, TASK_HEADING_OF_TORSO) >= 0 ? ground_wrap(keeping) : 0;
}

int scene_passage(struct arena *scratch, const struct scene *s, struct rng *r, const int ends[2], double turn,
                  enum scene_pace pace, struct candidate *out)
{
  *out = (struct candidate){.kind = CANDIDATE_TRANSITION, .from_clip = s->clips[ends[0]].id,
                            .to_clip = s->clips[ends[1]].id, .turn = turn};
  return ends[0] == ends[1] ? turn_length(scratch, s, r, ends[0], pace, out) && turn != 0
                            : passage_length(scratch, s, r, ends, pace, out);
}

static int propose_transition(struct arena *scratch, const struct scene *s, struct rng *r, struct candidate *out)
{
  int ends[2] = {random_cycle(s, r), random_cycle(s, r)};
  if (rng_below(r, 3) == 0) { /* a neighbour, but not itself */
    struct frame_features from = scene_features(s, ends[0]);
    int near = random_near_cycle(s, r, &from, 3);
    ends[1] = near == ends[0] ? ends[1] : near;
  }
  return scene_passage(scratch, s, r, ends, random_turn(s, r, ends), SCENE_SHORTER, out);
}

/* ---- cycles ---- */

/* Multiples of 30 degrees. What is asked then differs by 15 degrees at most from one of them, which direction and torso
 * may share; and the sum of two is one too, so that a step from one cycle often ends at another. */
static double random_strafe(const struct scene *s, struct rng *r)
{
  return PI / 6 * (s->symmetric ? 1 + rng_below(r, 6) : rng_below(r, 12) - 5);
}

/* Legs are made for going ahead. */
static double speed_across(const struct scene *s, double speed, double strafe)
{
  return fabs(strafe) > PI / 6 + 1e-9 ? fmin(speed, 0.35 * sqrt(CREATURE_GRAVITY * s->c->height)) : speed;
}

struct task_speeds scene_speeds(const struct scene *s, int gait, double strafe)
{
  struct task_speeds v = task_speeds(s->task, gait);
  return (struct task_speeds){speed_across(s, v.least, strafe), speed_across(s, v.most, strafe)};
}

struct candidate scene_cycle(const struct scene *s, struct rng *r, int hub, const struct frame_features *wanted)
{
  struct candidate x = {.kind = CANDIDATE_CYCLE, .gait = wanted->gait, .strafe = wanted->direction,
                        .speed = speed_across(s, wanted->speed, wanted->direction),
                        .from_clip = s->clips[hub].id, .to_clip = s->clips[hub].id};
  memcpy(x.measured, wanted->measured, sizeof x.measured);
  x.from_frame = branch_frame(s, hub, rng_below(r, s->branches));
  x.to_frame = branch_frame(s, hub, rng_below(r, s->branches));
  return x;
}

static int propose_cycle(const struct scene *s, struct rng *r, struct candidate *out)
{
  struct frame_features wanted = {.gait = creature_find_gait(s->c, s->clips[0].clip->gait)};
  int strafing = task_strafes(s->task), others = task_draws(s->task);
  task_draw(s->task, r, &wanted);
  if (strafing && (!others || rng_below(r, 4)))
    wanted.direction = random_strafe(s, r);
  wanted.speed = speed_across(s, wanted.speed, wanted.direction);
  int hub = random_hub_clip(s, r, &wanted);
  *out = scene_cycle(s, r, hub, &wanted);
  if (strafing && rng_below(r, 2)) /* the torso turns under a direction that stays: bipeds like that, horses do not */
    out->turn = ground_wrap(strafe_of(s, hub) - out->strafe);
  return others || out->strafe != 0;
}

int scene_propose(struct arena *scratch, const struct scene *s, struct rng *r, struct candidate *out)
{
  int turns = task_turns(s->task),
      cycles = task_draws(s->task) || task_find_heading(s->task, TASK_HEADING_OF_TORSO) >= 0;
  if (cycles && (!turns || rng_below(r, 3) == 0))
    return propose_cycle(s, r, out);
  return propose_transition(scratch, s, r, out);
}

/* ---- words ---- */

const char *candidate_text(struct arena *arena, const struct creature *c, const struct candidate *x,
                           const char *(*clip_name)(void *user, int id), void *user)
{
  const char *gait = x->kind == CANDIDATE_TRANSITION ? "" : c->gaits[x->gait].name;
  const char *strafe = x->strafe != 0 ? arena_printf(arena, ", %.0f degrees off the nose", x->strafe * TO_DEGREES) : "";
  if (x->kind != CANDIDATE_TRANSITION)
    return arena_printf(arena, "%s at %.3g m/s%s", gait, x->speed, strafe);
  return arena_printf(arena, "turn by %.0f degrees from %s:%d to %s:%d in %d frames", x->turn * TO_DEGREES,
                      clip_name(user, x->from_clip), x->from_frame, clip_name(user, x->to_clip), x->to_frame,
                      x->frames);
}
