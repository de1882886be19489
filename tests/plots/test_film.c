/* Films: time, loops that close, feet that do not slide, files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "plots/film.h"
#include "plots/folder.h"
#include "plots/made.h"
#include "plots/page.h"


static struct film *new_film(struct arena *arena, int n, const struct film_subject *subjects,
                             const struct film_options *o)
{
  struct diag d;
  diag_init(&d);
  struct film *f = film_new(arena, n, subjects, o, "test", &d);
  CHECK(f != NULL && d.n_errors == 0);
  diag_clear(&d);
  return f;
}

/* ---- time and loops ---- */

/* Share of pixels that differ by more than a few shades between two pictures of a film. */
static double difference(struct film *f, int a, int b)
{
  struct canvas *one = canvas_open_pages(CANVAS_PNG, 0), *two = canvas_open_pages(CANVAS_PNG, 0);
  long differ = 0;
  film_draw(f, one, a);
  film_draw(f, two, b);
  struct pixels p = canvas_pixels(one), q = canvas_pixels(two);
  CHECK(p.width == film_width(f) && p.height == film_height(f));
  for (int y = 0; y < p.height; y++)
    for (int x = 0; x < 4 * p.width; x++)
      differ +=
          x % 4 < 3 && abs(p.data[(size_t)y * p.stride + (size_t)x] - q.data[(size_t)y * q.stride + (size_t)x]) > 6;
  canvas_discard(one);
  canvas_discard(two);
  return (double)differ / p.width / p.height;
}

/* A cycle, from any side, is after its last picture where it began, ground and ghosts and all; halfway it is not. */
static void test_loop(struct arena *arena, const struct creature *c)
{
  struct clip *clip = made_clip(arena, c, &(struct made){37, 1, 0.0});
  struct film_subject subject = {.creature = c, .clip = clip};
  for (int view = FILM_SIDE; view <= FILM_OWN; view++) {
    struct film_options o = {.scene = {.view = (enum film_view)view, .forces = 1, .ghosts = view % 3}, .width = 200};
    struct film *f = new_film(arena, 1, &subject, &o);
    CHECK(film_closes(f) == 1);
    CHECK_INT(film_hundredths(f), 3);
    CHECK_INT(film_frames(f), 25); /* 37 * 0.02 s in pictures of 0.03 s */
    CHECK_NEAR(film_speed(f, 0), 37 * 0.02 / 0.75, 1e-12);
    CHECK(difference(f, 0, film_frames(f)) < 2e-4);
    CHECK(difference(f, 7, 7 + 3 * film_frames(f)) < 2e-4);
    CHECK(difference(f, 0, film_frames(f) / 2) > 0.01);
  }
  clip->advance.x *= 1.01; /* proof that this can fail: a ground that does not fit */
  struct film_options o = {.scene = {.view = FILM_SIDE}, .width = 200};
  struct film *f = new_film(arena, 1, &subject, &o);
  clip->advance.x *= 1.05;
  CHECK(difference(f, 0, film_frames(f)) > 1e-3);
}

/* Several cycles of different lengths close in one film, each nearly at its own speed. */
static void test_panels(struct arena *arena, const struct creature *c)
{
  struct film_subject subjects[5];
  static const int frames[5] = {20, 33, 47, 61, 8};
  for (int i = 0; i < 5; i++)
    subjects[i] = (struct film_subject){.creature = c, .clip = made_clip(arena, c, &(struct made){frames[i], 1, 0.0})};
  struct film *f =
      new_film(arena, 5, subjects, &(struct film_options){.scene = {.view = FILM_OWN}, .width = 300, .title = "five"});
  CHECK(difference(f, 1, 1 + film_frames(f)) < 2e-4);
  for (int i = 0; i < 5; i++) {
    double speed = film_speed(f, i), wanted = frames[i] * 0.02 < 0.3 ? 0.5 : 1.0;
    CHECK(speed > 0.8 * wanted && speed < 1.25 * wanted);
    double cycles = film_frames(f) * film_hundredths(f) / 100.0 * speed / (frames[i] * 0.02);
    CHECK_NEAR(cycles, floor(cycles + 0.5), 1e-9);
  }
}

/* A transition ends where it ends; speed and rate change the number of pictures. */
static void test_time(struct arena *arena, const struct creature *c)
{
  struct film_subject subject = {.creature = c, .clip = made_clip(arena, c, &(struct made){101, 0, 1.2})};
  struct film *f =
      new_film(arena, 1, &subject, &(struct film_options){.scene = {.view = FILM_OWN}, .fps = 50, .width = 120});
  CHECK(film_closes(f) == 0);
  CHECK_INT(film_frames(f), 101);
  CHECK_INT(film_frames(new_film(arena, 1, &subject, &(struct film_options){.fps = 25, .speed = 2, .width = 99})), 26);
  CHECK_INT(film_hundredths(new_film(arena, 1, &subject, &(struct film_options){.fps = 12.5, .width = 99})), 8);
  struct diag d;
  diag_init(&d);
  CHECK(film_new(arena, 1, &subject, &(struct film_options){.speed = 0.001, .fps = 50}, "x", &d) == NULL);
  CHECK_STR(d.n_errors ? d.messages[0].text : "",
            "the film would have 100001 pictures, at most 20000 are possible: make it faster or its rate lower");
  diag_clear(&d);
}

/* ---- the scene ---- */

/* What the camera looks at moves as the creature does on average, also through many cycles and backwards. */
static void test_camera(struct arena *arena, const struct creature *c)
{
  struct clip *clip = made_clip(arena, c, &(struct made){40, 1, 0.0});
  struct film_scene *s = film_scene_new(arena, c, clip, &(struct film_scene_options){.view = FILM_SIDE});
  for (double at = -90.0; at < 130.0; at += 7.3) {
    struct xy a = film_scene_target(s, at), b = film_scene_target(s, at + 1.0);
    CHECK_NEAR(b.x - a.x, clip->advance.x / 40, 1e-12);
    CHECK_NEAR(b.y - a.y, 0.0, 1e-12);
  }
  CHECK_NEAR(fmod(clip->advance.x / s->step + 1e-9, 1.0), 0.0, 1e-6); /* threads divide the stride */
  film_scene_choose_step(s, clip->advance.x / 5.0); /* fast ground: fields as long as its step allows */
  CHECK(s->step >= 2.0 * clip->advance.x / 5.0 - 1e-12);
  struct clip *turn = made_clip(arena, c, &(struct made){80, 0, 2.5});
  s = film_scene_new(arena, c, turn, &(struct film_scene_options){.view = FILM_OWN});
  CHECK(s->options.view == FILM_THREE_QUARTER && !s->has_wall);
  for (int k = 0; k < 80; k++) { /* smooth, but with it */
    struct xy a = film_scene_target(s, k);
    CHECK(hypot(a.x - turn->q[k * c->n_dofs], a.y - turn->q[k * c->n_dofs + 1]) < 0.25 * c->height);
  }
}

/* Between frames everything is halfway; forces and poses of later cycles are moved, not changed. */
static void test_between(struct arena *arena, const struct creature *c)
{
  struct clip *clip = made_clip(arena, c, &(struct made){40, 1, 0.0});
  struct film_scene *s = film_scene_new(arena, c, clip, &(struct film_scene_options){.view = FILM_FRONT});
  double q[64], f[64];
  film_scene_show(s, 3.5);
  for (int i = 0; i < c->n_dofs; i++)
    CHECK_NEAR(s->q[i], 0.5 * (clip->q[3 * c->n_dofs + i] + clip->q[4 * c->n_dofs + i]), 1e-12);
  memcpy(q, s->q, (size_t)c->n_dofs * sizeof *q);
  memcpy(f, s->force, 3 * (size_t)c->n_points * sizeof *f);
  film_scene_show(s, 3.5 + 80.0);
  for (int i = 0; i < c->n_dofs; i++) CHECK_NEAR(s->q[i], q[i] + (i == 0 ? 2.0 * clip->advance.x : 0.0), 1e-12);
  for (int i = 0; i < 3 * c->n_points; i++) CHECK_NEAR(s->force[i], f[i], 1e-9);
}

/* All that is ever seen fits into its panel: nothing but floor, wall and threads at the edges of the extent. */
static void test_fit(struct arena *arena, const struct creature *c)
{
  for (int view = FILM_SIDE; view < FILM_OWN; view++) {
    struct clip *clip = made_clip(arena, c, &(struct made){60, view % 2, view % 2 ? 0.0 : -2.0});
    struct film_scene *s =
        film_scene_new(arena, c, clip, &(struct film_scene_options){.view = (enum film_view)view, .forces = 1});
    struct rect area = {10.0, 20.0, 300.0, 200.0};
    struct to_scale map = film_scene_fit(s, area, 0.0);
    for (int k = 0; k < 60; k++) {
      film_scene_show(s, k);
      struct xy target = film_scene_target(s, k);
      struct xy from = camera_project(&s->camera, (const double[3]){target.x, target.y, 0.0});
      struct rect e = figure_extent(s->figure, &s->camera);
      struct xy low = to_scale_map(&map, e.x - from.x, e.y - from.y),
                high = to_scale_map(&map, e.x + e.w - from.x, e.y + e.h - from.y);
      CHECK(low.x > area.x && high.x < area.x + area.w && high.y > area.y && low.y < area.y + area.h);
    }
  }
}

/* A clip that walks up a slope is seen as well as on level ground: the camera goes up with it, and the line of the
 * ground passes through feet that stand on it. Without its ground the same film loses it. */
static void test_slope(struct arena *arena, const struct creature *c)
{
  const struct terrain slope = {.kind = TERRAIN_SLOPE, .size = 0.3};
  struct clip *clip = made_clip(arena, c, &(struct made){200, 0, 0.0});
  for (int k = 0; k < 200; k++) {
    double *q = clip->q + (size_t)k * (size_t)c->n_dofs;
    q[0] = 0.02 * k * c->height;
    q[2] += tan(0.3) * q[0];
  }
  struct film_scene *up = film_scene_new(arena, c, clip, &(struct film_scene_options){.view = FILM_SIDE,
                                                                                      .terrain = &slope});
  struct film_scene *flat = film_scene_new(arena, c, clip, &(struct film_scene_options){.view = FILM_SIDE});
  CHECK(up->extent.h < 1.6 * c->height + 0.3 * up->extent.w);
  CHECK(flat->extent.h > 0.9 * tan(0.3) * 200 * 0.02 * c->height);
  for (int k = 0; k < 200; k += 13) {
    struct xy at = film_scene_target(up, k), aim = film_scene_aim(up, k);
    CHECK_NEAR(aim.y, camera_project(&up->camera, (const double[3]){at.x, at.y, at.x * tan(0.3)}).y, 1e-9);
  }
  struct camera side = camera_side();
  CHECK_NEAR(ground_line(&slope, &side, 7.0, 2.0), 2.0 * tan(0.3), 1e-12);
  CHECK_NEAR(ground_line(NULL, &side, 7.0, 2.0), 0.0, 0.0);
  CHECK_STR(ground_words(&(struct terrain){.kind = TERRAIN_SLOPE, .size = 5 * 0.017453292519943295}, arena),
            "on a slope of 5 degrees");
  CHECK_STR(ground_words(&(struct terrain){.kind = TERRAIN_STEPS, .size = -0.02}, arena), "over steps of 20 mm");
  CHECK_STR(ground_words(NULL, arena), "");
}

/* Bumps are as high as the world has them, and no film of them fails, from any side. */
static void test_bumps(struct arena *arena, const struct creature *c)
{
  struct clip *clip = made_clip(arena, c, &(struct made){30, 0, 0.4});
  for (int kind = TERRAIN_SLOPE; kind <= TERRAIN_PEBBLES; kind++)
    for (int view = FILM_SIDE; view <= FILM_OWN; view++) {
      const struct terrain t = {.kind = (enum terrain_kind)kind, .size = 0.03, .spacing = 0.3, .seed = 2};
      struct film_subject subject = {.creature = c, .clip = clip, .terrain = &t};
      struct film *f = new_film(arena, 1, &subject, &(struct film_options){.scene = {.view = (enum film_view)view},
                                                                           .width = 90});
      struct canvas *cv = canvas_open_pages(CANVAS_PNG, 0);
      CHECK(f != NULL);
      if (f) film_draw(f, cv, 3);
      CHECK(f && canvas_ink(cv) > 0.3);
      canvas_discard(cv);
      struct terrain_pebble p = terrain_pebble(&t, 4, -3);
      if (kind == TERRAIN_PEBBLES) CHECK_NEAR(ground_height(&t, p.x, p.y), p.height, 1e-12);
    }
}

/* A push is seen while it acts, and fades; its arrow is in the picture, and ends in the limb. */
static void test_push(struct arena *arena, const struct creature *c)
{
  struct clip *clip = made_clip(arena, c, &(struct made){120, 0, 0.0});
  const struct film_push push = {40.0, 45.0, 0, {0.0, -0.8 * c->mass * CREATURE_GRAVITY, 0.0}};
  struct film_scene_options o = {.view = FILM_FRONT, .n_pushes = 1, .pushes = &push};
  struct film_scene *s = film_scene_new(arena, c, clip, &o);
  double clearly = -1.0;
  CHECK(!film_scene_push(s, 39.9, &clearly) && clearly == -1.0);
  CHECK(film_scene_push(s, 40.0, &clearly) == &push && clearly == 1.0);
  CHECK(film_scene_push(s, 46.0, &clearly) == &push && clearly < 1.0 && clearly > 0.5);
  CHECK(!film_scene_push(s, 45.0 + 0.3 / clip->dt, &clearly));
  o.n_pushes = 0;
  struct film_scene *calm = film_scene_new(arena, c, clip, &o);
  CHECK(s->extent.w > calm->extent.w + c->height); /* an arrow of two heights, half of it beside the body */
}

/* ---- files ---- */

static int occurrences(const char *text, const char *what)
{
  int n = 0;
  for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
  return n;
}

/* Each name is given once, and each that is asked for is given. */
static void check_names(const char *svg)
{
  int wrong = 0;
  for (const char *p = svg; (p = strstr(p, "#f"));) {
    char id[64];
    size_t n = strspn(++p, "0123456789f-");
    snprintf(id, sizeof id, "id=\"%.*s\"", (int)n, p);
    wrong += occurrences(svg, id) != 1;
  }
  CHECK_INT(wrong, 0);
}

static void test_svg(struct arena *arena, const struct creature *c)
{
  struct film_subject subject = {.creature = c, .clip = made_clip(arena, c, &(struct made){24, 1, 0.0})};
  struct film_options o = {.scene = {.view = FILM_SIDE, .forces = 1}, .width = 160};
  struct diag d;
  diag_init(&d);
  size_t first_length = 0, length = 0;
  CHECK(film_write(new_film(arena, 1, &subject, &o), in_folder("a.svg"), &d) == 1);
  char *first = read_all(in_folder("a.svg"), &first_length);
  CHECK(film_write(new_film(arena, 1, &subject, &o), in_folder("a.svg"), &d) == 1); /* cairo has counted on */
  char *second = read_all(in_folder("a.svg"), &length);
  CHECK(first && second && length == first_length && !memcmp(first, second, length));
  if (first) {
    CHECK_INT(occurrences(first, "<animate "), 16); /* 0.48 s */
    CHECK_INT(occurrences(first, "display=\"none\""), 15);
    CHECK_INT(occurrences(first, "<svg "), 1);
    CHECK_INT(occurrences(first, "</svg>"), 1);
    CHECK_INT(occurrences(first, "<g"), occurrences(first, "</g>") + occurrences(first, "<g/>"));
    CHECK(strstr(first, " width=\"160px\"") != NULL); /* as large as the same film as GIF */
    check_names(first);
  }
  free(first);
  free(second);
  CHECK(d.n_errors == 0);
  diag_clear(&d);
  unlink(in_folder("a.svg"));
}

static void test_files(struct arena *arena, const struct creature *c)
{
  struct film_subject subject = {.creature = c, .clip = made_clip(arena, c, &(struct made){24, 1, 0.0})};
  struct film_options o = {.scene = {.view = FILM_THREE_QUARTER, .ghosts = 2}, .width = 120, .height = 90};
  struct film *f = new_film(arena, 1, &subject, &o);
  struct diag d;
  diag_init(&d);
  size_t length = 0;
  CHECK(film_write(f, in_folder("a.GIF"), &d) == 1);
  char *gif = read_all(in_folder("a.GIF"), &length);
  CHECK(gif && length > 2000 && !memcmp(gif, "GIF89a\x78\0\x5a\0", 10));
  free(gif);
  unlink(in_folder("a.GIF"));
  for (int again = 0; again < 2; again++) CHECK(film_write(f, in_folder("frames/"), &d) == 1);
  CHECK_INT(count_files(in_folder("frames")), film_frames(f));
  for (int i = 0; i < film_frames(f); i++) {
    char name[32];
    snprintf(name, sizeof name, "frames/%04d.png", i);
    char *png = read_all(in_folder(name), &length);
    CHECK(png && length > 500 && !memcmp(png + 16, "\0\0\0\x78\0\0\0\x5a", 8));
    free(png);
    unlink(in_folder(name));
  }
  rmdir(in_folder("frames"));
  CHECK(d.n_errors == 0);
  CHECK(film_write(f, in_folder("a.avi"), &d) == 0);
  CHECK_STR(d.n_errors ? d.messages[0].text : "",
            "the name of a film must end in .gif or .svg, or be that of a folder (frames/)");
  CHECK(film_write(f, in_folder("no/such/a.gif"), &d) == 0);
  CHECK(film_write(f, in_folder("no/such/frames"), &d) == 0);
  CHECK_INT(d.n_errors, 3);
  diag_clear(&d);
}

/* ---- words ---- */

/* Captions stay on the page and clear of each other, however long the names are. */
static void test_words(struct arena *arena, const struct creature *c)
{
  char endless[300];
  memset(endless, 'W', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  struct film_subject subjects[7];
  for (int i = 0; i < 7; i++)
    subjects[i] = (struct film_subject){.creature = c, .clip = made_clip(arena, c, &(struct made){8 + 9 * i, 1, 0.0}),
                                        .name = i % 2 ? endless : NULL};
  for (int n = 1; n <= 7; n++) {
    struct film_options o = {.width = n > 3 ? 400 : 90, .title = n == 2 ? endless : NULL, .speed = n == 4 ? 0.3 : 0.0};
    struct film *f = new_film(arena, n, subjects, &o);
    struct canvas *cv = canvas_open_pages(CANVAS_PNG, 0);
    film_draw(f, cv, 0);
    check_page("film", cv, n, 0.3);
  }
}

static void test_refusals(struct arena *arena, const struct creature *c)
{
  struct clip *clip = made_clip(arena, c, &(struct made){20, 1, 0.0});
  struct film_subject subject = {.creature = c, .clip = clip};
  struct diag d;
  diag_init(&d);
  clip->q[7] = NAN;
  CHECK(film_new(arena, 1, &subject, &(struct film_options){0}, "x.muy", &d) == NULL);
  CHECK_STR(d.n_errors ? d.messages[0].text : "", "the clip has a number that is not finite, or absurdly large");
  diag_clear(&d);
}

int main(void)
{
  strcpy(folder, "test_film.XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  struct arena *arena = arena_new();
  const struct creature *c = made_creature(arena, made_walker);
  CHECK(c != NULL);
  if (c) {
    test_loop(arena, c);
    test_panels(arena, c);
    test_time(arena, c);
    test_camera(arena, c);
    test_between(arena, c);
    test_fit(arena, c);
    test_slope(arena, c);
    test_bumps(arena, c);
    test_push(arena, c);
    test_svg(arena, c);
    test_files(arena, c);
    test_words(arena, c);
    test_refusals(arena, c);
  }
  arena_free(arena);
  CHECK(count_files(folder) == 0);
  rmdir(folder);
  return test_finish();
}
