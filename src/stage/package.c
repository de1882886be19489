/* Packages: written and read section by section, from one table. See package.h. */
#include "stage/package.h"

#include <math.h>
#include <string.h>

#include "motion/motion_bytes.h"

#define TAG 4
#define MOST_VALUES 1000000      /* of a grid                  */
#define MOST_PARAMETERS 64

static const char magic[8] = {'M', 'U', 'Y', 'S', 'T', 'A', 'G', 'E'};

/* ---- what of a task is packed ---- */

static struct stage_parameter parameter_of(const struct task_parameter *p)
{
  return (struct stage_parameter){.name = p->kind->name, .kind = p->kind->name, .unit = p->kind->si_unit,
                                  .space = p->kind->space, .relative = p->kind->relative, .n = p->n,
                                  .values = p->values, .names = p->kind->space == TASK_CATEGORY ? p->names : NULL};
}

const struct stage_task *stage_task_of(struct arena *arena, const struct task *t)
{
  struct stage_task *out = ARENA_NEW(arena, 1, struct stage_task);
  struct stage_parameter *parameters = ARENA_NEW(arena, (size_t)t->n_parameters, struct stage_parameter);
  for (int i = 0; i < t->n_parameters; i++)
    parameters[i] = parameter_of(&t->parameters[i]);
  *out = (struct stage_task){t->name, t->n_parameters, parameters};
  return out;
}

/* ---- writing ---- */

static void put_clips(struct bytes_writer *w, const struct stage_package *p)
{
  graph_input_put(w, &p->clips);
}

static void put_player(struct bytes_writer *w, const struct stage_package *p)
{
  bytes_put(w, p->player, p->n_player);
}

static void put_task(struct bytes_writer *w, const struct stage_package *p)
{
  const struct stage_task *t = p->task;
  bytes_put_text(w, t->name);
  bytes_put_int(w, t->n_parameters);
  for (int i = 0; i < t->n_parameters; i++) {
    const struct stage_parameter *a = &t->parameters[i];
    bytes_put_text(w, a->name);
    bytes_put_text(w, a->kind);
    bytes_put_text(w, a->unit);
    bytes_put_int(w, (int)a->space);
    bytes_put_int(w, a->relative);
    bytes_put_int(w, a->n);
    bytes_put_reals(w, a->values, (size_t)a->n);
    bytes_put_int(w, a->names != NULL);
    for (int k = 0; a->names && k < a->n; k++)
      bytes_put_text(w, a->names[k]);
  }
}

static void put_controls(struct bytes_writer *w, const struct stage_package *p)
{
  bytes_put_real(w, p->step);
  bytes_put(w, p->controls, p->n_controls);
}

static void put_note(struct bytes_writer *w, const struct stage_package *p)
{
  bytes_put(w, p->note, strlen(p->note));
}

/* ---- reading: 0 if something is wrong ---- */

static int get_clips(struct bytes_reader *r, struct stage_package *p)
{
  return graph_input_get(r, &p->clips) && r->left == 0;
}

static int get_player(struct bytes_reader *r, struct stage_package *p)
{
  p->n_player = r->left;
  p->player = bytes_take(r, r->left);
  return p->n_player > 0;
}

/* Values that a grid can have: numbers that ascend; a category's in any order. */
static int values_fit(const struct stage_parameter *p)
{
  for (int i = 0; i < p->n; i++)
    if (!isfinite(p->values[i]) || (!p->names && i > 0 && !(p->values[i] > p->values[i - 1])))
      return 0;
  return 1;
}

static int get_parameter(struct bytes_reader *r, struct stage_parameter *p)
{
  *p = (struct stage_parameter){.name = bytes_get_name(r)};
  p->kind = bytes_get_name(r);
  p->unit = bytes_get_name(r);
  p->space = (enum task_space)bytes_get_within(r, TASK_CIRCLE, TASK_CATEGORY);
  p->relative = bytes_get_within(r, 0, 1);
  p->n = bytes_get_within(r, 1, MOST_VALUES);
  p->values = bytes_get_reals(r, (size_t)p->n);
  int named = bytes_get_within(r, 0, 1);
  r->bad |= named != (p->space == TASK_CATEGORY) || (named && (size_t)p->n > r->left / 4);
  const char **names = named && !r->bad ? ARENA_NEW(r->arena, (size_t)p->n, const char *) : NULL;
  for (int i = 0; names && i < p->n; i++)
    names[i] = bytes_get_name(r);
  p->names = names;
  return !r->bad && values_fit(p);
}

static int get_task(struct bytes_reader *r, struct stage_package *p)
{
  struct stage_task *t = ARENA_NEW(r->arena, 1, struct stage_task);
  *t = (struct stage_task){.name = bytes_get_name(r), .n_parameters = bytes_get_within(r, 0, MOST_PARAMETERS)};
  struct stage_parameter *parameters = ARENA_NEW(r->arena, (size_t)t->n_parameters, struct stage_parameter);
  for (int i = 0; i < t->n_parameters; i++)
    if (!get_parameter(r, &parameters[i]))
      return 0;
  t->parameters = parameters;
  p->task = t;
  return !r->bad && r->left == 0;
}

static int get_controls(struct bytes_reader *r, struct stage_package *p)
{
  p->step = bytes_get_real(r);
  p->n_controls = r->left;
  p->controls = bytes_take(r, r->left);
  return !r->bad && p->n_controls > 0 && p->step > 0 && p->step < 1;
}

static int get_note(struct bytes_reader *r, struct stage_package *p)
{
  size_t n = r->left;
  char *text = arena_alloc(r->arena, n + 1, 1);
  bytes_get(r, text, n);
  p->note = text;
  return strlen(text) == n;
}

/* ---- sections ---- */

static int always(const struct stage_package *p) { return p->clips.creature != NULL; }
static int has_player(const struct stage_package *p) { return p->player != NULL; }
static int has_task(const struct stage_package *p) { return p->task != NULL; }
static int has_controls(const struct stage_package *p) { return p->controls != NULL; }
static int has_note(const struct stage_package *p) { return p->note != NULL; }

static const struct section {
  char tag[TAG + 1];
  const char *what;             /* for messages */
  int (*has)(const struct stage_package *p);
  void (*put)(struct bytes_writer *w, const struct stage_package *p);
  int (*get)(struct bytes_reader *r, struct stage_package *p);
} sections[] = {
  {"CLIP", "the creature and its clips", always, put_clips, get_clips},
  {"PLAY", "the controller", has_player, put_player, get_player},
  {"TASK", "the task", has_task, put_task, get_task},
  {"CTRL", "the control graph", has_controls, put_controls, get_controls},
  {"NOTE", "the note", has_note, put_note, get_note},
};
#define N_SECTIONS (sizeof sections / sizeof *sections)

void stage_package_put(struct bytes_writer *w, const struct stage_package *p)
{
  bytes_put(w, magic, sizeof magic);
  bytes_put_bits(w, STAGE_PACKAGE_VERSION, 4);
  for (size_t i = 0; i < N_SECTIONS; i++) {
    if (!sections[i].has(p))
      continue;
    struct bytes_writer length = {NULL, 0}; /* only counts */
    sections[i].put(&length, p);
    bytes_put(w, sections[i].tag, TAG);
    bytes_put_bits(w, length.n, 8);
    sections[i].put(w, p);
  }
}

static void put_package(struct bytes_writer *w, const void *what)
{
  stage_package_put(w, what);
}

const void *stage_package_bytes(struct arena *arena, const struct stage_package *p, size_t *n)
{
  return bytes_pack(arena, put_package, p, n);
}

static const struct section *find_section(const unsigned char *tag)
{
  for (size_t i = 0; i < N_SECTIONS; i++)
    if (!memcmp(sections[i].tag, tag, TAG))
      return &sections[i];
  return NULL;
}

/* One section of the package. 0 after an error. */
static int get_section(struct bytes_reader *r, const char *file, struct stage_package *out, struct diag *d)
{
  const unsigned char *tag = bytes_take(r, TAG);
  uint64_t n = bytes_get_bits(r, 8);
  if (r->bad || n > r->left) {
    diag_error(d, file, 0, "the package ends in the middle of a section: %zu bytes are left", r->left);
    return 0;
  }
  const struct section *s = find_section(tag);
  struct bytes_reader inside = {.at = bytes_take(r, (size_t)n), .left = (size_t)n, .arena = r->arena};
  if (!s)
    return 1;
  if (s->has(out)) {
    diag_error(d, file, 0, "the package has %s twice", s->what);
    return 0;
  }
  if (!s->get(&inside, out) || inside.bad) {
    diag_error(d, file, 0, "%s in the package (section %s, %zu bytes) cannot be read: the bytes are damaged", s->what,
               s->tag, (size_t)n);
    return 0;
  }
  return 1;
}

int stage_package_get(struct arena *arena, const void *bytes, size_t n, const char *file, struct stage_package *out,
                      struct diag *d)
{
  struct bytes_reader r = {.at = bytes, .left = n, .arena = arena};
  const unsigned char *head = bytes_take(&r, sizeof magic);
  *out = (struct stage_package){0};
  if (!head || memcmp(head, magic, sizeof magic)) {
    diag_error(d, file, 0, "this is no package of the stage: it does not begin with \"MUYSTAGE\"");
    return 0;
  }
  uint64_t version = bytes_get_bits(&r, 4);
  if (r.bad || version != STAGE_PACKAGE_VERSION) {
    diag_error(d, file, 0, "the package has version %llu; this stage reads version %d", (unsigned long long)version,
               STAGE_PACKAGE_VERSION);
    return 0;
  }
  while (r.left > 0)
    if (!get_section(&r, file, out, d))
      return 0;
  if (!out->clips.creature || out->clips.n_clips < 1) {
    diag_error(d, file, 0, "the package has no %s", out->clips.creature ? "clip" : "creature and clips (section CLIP)");
    return 0;
  }
  return 1;
}
