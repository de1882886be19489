/* The player: plays what muybridge-player-read.c has read and checked. muybridge-player.h has the contract. No include
 * but libc's: a game may copy the three files. */
#include "muybridge-player.h"

#include <math.h>
#include <string.h>

#define TURN 6.283185307179586476925 /* a whole one [rad] */

/* ---- choosing ---- */

int muy_player_find(const struct muy_player_controller *c, const char *name)
{
  for (int i = 0; i < c->n_parameters; i++)
    if (strcmp(c->parameters[i].name, name) == 0) return i;
  return -1;
}

/* The last grid point at or below theta, 0 if there is none. */
static int point_below(const struct muy_player_parameter *p, double theta)
{
  int low = 0, high = p->n_values;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (p->values[middle] <= theta) low = middle;
    else high = middle;
  }
  return low;
}

/* The two grid points around theta, and the share of the second. */
static double neighbours(const struct muy_player_parameter *p, double theta, int point[2])
{
  int last = p->n_values - 1;
  double from = p->values[0];
  if (p->space == MUY_PLAYER_CATEGORY) {
    point[0] = point[1] = theta > 0 ? theta < last ? (int)(theta + 0.5) : last : 0;
    return 0;
  }
  if (p->space == MUY_PLAYER_CIRCLE) {
    theta = fmod(theta - from, TURN);
    theta = from + (theta < 0 ? theta + TURN : theta);
    point[0] = point_below(p, theta);
    point[1] = point[0] < last ? point[0] + 1 : 0;
    double next = point[0] < last ? p->values[point[1]] : from + TURN;
    return (theta - p->values[point[0]]) / (next - p->values[point[0]]);
  }
  theta = fmax(theta, from); /* beyond the other end there is no next point */
  point[0] = point_below(p, theta);
  point[1] = point[0] < last ? point[0] + 1 : last;
  return point[0] < last ? (theta - p->values[point[0]]) / (p->values[point[1]] - p->values[point[0]]) : 0;
}

struct corner { size_t cell; double weight; }; /* of the grid cell around theta */
enum { CORNERS_MOST = 1 << MUY_PLAYER_PARAMETERS_MOST };

/* Parameter by parameter, each corner so far becomes one or two; cells are numbered row by row. */
static int corners_of(const struct muy_player_controller *c, const double *theta, struct corner *corner)
{
  int n = 1;
  corner[0] = (struct corner){0, 1};
  for (int i = 0; i < c->n_parameters; i++) {
    const struct muy_player_parameter *p = &c->parameters[i];
    int point[2], splits;
    double share = neighbours(p, theta[i], point);
    splits = share > 0;
    for (int k = 0; k < n; k++) {
      size_t row = corner[k].cell * (size_t)p->n_values;
      if (splits) corner[n + k] = (struct corner){row + (size_t)point[1], corner[k].weight * share};
      corner[k] = (struct corner){row + (size_t)point[0], corner[k].weight * (splits ? 1 - share : 1)};
    }
    n = splits ? 2 * n : n;
  }
  return n;
}

static double value_at(const struct muy_player_segment *s, const struct corner *corner, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += corner[k].weight * (double)s->values[corner[k].cell];
  return sum;
}

double muy_player_value(const struct muy_player_controller *c, int segment, const double *theta)
{
  struct corner corner[CORNERS_MOST];
  return value_at(&c->segments[segment], corner, corners_of(c, theta, corner));
}

int muy_player_choose(const struct muy_player_controller *c, int node, const double *theta)
{
  struct corner corner[CORNERS_MOST];
  int n = corners_of(c, theta, corner), best = c->first_segment[node];
  double least = value_at(&c->segments[best], corner, n);
  for (int i = best + 1; i < c->first_segment[node + 1]; i++) {
    double value = value_at(&c->segments[i], corner, n);
    if (value < least) least = value, best = i;
  }
  return best;
}

/* ---- moving over the ground ---- */

struct muy_player_motion muy_player_compose(struct muy_player_motion a, struct muy_player_motion b)
{
  double s = sin(a.yaw), c = cos(a.yaw);
  return (struct muy_player_motion){a.x + c * b.x - s * b.y, a.y + s * b.x + c * b.y, a.yaw + b.yaw};
}

struct muy_player_motion muy_player_inverse(struct muy_player_motion a)
{
  struct muy_player_motion turn = {0, 0, -a.yaw};
  struct muy_player_motion back = muy_player_compose(turn, (struct muy_player_motion){a.x, a.y, 0});
  return (struct muy_player_motion){-back.x, -back.y, -a.yaw};
}

static double wrap(double angle) /* to (-pi, pi] */
{
  double wrapped = remainder(angle, TURN);
  return wrapped <= -TURN / 2 ? TURN / 2 : wrapped;
}

static const double *pose_of(const struct muy_player_controller *c, const struct muy_player_moment *m)
{
  return c->clips[m->clip].q + (size_t)m->frame * (size_t)c->n_dofs;
}

/* The root in the world: x, y, z, yaw. */
static void root_of(const struct muy_player_controller *c, const struct muy_player_moment *m, double root[4])
{
  const double *q = pose_of(c, m);
  struct muy_player_motion world = muy_player_compose(m->place, (struct muy_player_motion){q[0], q[1], q[3]});
  root[0] = world.x, root[1] = world.y, root[2] = q[2], root[3] = world.yaw;
}

/* ---- playing ---- */

static const struct muy_player_segment *segment_of(const struct muy_player *p)
{
  return &p->controller->segments[p->segment];
}

/* Sets `now` from where the player is in its segment. The heading is kept within a turn so that it stays exact for
 * ever; the pose's yaw takes as many turns as bring it next to `beside`, so that it never jumps. */
static void reach_frame(struct muy_player *p, double beside)
{
  const struct muy_player_piece *piece = &segment_of(p)->pieces[p->piece];
  struct muy_player_moment *now = &p->now;
  *now = (struct muy_player_moment){.clip = piece->clip, .frame = piece->first + p->within,
                                .place = muy_player_compose(p->ground, piece->place)};
  double yaw = now->place.yaw + pose_of(p->controller, now)[3];
  now->place.yaw += TURN * round((beside - yaw) / TURN);
  now->force_clip = now->clip, now->force_frame = now->frame, now->force_yaw = now->place.yaw;
}

/* The forces of `now`, the end of a segment: those of the frame after its last piece. A clip that is not cyclic may end
 * there; then nothing better is known than the forces of the next segment. */
static void keep_forces(struct muy_player *p, const struct muy_player_segment *s, double heading)
{
  const struct muy_player_piece *last = &s->pieces[s->n_pieces - 1];
  const struct muy_player_clip *clip = &p->controller->clips[last->clip];
  int frame = last->first + last->count, over = frame == clip->n_frames;
  if (over && !clip->cyclic) return;
  p->now.force_clip = last->clip, p->now.force_frame = over ? 0 : frame;
  p->now.force_yaw = heading + last->place.yaw + (over ? clip->advance.yaw : 0);
}

/* Decides at a node, with the ground frame already there. */
static void choose_segment(struct muy_player *p, int node)
{
  double theta[MUY_PLAYER_PARAMETERS_MOST];
  for (int i = 0; i < p->controller->n_parameters; i++)
    theta[i] = p->asked[i] - (p->controller->parameters[i].relative ? p->ground.yaw : 0);
  p->segment = muy_player_choose(p->controller, node, theta);
  p->at = p->piece = p->within = 0;
}

static double yaw_of(const struct muy_player *p, const struct muy_player_moment *m)
{
  return m->place.yaw + pose_of(p->controller, m)[3];
}

void muy_player_step(struct muy_player *p)
{
  const struct muy_player_segment *s = segment_of(p);
  double heading = p->ground.yaw;
  int arrives = ++p->at == s->n_frames;
  p->before = p->now;
  p->n_steps++;
  if (++p->within == s->pieces[p->piece].count) p->piece++, p->within = 0;
  if (arrives) {
    p->ground = muy_player_compose(p->ground, s->motion);
    p->ground.yaw = wrap(p->ground.yaw);
    choose_segment(p, s->to);
  }
  reach_frame(p, yaw_of(p, &p->before));
  if (arrives) keep_forces(p, s, heading);
}

int muy_player_advance(struct muy_player *p, double seconds)
{
  if (!(seconds >= 0 && seconds <= MUY_PLAYER_ADVANCE_MOST)) return -1; /* a NaN too */
  int reached = 0;
  for (p->behind -= seconds / p->controller->dt; p->behind < 0; p->behind += 1, reached++)
    muy_player_step(p);
  return reached;
}

int muy_player_peek(const struct muy_player *p)
{
  struct muy_player next = *p;
  next.ground = muy_player_compose(p->ground, segment_of(p)->motion);
  next.ground.yaw = wrap(next.ground.yaw);
  choose_segment(&next, segment_of(p)->to);
  return next.segment;
}

int muy_player_start(struct muy_player *p, int node, double x, double y, double heading)
{
  if (node < 0 || node >= p->controller->n_nodes || !isfinite(x) || !isfinite(y) || !isfinite(heading)) return 0;
  p->ground = (struct muy_player_motion){x, y, wrap(heading)};
  p->behind = 0;
  p->n_steps = 0;
  choose_segment(p, node);
  reach_frame(p, p->ground.yaw);
  p->before = p->now;
  return 1;
}

void muy_player_init(struct muy_player *p, const struct muy_player_controller *c)
{
  *p = (struct muy_player){.controller = c};
  for (int i = 0; i < c->n_parameters; i++) {
    const struct muy_player_parameter *parameter = &c->parameters[i];
    if (parameter->space == MUY_PLAYER_CIRCLE && !parameter->relative) p->asked[i] = parameter->values[0];
    if (parameter->space == MUY_PLAYER_INTERVAL)
      p->asked[i] = (parameter->values[0] + parameter->values[parameter->n_values - 1]) / 2;
  }
  muy_player_start(p, 0, 0, 0, 0);
}

int muy_player_place(struct muy_player *p, double x, double y, double heading)
{
  if (!isfinite(x) || !isfinite(y) || !isfinite(heading)) return 0;
  const double *q = pose_of(p->controller, &p->now);
  struct muy_player_motion old = p->ground, root = {q[0], q[1], 0};
  struct muy_player_moment now = p->now;
  root = muy_player_compose(segment_of(p)->pieces[p->piece].place, root);
  p->ground = (struct muy_player_motion){0, 0, wrap(heading)};
  root = muy_player_compose(p->ground, root);
  p->ground.x = x - root.x, p->ground.y = y - root.y;
  double turn = p->ground.yaw - old.yaw;
  p->before.place = muy_player_compose(muy_player_compose(p->ground, muy_player_inverse(old)), p->before.place);
  p->before.force_yaw += turn;
  reach_frame(p, yaw_of(p, &p->before));
  p->now.force_clip = now.force_clip, p->now.force_frame = now.force_frame, p->now.force_yaw = now.force_yaw + turn;
  return 1;
}

int muy_player_set(struct muy_player *p, int parameter, double value)
{
  if (parameter < 0 || parameter >= p->controller->n_parameters || !isfinite(value)) return 0;
  const struct muy_player_parameter *what = &p->controller->parameters[parameter];
  if (what->space == MUY_PLAYER_CATEGORY) {
    value = round(value);
    if (!(value >= 0 && value < what->n_values)) return 0;
  }
  if (what->space == MUY_PLAYER_INTERVAL) value = fmin(fmax(value, what->values[0]), what->values[what->n_values - 1]);
  p->asked[parameter] = what->space == MUY_PLAYER_CIRCLE ? wrap(value) : value;
  if (p->n_steps == 0) { /* the first choice was made before anything could be asked */
    choose_segment(p, segment_of(p)->from);
    reach_frame(p, yaw_of(p, &p->before));
  }
  return 1;
}

int muy_player_set_category(struct muy_player *p, int parameter, const char *category)
{
  if (parameter < 0 || parameter >= p->controller->n_parameters) return 0;
  const struct muy_player_parameter *what = &p->controller->parameters[parameter];
  for (int i = 0; what->categories && i < what->n_values; i++)
    if (strcmp(what->categories[i], category) == 0) return muy_player_set(p, parameter, i);
  return 0;
}

/* ---- reading a player ---- */

double muy_player_time(const struct muy_player *p)
{
  return ((double)p->n_steps - p->behind) * p->controller->dt;
}

/* The two frames between which the pose shown lies. */
struct shown {
  const double *now, *before; /* poses in their clips' own frames */
  double root_now[4], root_before[4], behind;
};

static struct shown show(const struct muy_player *p)
{
  const struct muy_player_controller *c = p->controller;
  struct shown s = {.now = pose_of(c, &p->now), .before = pose_of(c, &p->before), .behind = p->behind};
  root_of(c, &p->now, s.root_now);
  root_of(c, &p->before, s.root_before);
  return s;
}

static double shown_dof(const struct shown *s, int i)
{
  double to = i < 4 ? s->root_now[i] : s->now[i], from = i < 4 ? s->root_before[i] : s->before[i];
  return s->behind > 0 ? to + s->behind * (from - to) : to;
}

void muy_player_pose(const struct muy_player *p, double *q)
{
  struct shown s = show(p);
  for (int i = 0; i < p->controller->n_dofs; i++)
    q[i] = shown_dof(&s, i);
}

/* turn becomes turn times the rotation by an angle about a unit vector. */
static void turn_about(const double *axis, double angle, double *turn)
{
  double w = cos(angle / 2), s = sin(angle / 2), x = s * axis[0], y = s * axis[1], z = s * axis[2];
  const double a[4] = {turn[0], turn[1], turn[2], turn[3]};
  turn[0] = a[0] * w - a[1] * x - a[2] * y - a[3] * z;
  turn[1] = a[0] * x + a[1] * w + a[2] * z - a[3] * y;
  turn[2] = a[0] * y - a[1] * z + a[2] * w + a[3] * x;
  turn[3] = a[0] * z + a[1] * y - a[2] * x + a[3] * w;
}

/* out = at + turn v turn^-1, with u the vector part of turn: v + 2 w (u x v) + 2 u x (u x v). */
static void place_within(const struct muy_player_place *frame, const double *v, double *out)
{
  const double w = frame->turn[0], *u = frame->turn + 1;
  const double c[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double d[3] = {u[1] * c[2] - u[2] * c[1], u[2] * c[0] - u[0] * c[2], u[0] * c[1] - u[1] * c[0]};
  for (int k = 0; k < 3; k++)
    out[k] = frame->at[k] + v[k] + 2 * (w * c[k] + d[k]);
}

int muy_player_bones(const struct muy_player *p, struct muy_player_place *bones)
{
  const struct muy_player_controller *c = p->controller;
  struct shown s = show(p);
  for (int i = 0; i < c->n_bones; i++) {
    const struct muy_player_bone *b = &c->bones[i];
    const struct muy_player_place root = {{0, 0, 0}, {1, 0, 0, 0}}, *outer = i ? &bones[b->parent] : &root;
    int first = i ? b->first_dof : 3; /* the first three move the root */
    bones[i] = *outer;
    if (i) place_within(outer, b->at, bones[i].at);
    else
      for (int k = 0; k < 3; k++)
        bones[i].at[k] = shown_dof(&s, k);
    for (int k = first; k < b->first_dof + b->n_dofs; k++)
      turn_about(c->axes + 3 * (size_t)k, shown_dof(&s, k), bones[i].turn);
  }
  return c->n_bones > 0;
}

/* Adds a share of the forces of a frame, turned into the world. */
static void add_forces(const struct muy_player_controller *c, const struct muy_player_moment *m, double share,
                       double *force)
{
  const double *own = c->clips[m->force_clip].force + (size_t)m->force_frame * (size_t)c->n_points * 3;
  double sine = sin(m->force_yaw), cosine = cos(m->force_yaw);
  for (int i = 0; i < c->n_points; i++, own += 3, force += 3) {
    force[0] += share * (cosine * own[0] - sine * own[1]);
    force[1] += share * (sine * own[0] + cosine * own[1]);
    force[2] += share * own[2];
  }
}

int muy_player_forces(const struct muy_player *p, double *force)
{
  const struct muy_player_controller *c = p->controller;
  for (int i = 0; i < 3 * c->n_points; i++)
    force[i] = 0;
  if (!c->has_forces) return 0;
  add_forces(c, &p->now, 1 - p->behind, force);
  if (p->behind > 0) add_forces(c, &p->before, p->behind, force);
  return 1;
}

int muy_player_contacts(const struct muy_player *p, unsigned char *contact)
{
  const struct muy_player_controller *c = p->controller;
  const struct muy_player_moment *m = p->behind > 0.5 ? &p->before : &p->now;
  size_t row = (size_t)m->force_frame * (size_t)c->n_points;
  for (int i = 0; i < c->n_points; i++)
    contact[i] = c->has_forces ? c->clips[m->force_clip].contact[row + (size_t)i] : 0;
  return c->has_forces;
}

struct muy_player_features muy_player_features(const struct muy_player *p)
{
  struct muy_player_features f = segment_of(p)->features[p->at];
  f.direction = wrap(f.direction + p->ground.yaw);
  f.torso = wrap(f.torso + p->ground.yaw);
  return f;
}
