/* What both readers need: room, numbers, names for messages; and the way from a file to a creature's text. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "robots/limbs.h"
#include "robots/robots.h"

#define ROBOT_MOST 1e9          /* of any number: all that is computed from them stays finite */
#define ROBOT_MAX_NOTES 20

static int robot_count(const struct xml_node *n)
{
  int count = 0;
  for (const struct xml_node *c = n->children; c; c = c->next)
    count += 1 + robot_count(c);
  return count;
}

void robot_make_room(struct robot *r, const struct xml_node *root)
{
  size_t n = 1 + (size_t)robot_count(root);
  r->bodies = ARENA_NEW(r->arena, n, struct robot_body);
  r->joints = ARENA_NEW(r->arena, n, struct robot_joint);
  r->solids = ARENA_NEW(r->arena, n, struct robot_solid);
  r->left_out = ARENA_NEW(r->arena, ROBOT_MAX_NOTES, const char *);
}

const char *robot_describe(const struct robot *r, const struct xml_node *n)
{
  const char *name = xml_get(n, "name");
  if (name)
    return arena_printf(r->arena, "%.40s '%s'", n->name, text_clip(name).word);
  for (const struct xml_node *up = n->parent; up; up = up->parent)
    if ((name = xml_get(up, "name")))
      return arena_printf(r->arena, "%.40s of %.40s '%s'", n->name, up->name, text_clip(name).word);
  return arena_printf(r->arena, "element '%.40s'", n->name);
}

int robot_numbers(struct robot *r, const struct xml_node *n, const char *key, const char *text, int least, int most,
                  double *out)
{
  int count = 0;
  for (const char *s = text + strspn(text, " ,"); *s; s += strspn(s, " ,"), count++) {
    double x = 0;
    const char *next = text_scan_number(s, &x);
    if (!next || (*next && *next != ' ' && *next != ','))
      return ROBOT_ERROR(r, n, "%s of %s: expected numbers, found '%s'", key, robot_describe(r, n), text_clip(s).word);
    if (!(fabs(x) <= ROBOT_MOST))
      return ROBOT_ERROR(r, n, "%s of %s: must be of a size up to %g, found %g", key, robot_describe(r, n), ROBOT_MOST,
                         x);
    if (count < most)
      out[count] = x;
    s = next;
  }
  if (count >= least && count <= most)
    return count;
  return ROBOT_ERROR(r, n, "%s of %s: expected %d number%s, found %d", key, robot_describe(r, n),
                     count < least ? least : most, most == 1 ? "" : "s", count);
}

void robot_leave_out(struct robot *r, const char *what)
{
  for (int i = 0; i < r->n_left_out; i++)
    if (!strcmp(r->left_out[i], what))
      return;
  if (r->n_left_out < ROBOT_MAX_NOTES)
    r->left_out[r->n_left_out++] = what;
}

static const char *robot_name_of(const struct robot *r, const struct xml_node *n, int i)
{
  const char *name = xml_get(n, "name");
  return name && *name ? name : arena_printf(r->arena, "%.20s%d", n->name, i);
}

struct robot_body *robot_add_body(struct robot *r, const struct xml_node *n, int parent)
{
  struct robot_body *b = &r->bodies[r->n_bodies];
  *b = (struct robot_body){.node = n, .name = robot_name_of(r, n, r->n_bodies), .parent = parent, .quat = {1}};
  r->n_bodies++;
  return b;
}

struct robot_joint *robot_add_joint(struct robot *r, const struct xml_node *n, int body)
{
  struct robot_joint *j = &r->joints[r->n_joints];
  *j = (struct robot_joint){.node = n, .name = robot_name_of(r, n, r->n_joints), .body = body, .axis = {0, 0, 1},
                            .lower = -INFINITY, .upper = INFINITY, .torque = INFINITY, .home = NAN};
  r->n_joints++;
  return j;
}

/* ---- the whole ---- */

int robots_is_robot(const char *path)
{
  static const char *const ends[] = {".xml", ".mjcf", ".urdf", ".xacro"};
  size_t n = strlen(path);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (n > strlen(ends[i]) && !strcasecmp(path + n - strlen(ends[i]), ends[i]))
      return 1;
  return 0;
}

/* xacro is a language that makes URDF, not a description. */
static int robot_is_xacro(const struct xml_node *n)
{
  if (!strncmp(n->name, "xacro:", 6))
    return 1;
  for (const struct xml_node *c = n->children; c; c = c->next)
    if (robot_is_xacro(c))
      return 1;
  return 0;
}

static int robot_read(struct robot *r, struct xml_node *root)
{
  if (robot_is_xacro(root))
    return ROBOT_ERROR(r, root, "this is xacro, which makes a URDF and is none: run 'xacro FILE -o robot.urdf' first");
  if (!strcmp(root->name, "mujoco"))
    return robot_read_mjcf(r, root);
  if (!strcmp(root->name, "robot"))
    return robot_read_urdf(r, root);
  return ROBOT_ERROR(r, root, "the outermost element is '%s'; it is 'mujoco' in MJCF and 'robot' in URDF",
                     text_clip(root->name).word);
}

static const char *robots_make(struct arena *arena, struct xml_node *root, const struct robots_options *o,
                               struct robots_report *report, struct diag *d)
{
  struct robot r = {.arena = arena, .d = d};
  int errors = d->n_errors;
  if (!root || !robot_read(&r, root) || d->n_errors > errors)
    return NULL;
  const char *text = limbs_text(&r, o, report);
  return d->n_errors > errors ? NULL : text;
}

/* Reading needs more than the text that is left of it. */
static const char *robots_keep(struct arena *arena, struct arena *work, const char *text, struct robots_report *report)
{
  const char *kept = text ? arena_strdup(arena, text) : NULL;
  report->gaits = text && report->gaits ? arena_strdup(arena, report->gaits) : NULL;
  report->rest = text && report->rest ? arena_strdup(arena, report->rest) : NULL;
  arena_free(work);
  return kept;
}

const char *robots_creature(struct arena *arena, const char *path, const struct robots_options *o,
                            struct robots_report *report, struct diag *d)
{
  struct arena *work = arena_new();
  *report = (struct robots_report){0};
  return robots_keep(arena, work, robots_make(work, xml_read_file(work, path, d), o, report, d), report);
}

const char *robots_creature_of_text(struct arena *arena, const char *path, const char *text, size_t length,
                                    const struct robots_options *o, struct robots_report *report, struct diag *d)
{
  struct arena *work = arena_new();
  *report = (struct robots_report){0};
  return robots_keep(arena, work, robots_make(work, xml_parse(work, path, text, length, d), o, report, d), report);
}
