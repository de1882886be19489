/* The run file: its creature comes out as it went in, needs no other file, and keeps its place. */
#include "exchange/exchange.h"
#include "store/run_file.h"
#include "zoo.h"

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

/* ---- its text ---- */

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

int main(void)
{
  run_begin();
  test_zoo();
  test_includes();
  test_circle();
  test_other_creature();
  return run_finish();
}
