/* The run file: what goes in comes out, bit for bit; nothing that was in is lost, whatever happens to the process, the
 * disk or the file; and each mishap is told in plain words. SQLite is used here only to do harm. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "check.h"
#include "exchange/exchange.h"
#include "store/store.h"
#include "zoo.h"

#define KILLS 24
#define NOBODY 65534

static const char hopper[] =
    "name = hopper\n"
    "limb body  { from = {-0.2, 0, 0}  to = {0.2, 0, 0}  radius = 0.1  mass = 8 }\n"
    "limb thigh { parent = body  mirror = true  at = {0, 0.1, 0}  to = {0, 0, -0.3}  radius = 0.04  mass = 1\n"
    "             axis flexion { about = -y  range = {-40, 90}  rest = 25 } axis abduction { about = x } }\n"
    "limb shank { parent = thigh  to = {0, 0, -0.3}  radius = 0.03  mass = 0.5\n"
    "             axis flexion { about = y  rest = 50 } }\n"
    "foot paw   { limb = shank }\n"
    "gait hop   { period = 0.5  speed = {0.5, 2}  right_lag = 0  contact paw { on = {0, 0.4} } }\n";

static char folder[] = "/tmp/muybridge-store-XXXXXX";

/* ---- helpers ---- */

static const char *in_folder(struct arena *arena, const char *name)
{
  return arena_printf(arena, "%s/%s", folder, name);
}

static void write_bytes(const char *path, const char *bytes, size_t n)
{
  FILE *out = fopen(path, "wb");
  CHECK(out && fwrite(bytes, 1, n, out) == n);
  CHECK(out && fclose(out) == 0);
}

static char *read_bytes(struct arena *arena, const char *path, size_t *n)
{
  struct stat about;
  FILE *in = fopen(path, "rb");
  *n = 0;
  CHECK(in && stat(path, &about) == 0);
  if (!in)
    return "";
  char *bytes = arena_alloc(arena, (size_t)about.st_size + 1, 1);
  *n = fread(bytes, 1, (size_t)about.st_size, in);
  fclose(in);
  return bytes;
}

static void empty_folder(void)
{
  struct arena *arena = arena_new();
  DIR *dir = opendir(folder);
  for (struct dirent *e; dir && (e = readdir(dir));)
    if (e->d_name[0] != '.')
      remove(in_folder(arena, e->d_name));
  if (dir)
    closedir(dir);
  arena_free(arena);
}

/* Compares the messages with a text in which @ stands for the folder, and clears them. */
static void check_says(struct diag *d, const char *expected)
{
  struct arena *arena = arena_new();
  char *text = diag_text(d), *out = arena_alloc(arena, strlen(expected) * sizeof folder + 1, 1);
  for (const char *p = expected; *p; p++)
    strncat(out, *p == '@' ? folder : p, *p == '@' ? sizeof folder : 1);
  CHECK_STR(text, out);
  free(text);
  diag_clear(d);
  arena_free(arena);
}

/* Does SQL behind the store's back. */
static void harm(const char *path, const char *sql)
{
  sqlite3 *db;
  CHECK(sqlite3_open(path, &db) == SQLITE_OK);
  CHECK(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
  sqlite3_close(db);
}

/* A clip of numbers that only its seed and number determine: among them 0, -0, and the smallest and largest. */
static struct clip *random_clip(struct arena *arena, const struct creature *c, uint64_t seed, int id)
{
  static const double special[] = {0.0, -0.0, 5e-324, -2.2250738585072011e-308, 1.7976931348623157e308, -1e-17};
  struct rng r = rng_stream(seed, (uint64_t)id);
  struct clip *k = clip_new(arena, c, 20 + rng_below(&r, 30), 1 / rng_uniform(&r, 20, 200));
  k->name = arena_printf(arena, "clip-%d", id);
  k->gait = "walk";
  k->gait_after = id % 3 ? "walk" : "trot";
  k->cyclic = id % 2;
  k->speed = rng_normal(&r);
  k->strafe = -0.0;
  k->turn = id % 2 ? -1e-300 : 3;
  k->advance = (struct clip_advance){rng_normal(&r), -0.0, rng_normal(&r)};
  k->from = (struct clip_end){id, id + 1};
  k->to = (struct clip_end){id + 2, -1};
  for (int i = 0; i < k->n_frames * k->n_dofs; i++)
    k->q[i] = rng_below(&r, 10) ? rng_normal(&r) : special[rng_below(&r, 6)];
  for (int i = 0; i < k->n_frames * k->n_points; i++)
    k->contact[i] = (unsigned char)rng_below(&r, 2);
  for (int i = 0; i < k->n_frames * k->n_points * 3; i++)
    k->force[i] = rng_normal(&r) * 1e3;
  return k;
}

static int same_bits(const void *a, const void *b, size_t n)
{
  return n == 0 || memcmp(a, b, n) == 0;
}

/* Every bit, the sign of zero too. */
static int same_clip(const struct clip *a, const struct clip *b)
{
  size_t frames = (size_t)a->n_frames, n = frames * (size_t)a->n_dofs, m = frames * (size_t)a->n_points;
  const double x[] = {a->dt, a->speed, a->strafe, a->turn, a->advance.x, a->advance.y, a->advance.yaw};
  const double y[] = {b->dt, b->speed, b->strafe, b->turn, b->advance.x, b->advance.y, b->advance.yaw};
  return a->n_frames == b->n_frames && a->n_dofs == b->n_dofs && a->n_points == b->n_points &&
         a->cyclic == b->cyclic && !strcmp(a->name, b->name) && !strcmp(a->gait, b->gait) &&
         !strcmp(a->gait_after, b->gait_after) && a->from.clip == b->from.clip && a->from.frame == b->from.frame &&
         a->to.clip == b->to.clip && a->to.frame == b->to.frame && same_bits(x, y, sizeof x) &&
         same_bits(a->q, b->q, n * sizeof *a->q) && same_bits(a->force, b->force, 3 * m * sizeof *a->force) &&
         same_bits(a->contact, b->contact, m);
}

static struct store *open_hopper(struct arena *arena, const char *path, const struct creature **c, struct diag *d)
{
  struct store *s = store_open(arena, path, STORE_WRITE, d);
  if (s && store_put_creature_text(s, "hopper.creature", hopper, strlen(hopper), d))
    *c = store_get_creature(arena, s, d);
  return s;
}

/* A new file with the hopper and n clips of seed 1. */
static const char *hopper_run(struct arena *arena, const char *name, int n)
{
  const char *path = in_folder(arena, name);
  const struct creature *c = NULL;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  CHECK(c != NULL);
  for (int i = 1; i <= n && c; i++)
    CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, i), NULL, &d), i);
  store_close(s);
  check_says(&d, "");
  return path;
}

/* ---- what goes in comes out ---- */

static char *mjcf(const struct creature *c)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  CHECK(out && exchange_write_mjcf(c, out) == 0);
  if (out)
    fclose(out);
  return text;
}

/* All that a creature file says: the model as we export it, and what no model has. */
static void check_same_creature(const struct creature *a, const struct creature *b)
{
  char *x = mjcf(a), *y = mjcf(b);
  CHECK_STR(x, y);
  free(x), free(y);
  CHECK_STR(a->file, b->file);
  CHECK_STR(a->summary ? a->summary : "", b->summary ? b->summary : "");
  CHECK(a->n_gaits == b->n_gaits && a->n_feet == b->n_feet && a->height == b->height && a->frame_rate == b->frame_rate);
  for (int i = 0; i < a->n_dofs && a->n_dofs == b->n_dofs; i++)
    CHECK(a->dofs[i].servo_kp == b->dofs[i].servo_kp && a->dofs[i].mirror == b->dofs[i].mirror &&
          a->dofs[i].lower == b->dofs[i].lower && a->dofs[i].torque_max == b->dofs[i].torque_max);
  for (int i = 0; i < a->n_gaits && a->n_gaits == b->n_gaits; i++) {
    const struct gait *g = &a->gaits[i], *h = &b->gaits[i];
    CHECK_STR(g->name, h->name);
    CHECK(g->speed_min == h->speed_min && g->speed_max == h->speed_max && g->period_slow == h->period_slow);
    for (int p = 0; p < a->n_points; p++)
      CHECK(gait_duty(g, p) == gait_duty(h, p));
  }
}

static void test_zoo(void)
{
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i), *again;
    const char *path = in_folder(arena, "zoo.muy");
    struct diag d;
    diag_init(&d);
    struct store *s = store_open(arena, path, STORE_WRITE, &d);
    CHECK(s && c && store_put_creature(s, c->file, &d));
    for (int k = 1; k <= 3; k++)
      CHECK_INT(store_add_clip(s, random_clip(arena, c, 7, k), NULL, &d), k);
    store_close(s);
    s = store_open(arena, path, STORE_READ, &d);
    CHECK(s && (again = store_get_creature(arena, s, &d)) != NULL);
    if (s)
      check_same_creature(store_get_creature(arena, s, &d), c);
    for (int k = 1; k <= 3; k++) {
      const struct clip *clip = store_get_clip(arena, s, k, &d);
      CHECK(clip && same_clip(clip, random_clip(arena, c, 7, k)));
    }
    store_close(s);
    check_says(&d, "");
    empty_folder();
    arena_free(arena);
  }
}

static void fill_record(struct clip_summary *m, struct spacetime_report *p, struct verify_report *v)
{
  *m = (struct clip_summary){0.5, 1.5, 3, NAN, 0.1, 7, 2.5, 1, 0.9};
  *p = (struct spacetime_report){.status = SPACETIME_REJECTED, .reason = "too low: 'root' at 20 %", .n_vars = 10,
                                 .n_rows = 20, .seconds = 0.25, .solves = 3, .half_cycle = 1, .cost = -0.0,
                                 .n_history = 400};
  p->nlp = (struct nlp_result){NLP_ACCEPTABLE, 17, 1e-300, INFINITY, 1, 2, 3};
  for (int i = 0; i < 400; i++)
    p->history[i] = (struct spacetime_iteration){i, 1.0 / (i + 3), 1e-3 * i, i % 7 ? 1 : NAN};
  memset(v, 0, sizeof *v);
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    v->lines[i] = (struct verify_line){"a bar", i, 2, i, i % 2 ? "left_thigh" : NULL, i <= 2};
}

static void check_record(const struct store_record *r, const struct clip_summary *m, const struct spacetime_report *p)
{
  CHECK(r->summary && r->report);
  if (!r->summary || !r->report)
    return;
  CHECK(r->summary->period == m->period && r->summary->stride == m->stride && r->summary->speed == m->speed);
  CHECK(isnan(r->summary->cost_of_transport) && r->summary->peak_torque == m->peak_torque);
  CHECK(r->summary->peak_torque_dof == 7 && r->summary->peak_force == 2.5 && r->summary->peak_force_point == 1);
  CHECK(r->summary->lowest_root == 0.9);
  CHECK(r->report->status == p->status && r->report->n_vars == 10 && r->report->n_rows == 20);
  CHECK_STR(r->report->reason, p->reason);
  CHECK(r->report->seconds == 0.25 && r->report->solves == 3 && r->report->half_cycle == 1 && r->report->cost == 0);
  CHECK(r->report->nlp.status == NLP_ACCEPTABLE && r->report->nlp.iterations == 17 && r->report->nlp.seconds == 1);
  CHECK(r->report->nlp.objective == 1e-300 && r->report->nlp.infeasibility == INFINITY);
  CHECK(r->report->nlp.seconds_evaluating == 2 && r->report->nlp.seconds_hessian == 3);
  CHECK_INT(r->report->n_history, 400);
  for (int i = 0; i < 400; i++) {
    const struct spacetime_iteration *a = &r->report->history[i], *b = &p->history[i];
    CHECK(a->iteration == i && a->objective == b->objective && a->infeasibility == b->infeasibility);
    CHECK(a->dual_infeasibility == b->dual_infeasibility || (i % 7 == 0 && isnan(a->dual_infeasibility)));
  }
}

static void test_records(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  const struct creature *c = NULL;
  struct clip_summary m;
  struct spacetime_report *p = ARENA_NEW(arena, 1, struct spacetime_report);
  struct verify_report v;
  struct store_record out;
  struct diag d;
  int n = 0;
  diag_init(&d);
  fill_record(&m, p, &v);
  struct store *s = open_hopper(arena, path, &c, &d);
  CHECK(store_add_session(s, &(struct store_session){"muybridge 1", "muybridge gait 'x'", "2026-01-31T12:00:00Z"}, &d));
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 2), &(struct store_record){&m, p, &v}, &d), 2);
  CHECK(store_get_record(arena, s, 2, &out, &d));
  check_record(&out, &m, p);
  CHECK(store_get_record(arena, s, 1, &out, &d) && !out.summary && !out.report && !out.verification);
  const struct store_line *lines = store_list_clips(arena, s, &n, &d);
  CHECK(lines && n == 2 && lines[0].id == 1 && lines[1].id == 2);
  CHECK(!lines[0].has_summary && lines[0].verified == -1 && lines[0].summary.period == 0 && !lines[0].clip.q);
  CHECK(lines[1].has_summary && lines[1].verified == 0 && lines[1].summary.period == 0.5);
  CHECK_STR(lines[1].clip.name, "clip-2");
  CHECK(signbit(lines[1].clip.strafe) && lines[1].clip.from.clip == 2);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* The same clips make the same file, byte for byte; and a run is one file. */
static void test_same_bytes(void)
{
  struct arena *arena = arena_new();
  const char *a = hopper_run(arena, "a.muy", 4), *b = hopper_run(arena, "b.muy", 4);
  size_t n_a, n_b;
  const char *x = read_bytes(arena, a, &n_a), *y = read_bytes(arena, b, &n_b);
  CHECK(n_a == n_b && n_a > 0 && memcmp(x, y, n_a) == 0);
  CHECK(remove(a) == 0 && remove(b) == 0);
  CHECK(rmdir(folder) == 0); /* nothing else was in it */
  CHECK(mkdir(folder, 0755) == 0);
  arena_free(arena);
}

/* ---- the creature's text ---- */

/* Includes of every kind, and what looks like one. */
static const struct { const char *name, *text; } pieces[] = {
    {"top.creature", "# include(\"none\")\nsummary = 'include(\"none\") it\\'s' // include(none)\n"
                     "limb body { to = {0.2, 0, 0} radius = 0.1 mass = 8 } include ( \"sub/legs.inc\" )limb tail {"
                     " parent = body mass = 1 radius = 0.1 axis wag { about = z } }/* include(none) */\n"
                     "include(feet.inc)\ninclude('gaits \\\\ \"it\".inc')"},
    {"sub/legs.inc", "\xEF\xBB\xBFlimb leg { parent = body mirror = true at = {0, 0.1, 0} to = {0, 0, -0.3}\r\n"
                     " radius = 0.04 mass = 1 axis flexion { about = y } }\r\n"
                     "include(\"more.inc\") # a comment at the end"},
    {"sub/more.inc", "friction = 0.7 // more"},
    {"feet.inc", "foot paw { limb = leg }"},
    {"gaits \\ \"it\".inc", "gait hop { period = 0.5 speed = {0.5, 2} contact paw { on = {0, 0.4} } } # ends here"}};

static void test_includes(void)
{
  struct arena *arena = arena_new();
  const char *run = in_folder(arena, "run.muy"), *top = in_folder(arena, "top.creature");
  size_t n = sizeof pieces / sizeof *pieces;
  struct diag d;
  diag_init(&d);
  CHECK(mkdir(in_folder(arena, "sub"), 0755) == 0);
  for (size_t i = 0; i < n; i++)
    write_bytes(in_folder(arena, pieces[i].name), pieces[i].text, strlen(pieces[i].text));
  const struct creature *c = creature_load(arena, top, &d);
  struct store *s = store_open(arena, run, STORE_WRITE, &d);
  CHECK(c && s && store_put_creature(s, top, &d));
  CHECK(store_put_creature(s, top, &d)); /* the same again */
  for (size_t i = n; i-- > 0;)
    CHECK(remove(in_folder(arena, pieces[i].name)) == 0);
  CHECK(rmdir(in_folder(arena, "sub")) == 0);
  const struct creature *again = s ? store_get_creature(arena, s, &d) : NULL;
  CHECK(again && again->friction == 0.7 && again->n_gaits == 1);
  if (c && again)
    check_same_creature(again, c);
  check_says(&d, "");
  CHECK(s && !store_put_creature(s, top, &d));
  check_says(&d, "@/top.creature: error: cannot read this file: No such file or directory\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

static void test_circle(void)
{
  struct arena *arena = arena_new();
  const char *path = in_folder(arena, "circle.creature"), text[] = "include(circle.creature)\n";
  struct diag d;
  diag_init(&d);
  write_bytes(path, text, strlen(text));
  struct store *s = store_open(arena, in_folder(arena, "run.muy"), STORE_WRITE, &d);
  CHECK(s && !store_put_creature(s, path, &d));
  check_says(&d, "@/circle.creature: error: includes nest more than 8 deep; does a file include itself?\n");
  CHECK(s && !store_put_creature(s, folder, &d));
  check_says(&d, "@: error: cannot read this file: it is not a plain file\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* One creature to a file: another is refused once there are clips, and takes its place before. */
static void test_other_creature(void)
{
  struct arena *arena = arena_new();
  const char other[] = "limb ball { radius = 0.1 mass = 1 }\n", bad[] = "limb ball { mass = 10kg }\n";
  const char *path = in_folder(arena, "a.muy");
  const struct creature *c = NULL;
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  CHECK(store_get_creature(arena, s, &d) == NULL);
  check_says(&d, "@/a.muy: error: there is no creature in this run file\n");
  CHECK(store_put_creature_text(s, "ball.creature", other, strlen(other), &d));
  store_close(s);
  s = open_hopper(arena, path, &c, &d);
  CHECK(c && strcmp(c->name, "hopper") == 0);
  CHECK(store_add_clip(s, random_clip(arena, c, 1, 1), NULL, &d) == 1);
  check_says(&d, "");
  CHECK(!store_put_creature_text(s, "ball.creature", other, strlen(other), &d));
  check_says(&d, "@/a.muy: error: this run file has clips of another creature, 'hopper' as it was in hopper.creature; "
                 "write to another file\n");
  CHECK(!store_put_creature_text(s, "bad.creature", bad, strlen(bad), &d));
  CHECK(d.n_errors == 1 && strstr(d.messages[0].text, "10kg"));
  diag_clear(&d);
  CHECK(store_get_creature(arena, s, &d) && store_get_clip(arena, s, 1, &d));
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* ---- what must not go in ---- */

static void test_refused_clips(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, hopper_run(arena, "a.muy", 2), &c, &d);
  struct clip *k = random_clip(arena, c, 1, 3);
  k->force[4] = NAN;
  CHECK(store_add_clip(s, k, NULL, &d) == 0);
  check_says(&d, "@/a.muy: error: clip 'clip-3' is not written: it has numbers that are not finite\n");
  k = random_clip(arena, c, 1, 3);
  k->advance.x = INFINITY;
  CHECK(store_add_clip(s, k, NULL, &d) == 0);
  diag_clear(&d);
  k = random_clip(arena, c, 1, 3);
  k->n_dofs = 5, k->n_frames = 20;
  CHECK(store_add_clip(s, k, NULL, &d) == 0);
  check_says(&d, "@/a.muy: error: clip 'clip-3' has 20 frames, 5 dofs and 2 contact points; the file's creature has 12 "
                 "and 2\n");
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 3), NULL, &d), 3); /* it can go on */
  check_says(&d, "");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

static void test_find(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, in_folder(arena, "a.muy"), &c, &d);
  CHECK_INT(store_find_clip(s, NULL, &d), 0);
  check_says(&d, "@/a.muy: error: there are no clips in this run file\n");
  for (int i = 1; i <= 12; i++) {
    struct clip *k = random_clip(arena, c, 1, i);
    k->name = i == 3 ? "walk" : i == 1 ? "trot" : "gallop";
    CHECK_INT(store_add_clip(s, k, NULL, &d), i);
  }
  CHECK_INT(store_find_clip(s, NULL, &d), 1);
  CHECK_INT(store_find_clip(s, "walk", &d), 3);
  CHECK_INT(store_find_clip(s, "11", &d), 11);
  check_says(&d, "");
  CHECK_INT(store_find_clip(s, "wakl", &d), 0);
  check_says(&d, "@/a.muy: error: there is no clip 'wakl'; did you mean 'walk'?\n");
  CHECK_INT(store_find_clip(s, "13", &d), 0);
  check_says(&d, "@/a.muy: error: there is no clip 13; they go from 1 to 12\n");
  CHECK_INT(store_find_clip(s, "hop", &d), 0);
  check_says(&d, "@/a.muy: error: there is no clip 'hop'; allowed are trot, gallop, walk\n");
  CHECK_INT(store_find_clip(s, "gallop", &d), 0);
  check_says(&d, "@/a.muy: error: there are 10 clips 'gallop', the first 2, the last 12; say which by its number\n");
  CHECK(store_get_clip(arena, s, 99, &d) == NULL);
  check_says(&d, "@/a.muy: error: there is no clip 99 in this run file\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* ---- files that are not what they should be ---- */

static void check_refused(const char *path, enum store_mode mode, const char *expected)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, mode, &d);
  CHECK(s == NULL);
  check_says(&d, expected);
  store_close(s);
  arena_free(arena);
}

/* Refused in both modes, and left as it was. */
static void check_untouched(const char *path, const char *expected)
{
  struct arena *arena = arena_new();
  size_t n, m;
  const char *before = read_bytes(arena, path, &n);
  check_refused(path, STORE_READ, expected);
  check_refused(path, STORE_WRITE, expected);
  const char *after = read_bytes(arena, path, &m);
  CHECK(n == m && memcmp(before, after, n) == 0);
  arena_free(arena);
}

static void test_wrong_files(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 2), *none = in_folder(arena, "none.muy");
  harm(path, "PRAGMA user_version = 2");
  check_untouched(path, "@/a.muy: error: this run file is from a newer muybridge (format 2, this one knows up to 1)\n");
  harm(path, "PRAGMA user_version = 1; PRAGMA application_id = 5");
  check_untouched(path, "@/a.muy: error: this is a database of another program, not a run file of muybridge\n");
  const char *garbage = in_folder(arena, "b.muy");
  write_bytes(garbage, hopper, strlen(hopper));
  check_untouched(garbage, "@/b.muy: error: this is not a run file of muybridge\n");
  check_refused(none, STORE_READ, "@/none.muy: error: cannot open this run file: No such file or directory\n");
  CHECK(access(none, F_OK) != 0);
  check_refused(in_folder(arena, "no/where.muy"), STORE_WRITE,
                "@/no/where.muy: error: cannot make this run file: No such file or directory\n");
  check_refused(folder, STORE_WRITE, "@: error: cannot open this run file: it is a folder\n");
  write_bytes(none, "", 0);
  check_refused(none, STORE_READ, "@/none.muy: error: this run file is empty\n");
  empty_folder();
  arena_free(arena);
}

static void test_recognised(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 0), *other = in_folder(arena, "run");
  CHECK(rename(path, other) == 0);
  CHECK(store_is_run_file("none.muy") && store_is_run_file(other));
  CHECK(!store_is_run_file("horse") && !store_is_run_file(folder) && !store_is_run_file(".muy"));
  write_bytes(other, hopper, strlen(hopper));
  CHECK(!store_is_run_file(other));
  empty_folder();
  arena_free(arena);
}

/* A clip that does not fit its columns is an error, not a crash; its neighbours are still there. */
static void test_damaged_clip(void)
{
  static const char *const harms[] = {"n_frames = n_frames - 1", "n_frames = 2000000000", "n_dofs = -12",
                                      "n_points = 3", "q = substr(q, 2)", "q = NULL", "contact = NULL", "dt = 0",
                                      "dt = NULL",
                                      "force = zeroblob(7)", "q = replace(q, substr(q, 1, 8), x'000000000000f87f')"};
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 2 + (int)(sizeof harms / sizeof *harms));
  struct diag d;
  diag_init(&d);
  for (size_t i = 0; i < sizeof harms / sizeof *harms; i++)
    harm(path, arena_printf(arena, "UPDATE clip SET %s WHERE id = %d", harms[i], (int)i + 2));
  struct store *s = store_open(arena, path, STORE_READ, &d);
  for (int id = 2; s && id < 2 + (int)(sizeof harms / sizeof *harms); id++) {
    CHECK(store_get_clip(arena, s, id, &d) == NULL);
    check_says(&d, arena_printf(arena, "@/a.muy: error: the file is damaged: clip %d, 'clip-%d', is not whole\n", id,
                                id));
  }
  CHECK(s && store_get_clip(arena, s, 1, &d));
  store_close(s);
  harm(path, "UPDATE creature SET n_dofs = 13");
  s = store_open(arena, path, STORE_READ, &d);
  CHECK(s && store_get_creature(arena, s, &d) == NULL);
  check_says(&d, "@/a.muy: error: the file is damaged: its creature 'hopper' is not the one that was written\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* Bytes lost or changed anywhere: an error or the right clip, never a crash. */
static void test_damaged_file(void)
{
  struct arena *arena = arena_new();
  size_t n;
  const char *path = hopper_run(arena, "a.muy", 3), *bytes = read_bytes(arena, path, &n);
  struct rng r = rng_stream(5, 0);
  for (int i = 0; i < 200; i++) {
    char *copy = memcpy(arena_alloc(arena, n, 1), bytes, n);
    size_t kept = i % 2 ? n : (size_t)rng_below(&r, (int)n);
    for (int k = 0; k < 20 && i % 2; k++)
      copy[rng_below(&r, i % 4 == 1 ? 2000 : (int)n)] = (char)rng_below(&r, 256);
    write_bytes(path, copy, kept);
    struct diag d;
    diag_init(&d);
    struct store *s = store_open(arena, path, i % 3 ? STORE_READ : STORE_WRITE, &d);
    for (int id = 1; s && id <= 3; id++)
      store_get_clip(arena, s, id, &d);
    if (s)
      store_get_creature(arena, s, &d);
    store_close(s);
    CHECK(kept == n || kept == 0 || d.n_errors > 0);
    diag_clear(&d);
  }
  empty_folder();
  arena_free(arena);
}

/* ---- disks ---- */

/* Runs a test in a child; it is one of several ways to change what a process may do without changing it for all. */
static void in_child(int (*test)(const char *path), const char *path)
{
  int status = -1;
  fflush(stderr);
  pid_t child = fork();
  if (child == 0) {
    test_failures = 0;
    _exit(test(path) + (test_failures > 0));
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int as_nobody(void)
{
  return geteuid() != 0 || seteuid(NOBODY) == 0;
}

static int read_only_folder(const char *path)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  CHECK(as_nobody());
  check_refused(path, STORE_WRITE, "@/a.muy: error: cannot write: the file or its folder is read-only\n");
  check_refused(in_folder(arena, "new.muy"), STORE_WRITE,
                "@/new.muy: error: cannot make this run file: Permission denied\n");
  struct store *s = store_open(arena, path, STORE_READ, &d);
  CHECK(s && store_get_clip(arena, s, 2, &d));
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return 0;
}

static int read_only_file(const char *path)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  CHECK(as_nobody());
  check_refused(path, STORE_WRITE, "@/a.muy: error: cannot write: the file or its folder is read-only\n");
  struct store *s = store_open(arena, path, STORE_READ, &d);
  CHECK(s && store_get_clip(arena, s, 2, &d));
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return 0;
}

static void test_read_only(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 2);
  CHECK(chmod(path, 0666) == 0 && chmod(folder, 0555) == 0);
  in_child(read_only_folder, path);
  CHECK(chmod(path, 0444) == 0 && chmod(folder, 0777) == 0);
  in_child(read_only_file, path);
  CHECK(chmod(folder, 0755) == 0);
  empty_folder();
  arena_free(arena);
}

/* A reader may not write. */
static void test_read_mode(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_READ, &d);
  const struct creature *c = store_get_creature(arena, s, &d);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 2), NULL, &d), 0);
  check_says(&d, "@/a.muy: error: cannot write: the file or its folder is read-only\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* No more room after some clips: an error, nothing lost, and writing goes on once there is room. */
static int out_of_room(const char *path)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct rlimit room = {200000, RLIM_INFINITY};
  struct diag d;
  int n = 0, id;
  diag_init(&d);
  signal(SIGXFSZ, SIG_IGN);
  CHECK(setrlimit(RLIMIT_FSIZE, &room) == 0);
  struct store *s = open_hopper(arena, path, &c, &d);
  while (c && n < 1000 && (id = store_add_clip(s, random_clip(arena, c, 1, n + 1), NULL, &d)) > 0)
    CHECK_INT(id, ++n);
  CHECK(n > 2 && n < 1000);
  check_says(&d, "@/a.muy: error: cannot read or write: disk I/O error; nothing was changed\n");
  for (int i = 1; i <= n; i++) {
    const struct clip *k = store_get_clip(arena, s, i, &d);
    CHECK(k && same_clip(k, random_clip(arena, c, 1, i)));
  }
  room.rlim_cur = RLIM_INFINITY;
  CHECK(setrlimit(RLIMIT_FSIZE, &room) == 0);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, n + 1), NULL, &d), n + 1);
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return 0;
}

static void test_no_room(void)
{
  struct arena *arena = arena_new();
  in_child(out_of_room, in_folder(arena, "a.muy"));
  empty_folder();
  arena_free(arena);
}

/* ---- other processes ---- */

static void test_locked(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  const struct creature *c = NULL;
  sqlite3 *other;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  store_set_patience(s, 0.05);
  CHECK(sqlite3_open(path, &other) == SQLITE_OK && sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == 0);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 2), NULL, &d), 0);
  check_says(&d, "@/a.muy: error: another process is writing to this file; try again when it has finished\n");
  CHECK(store_get_clip(arena, s, 1, &d)); /* reading goes on */
  CHECK(sqlite3_exec(other, "COMMIT; BEGIN; SELECT * FROM clip", NULL, NULL, NULL) == 0);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 2), NULL, &d), 0); /* a reader that stays blocks a writer */
  diag_clear(&d);
  CHECK(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL) == 0);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 2), NULL, &d), 2);
  sqlite3_close(other);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

#define PER_WRITER 25

static int write_some(const char *path, uint64_t seed)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct diag d;
  int good = 1;
  test_failures = 0;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  for (int i = 1; i <= PER_WRITER; i++)
    good &= c && store_add_clip(s, random_clip(arena, c, seed, i), NULL, &d) > 0;
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return !good || test_failures;
}

/* Two that make the same file at the same moment: both get all theirs in, each in its own order. */
static void test_two_writers(void)
{
  struct arena *arena = arena_new();
  const char *path = in_folder(arena, "a.muy");
  const struct creature *c = NULL;
  int next[2] = {1, 1}, status, n = 0;
  struct diag d;
  diag_init(&d);
  for (uint64_t w = 0; w < 2; w++)
    if (fork() == 0)
      _exit(write_some(path, w));
  for (int w = 0; w < 2; w++)
    CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  struct store *s = open_hopper(arena, path, &c, &d);
  CHECK(store_list_clips(arena, s, &n, &d) && n == 2 * PER_WRITER);
  for (int id = 1; id <= n; id++) {
    const struct clip *k = store_get_clip(arena, s, id, &d);
    uint64_t w = k && same_clip(k, random_clip(arena, c, 0, next[0])) ? 0 : 1;
    CHECK(k && same_clip(k, random_clip(arena, c, w, next[w])));
    next[w]++;
  }
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* ---- killed at any instant ---- */

/* Adds clips for ever, telling the pipe of each that store_add_clip() said it had kept. */
static void write_for_ever(const char *path, int first, int pipe_end)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, path, &c, &d);
  for (int id = first; c; id++) {
    struct arena *scratch = arena_new();
    if (store_add_clip(s, random_clip(scratch, c, 1, id), NULL, &d) != id || write(pipe_end, &id, sizeof id) < 0)
      break;
    arena_free(scratch);
  }
  _exit(1);
}

/* Starts a writer, kills it after so many microseconds; the last clip that it told of. */
static int killed_writer(const char *path, int first, int microseconds)
{
  int ends[2], last = first - 1, id, status = 0;
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    write_for_ever(path, first, ends[1]);
  }
  close(ends[1]);
  nanosleep(&(struct timespec){0, 1000L * microseconds}, NULL);
  CHECK(child > 0 && kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  while (read(ends[0], &id, sizeof id) == (ssize_t)sizeof id)
    last = id;
  close(ends[0]);
  return last;
}

/* All that was told of is there, at most one more, each whole. Returns how many. */
static int check_prefix(const char *path, int told, enum store_mode mode)
{
  struct arena *arena = arena_new();
  struct diag d;
  int n = 0;
  diag_init(&d);
  struct store *s = store_open(arena, path, told ? mode : STORE_WRITE, &d); /* before the first there may be no file */
  const struct store_line *lines = s ? store_list_clips(arena, s, &n, &d) : NULL;
  const struct creature *c = n > 0 ? store_get_creature(arena, s, &d) : NULL;
  CHECK(lines && (n == told || n == told + 1));
  for (int i = 0; i < n && c; i++) {
    const struct clip *k = store_get_clip(arena, s, i + 1, &d);
    CHECK(lines[i].id == i + 1 && k && same_clip(k, random_clip(arena, c, 1, i + 1)));
  }
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
  return n;
}

/* How long a write takes on this disk [microseconds]. */
static int time_of_write(void)
{
  struct arena *arena = arena_new();
  struct timespec from, until;
  clock_gettime(CLOCK_MONOTONIC, &from);
  hopper_run(arena, "a.muy", 6);
  clock_gettime(CLOCK_MONOTONIC, &until);
  arena_free(arena);
  return (int)((double)(until.tv_sec - from.tv_sec) * 1e6 + (double)(until.tv_nsec - from.tv_nsec) * 1e-3) / 8;
}

/* Every sixth kill is of a writer that starts with no file, so that some fall into its making. */
static void test_kill(void)
{
  int unit = time_of_write();
  struct arena *arena = arena_new();
  const char *path = in_folder(arena, "a.muy"), *journal = in_folder(arena, "a.muy-journal");
  struct rng r = rng_stream((uint64_t)getpid(), 0); /* other moments each time */
  int clips = 0, all = 0, cut_short = 0;
  for (int i = 0; i < KILLS; i++) {
    if (i % 6 == 0)
      empty_folder(), clips = 0;
    int told = killed_writer(path, clips + 1, 500 + rng_below(&r, (i % 6 ? 6 : 2) * unit + 1));
    cut_short += access(journal, F_OK) == 0;
    int before = clips;
    clips = check_prefix(path, told, i % 2 ? STORE_READ : STORE_WRITE);
    all += clips - before;
  }
  fprintf(stderr, "%d kills, %d clips written, %d writes cut short\n", KILLS, all, cut_short);
  CHECK(all > 0);
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  CHECK(mkdtemp(folder) != NULL && chmod(folder, 0755) == 0);
  test_zoo();
  test_records();
  test_same_bytes();
  test_includes();
  test_circle();
  test_other_creature();
  test_refused_clips();
  test_find();
  test_wrong_files();
  test_recognised();
  test_damaged_clip();
  test_damaged_file();
  test_read_only();
  test_read_mode();
  test_no_room();
  test_locked();
  test_two_writers();
  test_kill();
  CHECK(rmdir(folder) == 0);
  return test_finish();
}
