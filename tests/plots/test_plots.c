/* The drawing kit and the creature sheets: files, texts, ticks, outlines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "plots/creature_sheet.h"
#include "plots/creature_view.h"
#include "plots/folder.h"
#include "plots/gait_diagram.h"
#include "plots/kit.h"
#include "plots/page.h"
#include "plots/projection.h"


static const char hopper[] =
    "name = \"hopper\" summary = \"a body on two legs\"\n"
    "limb body  { from = {-0.2, 0, 0}  to = {0.2, 0, 0}  radius = 0.1  mass = 8 }\n"
    "limb pack  { parent = body  at = {0, 0, 0.15}  shape = box  size = {0.2, 0.1, 0.1}  mass = 1 }\n"
    "limb head  { parent = body  from = {0.1, 0, 0.1}  to = {0.2, 0, 0.2}  shape = ellipsoid  size = {0.1, 0.12}\n"
    "             mass = 1  axis nod { about = y } }\n"
    "limb whisker { parent = head  at = {0.2, 0, 0.2}  to = {0.1, 0, 0.05}  mass = 0.1 }\n"
    "limb thigh { parent = body  mirror = true  at = {0, 0.1, 0}  to = {0, 0, -0.3}  radius = 0.04  mass = 1\n"
    "             axis flexion { about = -y  rest = 25 }  axis abduction { about = x } }\n"
    "limb shank { parent = thigh  to = {0, 0, -0.3}  radius = 0.03  mass = 0.5\n"
    "             axis flexion { about = y  rest = 50 } }\n"
    "foot paw   { limb = shank  point heel { at = {-0.05, 0, -0.33} }  point toe { at = {0.05, 0, -0.33} } }\n"
    "gait hop   { period = 0.5  speed = {0.5, 2}  right_lag = 0  contact paw { on = {0, 0.4} } }\n"
    "gait walk  { period = {0.9, 0.6}  speed = {0.1, 1}  contact paw.heel { on = {0.8, 0.35} }\n"
    "             contact paw.toe { on = {0.1, 0.3, 0.4, 0.45} } }\n";

static const struct creature *parse(struct arena *arena, const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "test.creature", text, strlen(text), &d);
  if (!c) {
    char *messages = diag_text(&d);
    fputs(messages, stderr);
    free(messages);
  }
  CHECK(c != NULL);
  diag_clear(&d);
  return c;
}

/* ---- ticks, numbers, bars ---- */

static void test_tick_facts(void)
{
  struct ticks t;
  char label[48];
  ticks_choose(0.0, 1.0, 6, &t);
  CHECK(t.n == 6);
  CHECK_NEAR(t.step, 0.2, 1e-15);
  ticks_label(&t, 3, label, sizeof label);
  CHECK_STR(label, "0.6");
  ticks_choose(-1.0, 1.0, 5, &t);
  CHECK(t.n == 5 && t.at[2] == 0.0 && !signbit(t.at[2]));
  ticks_label(&t, 0, label, sizeof label);
  CHECK_STR(label, "\xe2\x88\x92" "1.0");
  ticks_choose(0.0, 2500.0, 6, &t);
  CHECK(t.n == 6 && t.at[5] == 2500.0 && t.decimals == 0);
  ticks_choose(1.0, 1.0, 6, &t);
  CHECK(t.n == 0);
  ticks_choose(0.0, NAN, 6, &t);
  CHECK(t.n == 0);
  ticks_choose(-INFINITY, 1.0, 6, &t);
  CHECK(t.n == 0);
}

static double uniform(unsigned long *state) { /* a small generator of its own: the test must not depend on others */
  *state = (*state * 6364136223846793005ul + 1442695040888963407ul) & 0xfffffffffffffffful;
  return (double)(*state >> 11) / 9007199254740992.0;
}

static void test_tick_sweep(void)
{
  unsigned long seed = 7;
  for (int i = 0; i < 2000; i++) {
    double size = pow(10.0, 16.0 * uniform(&seed) - 8.0), lo = size * (uniform(&seed) - 0.5);
    double hi = lo + size * (0.01 + uniform(&seed)), slack = 1e-8 * (hi - lo);
    int most = 5 + (int)(10.0 * uniform(&seed));
    struct ticks t;
    ticks_choose(lo, hi, most, &t);
    CHECK(t.n >= 2 && t.n <= most);
    CHECK(t.at[0] >= lo - slack && t.at[t.n - 1] <= hi + slack);
    CHECK(t.at[0] - t.step < lo + slack && t.at[t.n - 1] + t.step > hi - slack); /* none is missing at the ends */
    for (int k = 1; k < t.n; k++) CHECK_NEAR(t.at[k] - t.at[k - 1], t.step, 1e-9 * (fabs(lo) + fabs(hi)));
    double digit = t.step / pow(10.0, floor(log10(t.step) + 1e-9));
    CHECK(fabs(digit - 1.0) < 1e-6 || fabs(digit - 2.0) < 1e-6 || fabs(digit - 5.0) < 1e-6);
  }
}

static void test_numbers(void)
{
  struct arena *a = arena_new();
  CHECK_STR(text_number3(a, 0.0), "0");
  CHECK_STR(text_number3(a, 2.5), "2.5");
  CHECK_STR(text_number3(a, 523.4), "523");
  CHECK_STR(text_number3(a, 0.01234), "0.0123");
  CHECK_STR(text_number3(a, -12.0), "-12");
  CHECK_STR(text_number3(a, NAN), "\xe2\x80\x93");
  CHECK_STR(text_mass(a, 0.0025), "2.5 g");
  CHECK_STR(text_mass(a, 500.0), "500 kg");
  CHECK_STR(text_length(a, 0.012), "12 mm");
  CHECK_STR(text_clean(a, "left_paw", 1), "left paw");
  CHECK_STR(text_clean(a, "a\xff" "b\n\xc3\xa9\xed\xa0\x80", 0),
            "a\xef\xbf\xbd" "b \xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  CHECK_STR(scale_bar_choose(100.0, 60.0).label, "50 cm");
  CHECK_STR(scale_bar_choose(1e4, 60.0).label, "5 mm");
  CHECK_NEAR(scale_bar_choose(1e-3, 60.0).length, 5e4, 1e-9);
  CHECK(scale_bar_choose(NAN, 60.0).length == 0.0);
  arena_free(a);
}

static void test_gait_bars(void)
{
  struct xy bars[8];
  CHECK(gait_bars(1, &(struct interval){0.8, 0.1}, bars) == 2);
  CHECK_NEAR(bars[0].x, 0.8, 0.0);
  CHECK_NEAR(bars[0].y, 1.0, 0.0);
  CHECK_NEAR(bars[1].x, 0.0, 0.0);
  CHECK_NEAR(bars[1].y, 0.1, 1e-15);
  CHECK(gait_bars(1, &(struct interval){0.0, 1.0}, bars) == 1 && bars[0].y == 1.0);
  struct arena *arena = arena_new();
  const struct creature *c = parse(arena, hopper);
  for (int g = 0; c && g < c->n_gaits; g++)
    for (int p = 0; p < c->n_points; p++) {
      int n = gait_bars(c->gaits[g].n_intervals[p], c->gaits[g].on[p], bars);
      double sum = 0.0;
      for (int k = 0; k < n; k++) sum += bars[k].y - bars[k].x;
      CHECK_NEAR(sum, gait_duty(&c->gaits[g], p), 1e-12);
      for (int i = 0; i < 997; i++) { /* never at the end of an interval */
        double phase = (i + 0.5) / 997.0;
        int drawn = 0;
        for (int k = 0; k < n; k++) drawn |= phase >= bars[k].x && phase < bars[k].y;
        CHECK(drawn == gait_contact(&c->gaits[g], p, phase));
      }
    }
  arena_free(arena);
}

/* ---- outlines against points on the solids ---- */

static void random_rotation(unsigned long *seed, double *R)
{
  double q[4], n = 0.0;
  for (int i = 0; i < 4; i++) {
    q[i] = uniform(seed) - 0.5;
    n += q[i] * q[i];
  }
  for (int i = 0; i < 4; i++) q[i] /= sqrt(n);
  double w = q[0], x = q[1], y = q[2], z = q[3];
  double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                 2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                 2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(R, r, sizeof r);
}

static struct shape random_shape(unsigned long *seed, enum shape_kind kind)
{
  struct shape s = {.kind = kind};
  random_rotation(seed, s.frame);
  for (int k = 0; k < 3; k++) {
    s.centre[k] = 2.0 * uniform(seed) - 1.0;
    s.size[k] = 0.1 + uniform(seed);
  }
  if (kind == SHAPE_CAPSULE) {
    s.size[1] = s.size[0];
    double half = 0.5 * s.size[2];
    s.size[2] += s.size[0];
    for (int r = 0; r < 3; r++) {
      s.from[r] = s.centre[r] - half * s.frame[3 * r + 2];
      s.to[r] = s.centre[r] + half * s.frame[3 * r + 2];
    }
  }
  return s;
}

/* The farthest that a solid reaches in direction (cos, sin) of the picture, by trying many points of its surface. */
static double sampled_reach(const struct shape *s, const struct camera *cam, double angle)
{
  const int n = 120;
  double farthest = -INFINITY, pi = acos(-1.0);
  for (int i = 0; i <= n; i++)
    for (int j = 0; j < 2 * n; j++) {
      double polar = pi * i / n, around = pi * j / n;
      double d[3] = {sin(polar) * cos(around), sin(polar) * sin(around), cos(polar)}, world[3];
      for (int r = 0; r < 3; r++) {
        world[r] = s->kind == SHAPE_CAPSULE ? (d[2] > 0.0 ? s->to[r] : s->from[r]) : s->centre[r];
        for (int k = 0; k < 3; k++) {
          double half = s->kind == SHAPE_CAPSULE ? 0.5 * s->size[0] : 0.5 * s->size[k];
          double along = s->kind == SHAPE_BOX ? (d[k] > 0.0 ? 1.0 : -1.0) : d[k];
          world[r] += half * along * s->frame[3 * r + k];
        }
      }
      struct xy p = camera_project(cam, world);
      farthest = fmax(farthest, p.x * cos(angle) + p.y * sin(angle));
    }
  return farthest;
}

static double outline_reach(const struct outline *o, double angle)
{
  double c = cos(angle), s = sin(angle), farthest = -INFINITY;
  if (o->kind == OUTLINE_ELLIPSE) {
    double t = angle - o->ellipse.angle;
    return o->ellipse.x * c + o->ellipse.y * s + hypot(o->ellipse.a * cos(t), o->ellipse.b * sin(t));
  }
  if (o->kind == OUTLINE_STADIUM)
    return fmax(o->a.x * c + o->a.y * s + o->radius_a, o->b.x * c + o->b.y * s + o->radius_b);
  for (int i = 0; i < o->n; i++) farthest = fmax(farthest, o->corners[i].x * c + o->corners[i].y * s);
  return farthest;
}

static void test_outlines(void)
{
  static const enum shape_kind kinds[] = {SHAPE_ELLIPSOID, SHAPE_CAPSULE, SHAPE_BOX};
  unsigned long seed = 3;
  for (int i = 0; i < 12; i++) {
    struct shape s = random_shape(&seed, kinds[i % 3]);
    struct camera cam = camera_from(6.0 * uniform(&seed), uniform(&seed));
    if (i < 6) cam = i < 3 ? camera_side() : camera_front();
    struct outline o;
    outline_of(&s, &cam, &o);
    for (int k = 0; k < 8; k++) {
      double reach = outline_reach(&o, 0.785 * k);
      CHECK_NEAR(reach, sampled_reach(&s, &cam, 0.785 * k), 1.5e-3);
    }
    struct rect r = outline_extent(&o);
    CHECK_NEAR(r.x + r.w, outline_reach(&o, 0.0), 1e-12);
    CHECK_NEAR(-r.y, outline_reach(&o, -0.5 * acos(-1.0)), 1e-12);
    for (int k = 0; o.kind == OUTLINE_POLYGON && k < o.n; k++) { /* convex, counter-clockwise */
      struct xy a = o.corners[k], b = o.corners[(k + 1) % o.n], c = o.corners[(k + 2) % o.n];
      CHECK((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 0.0);
    }
  }
}

static void test_cameras(void)
{
  const double forward[3] = {1, 0, 0}, left[3] = {0, 1, 0};
  struct camera side = camera_side(), front = camera_front(), from = camera_from(0.0, 0.0);
  CHECK(camera_project(&side, forward).x == 1.0 && camera_depth(&side, left) == -1.0);
  CHECK(camera_project(&front, left).x == 1.0 && camera_depth(&front, forward) == 1.0);
  CHECK_NEAR(camera_depth(&from, forward), 1.0, 1e-15);
  struct to_scale t = to_scale_fit((struct rect){-1.0, 0.0, 2.0, 1.0}, (struct rect){10.0, 10.0, 100.0, 100.0}, 0.0);
  CHECK_NEAR(t.scale, 50.0, 1e-12);
  CHECK_NEAR(to_scale_map(&t, 0.0, 0.0).x, 60.0, 1e-12);
  CHECK_NEAR(to_scale_map(&t, 0.0, 0.0).y, 110.0, 1e-12);
}

/* ---- files ---- */

static void test_refusals(const struct creature *c)
{
  static const char *const bad[] = {"sheet.gif", "sheet", ".png", "none/sheet.png", "sheet.png.", "sheet.svg/"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct diag d;
    diag_init(&d);
    CHECK(plot_creature_sheet(c, in_folder(bad[i]), &d) == 0);
    CHECK(d.n_errors == 1);
    diag_clear(&d);
    diag_init(&d);
    CHECK(plot_zoo_sheet(1, &c, in_folder(bad[i]), &d) == 0);
    CHECK(d.n_errors == 1);
    diag_clear(&d);
    CHECK(count_files(folder) == 0);
  }
  struct diag d;
  diag_init(&d);
  CHECK(mkdir(in_folder("taken.png"), 0777) == 0); /* a folder has the name already */
  CHECK(plot_creature_sheet(c, in_folder("taken.png"), &d) == 0);
  CHECK(d.n_errors == 1 && d.messages[0].line == 0 && strstr(d.messages[0].text, "cannot write"));
  CHECK(count_files(folder) == 1);
  rmdir(in_folder("taken.png"));
  diag_clear(&d);
}

static unsigned big_endian(const char *p)
{
  const unsigned char *b = (const unsigned char *)p;
  return (unsigned)b[0] << 24 | (unsigned)b[1] << 16 | (unsigned)b[2] << 8 | b[3];
}

static void test_formats(const struct creature *c)
{
  static const struct { const char *name, *magic; } formats[] = {
      {"a.png", "\x89PNG\r\n\x1a\n"}, {"a.svg", "<?xml"}, {"a.pdf", "%PDF-"}, {"B.PNG", "\x89PNG"}};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    struct diag d;
    diag_init(&d);
    const char *path = in_folder(formats[i].name);
    size_t first_length = 0, length = 0;
    CHECK(plot_creature_sheet(c, path, &d) == 1);
    char *first = read_all(path, &first_length);
    CHECK(plot_zoo_sheet(1, &c, path, &d) == 1); /* something else in between */
    CHECK(plot_creature_sheet(c, path, &d) == 1);
    char *second = read_all(path, &length);
    CHECK(d.n_errors == 0 && first && second && first_length > 2000);
    CHECK(first && !memcmp(first, formats[i].magic, strlen(formats[i].magic)));
    CHECK(first && second && length == first_length && !memcmp(first, second, length)); /* the same bytes */
    if (i == 0 && first) CHECK(big_endian(first + 16) == 1684 && big_endian(first + 20) > 600);
    free(first);
    free(second);
    CHECK(count_files(folder) == 1);
    unlink(path);
    diag_clear(&d);
  }
}

/* ---- pages ---- */

static void check_sheets(const struct creature *c)
{
  struct diag d;
  diag_init(&d);
  check_page(c->name, creature_sheet_draw(c, "x.png", &d), 1, 0.01);
  check_page("zoo of one", zoo_sheet_draw(1, &c, "x.png", &d), 1, 0.1);
  CHECK(d.n_errors == 0);
  diag_clear(&d);
}

/* A chain of limbs with feet and gaits, as many as wanted. */
static char *write_chain(int limbs, int feet, int gaits, const char *prefix)
{
  size_t room = 4096 + 400 * (size_t)limbs + 100 * (size_t)feet + 200 * (size_t)gaits * (size_t)(feet + 1);
  char *text = malloc(room), *p = text, *end = text + room;
  p += snprintf(p, (size_t)(end - p), "name = \"%s\"\nlimb l0 { to = {-0.1, 0, 0}  radius = 0.04 }\n", prefix);
  for (int i = 1; i < limbs; i++)
    p += snprintf(p, (size_t)(end - p),
                  "limb l%d { parent = l%d  to = {-0.1, 0.01, 0.02}  radius = 0.03  axis a { about = z  rest = 5 } }\n",
                  i, i - 1);
  for (int i = 0; i < feet; i++)
    p += snprintf(p, (size_t)(end - p), "foot %s%d { limb = l%d  point p { at = {0, 0, -0.3} } }\n", prefix, i,
                  i % limbs);
  for (int g = 0; g < gaits; g++) {
    p += snprintf(p, (size_t)(end - p), "gait %s%d { period = 1 speed = {0, 1}\n", prefix, g);
    for (int i = 0; i < feet; i++)
      p += snprintf(p, (size_t)(end - p), "contact %s%d { on = {0.%02d, 0.505} }\n", prefix, i, 99 - (i + g) % 99);
    p += snprintf(p, (size_t)(end - p), "}\n");
  }
  return text;
}

static void test_extremes(void)
{
  static const struct { int limbs, feet, gaits; const char *prefix; } cases[] = {
      {1, 0, 0, "x"}, {1, 1, 1, "x"}, {3, 0, 2, "x"}, {1000, 2, 4, "x"}, {60, 100, 100, "f"}, {12, 12, 7, NULL}};
  char longest[58]; /* with a number, as long as names may be */
  memset(longest, 'W', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct arena *arena = arena_new();
    const char *prefix = cases[i].prefix ? cases[i].prefix : longest;
    char *text = write_chain(cases[i].limbs, cases[i].feet, cases[i].gaits, prefix);
    const struct creature *c = parse(arena, text);
    if (c) check_sheets(c);
    free(text);
    arena_free(arena);
  }
}

static void test_odd_texts(const struct creature *c)
{
  struct creature odd = *c;
  char endless[5000];
  for (size_t i = 0; i < sizeof endless; i++) endless[i] = i % 9 == 8 ? ' ' : (char)('a' + i % 26);
  endless[sizeof endless - 1] = '\0';
  odd.name = "\xff\xfe not UTF-8 \xc3";
  odd.summary = endless;
  odd.height = NAN;
  check_sheets(&odd);
  odd.summary = NULL;
  odd.name = "";
  check_sheets(&odd);
}

static void test_zoo(const struct creature *c)
{
  struct creature kinds[30];
  const struct creature *list[30];
  struct diag d;
  diag_init(&d);
  for (int n = 1; n <= 30; n += n < 6 ? 1 : 8) {
    for (int i = 0; i < n; i++) {
      kinds[i] = *c;
      kinds[i].name = i % 3 ? "hopper" : "a hopper with quite a long name, longer than its panel";
      list[i] = &kinds[i];
    }
    check_page("zoo", zoo_sheet_draw(n, list, "x.png", &d), 1, 0.1);
  }
  CHECK(d.n_errors == 0);
  diag_clear(&d);
}

/* The checks above can fail: a text over another and a blank page are found. */
static void test_checks_can_fail(void)
{
  struct diag d;
  diag_init(&d);
  struct canvas *cv = canvas_open("x.png", &d);
  canvas_page(cv, 100.0, 50.0, colour_rgb(0xffffff));
  CHECK(canvas_ink(cv) == 0.0);
  struct font f = {.size = 10.0, .colour = palette(PALETTE_BLACK)};
  text_draw(cv, &f, (struct xy){10.0, 20.0}, ALIGN_LEFT, "one");
  text_draw(cv, &f, (struct xy){12.0, 22.0}, ALIGN_LEFT, "two, far too long for so small a page");
  CHECK(canvas_texts(cv) == 2);
  struct rect a = canvas_text_box(cv, 0), b = canvas_text_box(cv, 1);
  CHECK(page_overlap(a, b));
  CHECK(b.x + b.w <= 100.0 && b.w > 60.0);
  CHECK(canvas_ink(cv) > 0.0);
  canvas_discard(cv);
  diag_clear(&d);
}

/* Axes: data, ticks and labels of a page of their own. */
static void test_axes(void)
{
  struct diag d;
  double x[50], y[50];
  diag_init(&d);
  struct canvas *cv = canvas_open("x.png", &d);
  struct theme theme = theme_paper();
  struct page page = {.width = 240.0, .height = 240.0, .margin = 8.0, .title = "A page", .subtitle = "about a curve",
                      .theme = theme};
  struct rect rest = page_start(cv, &page);
  CHECK_NEAR(rest.y, page.margin + page_head_height(cv, &page), 1e-12);
  CHECK_NEAR(rest.y + rest.h, 232.0, 1e-12);
  for (int i = 0; i < 50; i++) {
    x[i] = 1e4 * i;
    y[i] = i == 20 ? NAN : -0.001 * sin(0.2 * i);
  }
  struct axes a = {.outer = rest, .x_hi = 49e4, .y_lo = -0.0011, .y_hi = 0.0011,
                   .title = "A curve", .x_label = "time [s]", .y_label = "height [m]", .theme = theme, .size = 8.0,
                   .grid = 1};
  axes_layout(cv, &a);
  CHECK(a.area.w > 100.0 && a.area.h > 60.0 && a.x_ticks.n >= 2 && a.y_ticks.n >= 2);
  axes_draw(cv, &a);
  axes_band(cv, &a, &(struct band){.x = x, .high = y, .n = 20}, colour_fade(palette(PALETTE_SKY), 0.5));
  axes_curve(cv, &a, 50, x, y, &(struct pen){.colour = palette(PALETTE_BLUE), .width = 1.5});
  axes_marks(cv, &a, 50, x, y, &(struct legend_entry){.marker = MARKER_DIAMOND, .colour = palette(PALETTE_ORANGE)});
  CHECK_NEAR(axes_map(&a, 0.0, -0.0011).x, a.area.x, 1e-12);
  CHECK_NEAR(axes_map(&a, 0.0, -0.0011).y, a.area.y + a.area.h, 1e-12);
  check_page("page", cv, 1, 0.02);
  CHECK(d.n_errors == 0);
  diag_clear(&d);
}

/* ---- wishes: size, title, dark ---- */

/* Relative luminance and contrast, as the accessibility guidelines of the W3C have them. */
static double luminance(struct colour c)
{
  double sum = 0.0, share[3] = {0.2126, 0.7152, 0.0722}, v[3] = {c.r, c.g, c.b};
  for (int k = 0; k < 3; k++) sum += share[k] * (v[k] <= 0.04045 ? v[k] / 12.92 : pow((v[k] + 0.055) / 1.055, 2.4));
  return sum;
}

static double contrast(struct colour a, struct colour b)
{
  double la = luminance(a), lb = luminance(b);
  return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

/* Text is readable on paper and on a dark page, and every colour of the palette stands out from a dark one. */
static void test_dark(void)
{
  struct theme paper = theme_paper();
  struct colour page = colour_dark(paper.paper), panel = colour_dark(paper.panel);
  CHECK(luminance(page) < 0.02);
  CHECK(contrast(paper.ink, paper.paper) >= 12.0 && contrast(colour_dark(paper.ink), page) >= 12.0);
  CHECK(contrast(paper.muted, paper.panel) >= 4.5 && contrast(colour_dark(paper.muted), panel) >= 4.5);
  for (int i = 0; i < PALETTE_SIZE; i++) {
    struct colour c = colour_dark(palette(i));
    CHECK(contrast(c, panel) >= 4.5);
    CHECK(c.r >= 0.0 && c.r <= 1.0 && c.g >= 0.0 && c.g <= 1.0 && c.b >= 0.0 && c.b <= 1.0 && c.a == 1.0);
    for (int k = 0; k < i; k++) { /* and they are still different */
      struct colour o = colour_dark(palette(k));
      CHECK(fabs(c.r - o.r) + fabs(c.g - o.g) + fabs(c.b - o.b) > 0.15);
    }
  }
}

/* The size of a PNG that fits into a wish; the title in place of the figure's own; a canvas after that has none of
 * it. */
static void test_wishes(const struct creature *c)
{
  static const struct {
    double width, height;
    unsigned w, h;
  } sizes[] = {{400, 0, 400, 0}, {0, 300, 0, 300}, {500, 200, 0, 200}};
  struct diag d;
  diag_init(&d);
  size_t length = 0, plain_length = 0;
  plot_creature_sheet(c, in_folder("p.png"), &d);
  char *plain = read_all(in_folder("p.png"), &plain_length);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    canvas_wish(&(struct canvas_wish){.width = sizes[i].width, .height = sizes[i].height});
    CHECK(plot_creature_sheet(c, in_folder("a.png"), &d) == 1);
    char *png = read_all(in_folder("a.png"), &length);
    CHECK(png && (!sizes[i].w || big_endian(png + 16) == sizes[i].w) &&
          (!sizes[i].h || big_endian(png + 20) == sizes[i].h));
    free(png);
  }
  canvas_wish(&(struct canvas_wish){.title = ""});
  struct canvas *none = creature_sheet_draw(c, "x.png", &d);
  canvas_wish(&(struct canvas_wish){.title = "another", .dark = 1});
  struct canvas *other = creature_sheet_draw(c, "x.png", &d);
  canvas_wish(NULL);
  struct canvas *own = creature_sheet_draw(c, "x.png", &d);
  CHECK_INT(canvas_texts(none), canvas_texts(own) - 1);
  CHECK_INT(canvas_texts(other), canvas_texts(own));
  CHECK(canvas_bounds(none).h < canvas_bounds(own).h);
  CHECK(canvas_text_box(other, 0).w > 1.05 * canvas_text_box(own, 0).w); /* "another" is longer than "hopper" */
  CHECK_NEAR(canvas_seen(other, colour_rgb(0xffffff)).r, colour_dark(colour_rgb(0xffffff)).r, 0.0);
  CHECK_NEAR(canvas_seen(own, colour_rgb(0xffffff)).r, 1.0, 0.0);
  canvas_discard(none);
  canvas_discard(other);
  canvas_discard(own);
  plot_creature_sheet(c, in_folder("a.png"), &d);
  char *again = read_all(in_folder("a.png"), &length);
  CHECK(plain && again && length == plain_length && !memcmp(plain, again, length));
  free(plain);
  free(again);
  unlink(in_folder("a.png"));
  unlink(in_folder("p.png"));
  CHECK(d.n_errors == 0);
  diag_clear(&d);
}

/* The scale of heat maps is darker all the way, and ends where it is told to. */
static void test_heat(void)
{
  double before = 2.0;
  for (int i = 0; i <= 100; i++) {
    struct colour c = colour_heat(i / 100.0);
    double light = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
    CHECK(light < before);
    before = light;
  }
  CHECK(colour_heat(-1.0).r == colour_heat(0.0).r && colour_heat(7.0).g == colour_heat(1.0).g);
}

int main(void)
{
  strcpy(folder, "test_plots.XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  test_tick_facts();
  test_tick_sweep();
  test_numbers();
  test_gait_bars();
  test_outlines();
  test_cameras();
  test_axes();
  test_dark();
  test_checks_can_fail();
  struct arena *arena = arena_new();
  const struct creature *c = parse(arena, hopper);
  if (c) {
    test_refusals(c);
    test_formats(c);
    check_sheets(c);
    test_odd_texts(c);
    test_zoo(c);
    test_wishes(c);
  }
  test_extremes();
  arena_free(arena);
  test_heat();
  CHECK(count_files(folder) == 0);
  rmdir(folder);
  return test_finish();
}
