/* The public face: what goes wrong is a value with words, nothing is printed, nothing is left behind, and whoever asks
 * for it to stop is heard. Built against muybridge.h alone. */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/muybridge.h"
#include "check.h"

static char folder[] = "/tmp/muybridge-api-XXXXXX";

static const char hopper[] =
    "name = hopper\n"
    "limb body  { from = {-0.2, 0, 0}  to = {0.2, 0, 0}  radius = 0.1  mass = 8 }\n"
    "limb thigh { parent = body  mirror = true  at = {0, 0.1, 0}  to = {0, 0, -0.3}  radius = 0.04  mass = 1\n"
    "             axis flexion { about = -y  range = {-40, 90}  rest = 25 } axis abduction { about = x } }\n"
    "limb shank { parent = thigh  to = {0, 0, -0.3}  radius = 0.03  mass = 0.5\n"
    "             axis flexion { about = y  rest = 50 } }\n"
    "foot paw   { limb = shank }\n"
    "gait hop   { period = 0.5  speed = {0.5, 2}  right_lag = 0  contact paw { on = {0, 0.4} } }\n";

static const char *in_folder(const char *name)
{
  static char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static muy_creature *biped(void)
{
  muy_creature *c = NULL;
  CHECK(muy_creature_load("biped", NULL, &c) == MUY_OK && c);
  return c;
}

/* ---- creatures ---- */

static void test_creature(void)
{
  muy_messages *m = muy_messages_new();
  muy_creature *c = NULL;
  CHECK(muy_creature_parse("hopper.creature", hopper, strlen(hopper), m, &c) == MUY_OK);
  CHECK_INT(muy_messages_count(m), 0);
  CHECK_STR(muy_creature_name(c), "hopper");
  CHECK_NEAR(muy_creature_mass(c), 11, 1e-12);
  CHECK_INT(muy_creature_n_dofs(c), 12);
  CHECK_STR(muy_creature_dof_name(c, 0), "root_x");
  CHECK(!muy_creature_dof_name(c, -1) && !muy_creature_dof_name(c, 12) && !muy_creature_gait_name(c, 1));
  CHECK_STR(muy_creature_gait_name(c, 0), "hop");
  CHECK(muy_creature_n_points(c) > 0 && muy_creature_point_name(c, 0) && muy_creature_height(c) > 0);
  CHECK(muy_creature_is_symmetric(c) == 1);
  CHECK(muy_creature_write_mjcf(c, in_folder("hopper.xml"), m) == MUY_OK && access(in_folder("hopper.xml"), R_OK) == 0);
  CHECK(muy_creature_write_mjcf(c, in_folder("none/hopper.xml"), m) == MUY_FAILED && muy_messages_count(m) == 1);
  remove(in_folder("hopper.xml"));
  muy_creature_free(c);
  muy_creature_free(NULL);
  muy_messages_free(m);
}

static void test_bad_text(void)
{
  static const char bad[] = "name = bad\nlimb body { from = {0, 0, 0}  to = {0, 0, 1}  radius = -1  mass = 0 }\n";
  muy_messages *m = muy_messages_new();
  muy_creature *c = (muy_creature *)m;
  CHECK(muy_creature_parse("bad.creature", bad, strlen(bad), m, &c) == MUY_WRONG_INPUT && !c);
  CHECK(muy_messages_count(m) >= 2);
  muy_message first = muy_messages_get(m, 0);
  CHECK(first.is_error && first.line == 2 && first.text[0]);
  CHECK_STR(first.file, "bad.creature");
  CHECK(strstr(muy_messages_text(m), "bad.creature:2: error: "));
  CHECK_STR(muy_messages_get(m, 99).text, "");
  muy_messages_clear(m);
  CHECK_INT(muy_messages_count(m), 0);
  CHECK(muy_creature_load("no_such_creature", m, &c) == MUY_WRONG_INPUT && !c && muy_messages_count(m) == 1);
  CHECK(muy_creature_load("no_such_creature", NULL, &c) == MUY_WRONG_INPUT); /* nobody wants to know */
  CHECK(muy_creature_load(NULL, m, &c) == MUY_WRONG_INPUT);
  muy_messages_free(m);
}

/* ---- clips ---- */

static int stop_at_third(void *user, const muy_progress *p)
{
  CHECK_STR(p->what, "iterations");
  return ++*(int *)user < 3;
}

static void test_solve(void)
{
  muy_messages *m = muy_messages_new();
  muy_creature *c = biped();
  muy_clip *walk = NULL, *none = (muy_clip *)m;
  muy_solve_options o;
  int calls = 0, n = 0;
  muy_solve_defaults(&o, sizeof o);
  o.progress = stop_at_third;
  o.user = &calls;
  CHECK(muy_solve_gait(c, "walk", &o, m, &none) == MUY_STOPPED && !none && calls == 3);
  CHECK_INT(muy_messages_count(m), 0);
  CHECK(muy_solve_gait(c, "fly", NULL, m, &none) == MUY_WRONG_INPUT && !none && muy_messages_count(m) == 1);
  o = (muy_solve_options){.size = offsetof(muy_solve_options, progress)}; /* of a program that knows less */
  o.speed = -5;
  o.max_iterations = 100;
  o.max_seconds = 10;
  o.progress = stop_at_third;
  CHECK(muy_solve_gait(c, "walk", &o, m, &none) == MUY_WRONG_INPUT && calls == 3);
  muy_messages_clear(m);

  CHECK(muy_solve_gait(c, "walk", NULL, m, &walk) == MUY_OK);
  muy_creature_free(c); /* the clip keeps what it needs */
  muy_measure measures[20];
  CHECK(muy_clip_verify(walk, measures, 20, &n) == MUY_OK && n > 5 && n < 20);
  for (int i = 0; i < n; i++)
    CHECK(measures[i].passed && measures[i].value <= measures[i].bar && measures[i].what[0]);
  CHECK_STR(muy_clip_name(walk), "walk");
  CHECK(muy_clip_is_cyclic(walk) && muy_clip_dt(walk) > 0 && muy_clip_n_frames(walk) > 10);
  CHECK(muy_clip_poses(walk)[2] > 0.1 && muy_clip_forces(walk) && muy_clip_contacts(walk));
  double by[3];
  muy_clip_advance(walk, by);
  CHECK(by[0] > 0.1 && fabs(by[1]) < 1e-6);
  CHECK(muy_clip_write(walk, in_folder("walk.xyz"), m) == MUY_WRONG_INPUT && muy_messages_count(m) == 1);
  CHECK(muy_clip_write(walk, in_folder("walk.bvh"), m) == MUY_OK);
  CHECK(muy_clip_draw(walk, in_folder("walk.svg"), m) == MUY_OK && access(in_folder("walk.svg"), R_OK) == 0);
  remove(in_folder("walk.svg"));
  muy_messages_clear(m);

  /* what was written comes back on a body of its own, which outlives nothing that it needs */
  muy_clip *captured = NULL;
  muy_creature *actor = NULL;
  CHECK(muy_clip_import(in_folder("walk.bvh"), NULL, m, &captured, &actor) == MUY_OK && captured && actor);
  muy_creature_free(actor);
  CHECK_INT(muy_clip_n_frames(captured), muy_clip_n_frames(walk));
  CHECK(muy_clip_import(in_folder("none.bvh"), NULL, m, &none, &actor) == MUY_WRONG_INPUT && !none && !actor);
  remove(in_folder("walk.bvh"));
  muy_clip_free(captured);
  muy_clip_free(walk);
  muy_messages_free(m);
}

/* A styled creature is one wherever it goes: in clips, in the run file and out of it again. */
static void test_style(void)
{
  static const char *const styles[] = {"laden", "tired"}, *const wrong[] = {"laden", "merry"};
  muy_messages *m = muy_messages_new();
  muy_creature *c = NULL, *plain = biped();
  muy_clip *walk = NULL;
  muy_run *run = NULL, *other = NULL;
  char path[200];
  snprintf(path, sizeof path, "%s", in_folder("styled.muy"));
  CHECK(muy_creature_load_styled("biped", wrong, 2, m, &c) == MUY_WRONG_INPUT && !c && muy_messages_count(m) == 1);
  CHECK(muy_creature_load_styled("biped", styles, 2, m, &c) == MUY_OK && muy_messages_count(m) == 1);
  CHECK_INT(muy_creature_n_styles(c), 2);
  CHECK_STR(muy_creature_style_name(c, 1), "tired");
  CHECK(!muy_creature_style_name(c, 2) && !muy_creature_style_name(c, -1) && muy_creature_n_styles(plain) == 0);
  CHECK_NEAR(muy_creature_mass(c), 1.3 * muy_creature_mass(plain), 1e-9);
  CHECK(muy_solve_gait(c, "walk", NULL, m, &walk) == MUY_OK && muy_clip_verify(walk, NULL, 0, NULL) == MUY_OK);
  CHECK(muy_run_create(path, c, m, &run) == MUY_OK && muy_run_add_clip(run, walk, m, NULL) == MUY_OK);
  muy_run_free(run);
  CHECK(muy_run_open(path, m, &run) == MUY_OK);
  CHECK_INT(muy_creature_n_styles(muy_run_creature(run)), 2);
  CHECK_NEAR(muy_creature_mass(muy_run_creature(run)), muy_creature_mass(c), 0);
  muy_run_free(run);
  CHECK(muy_run_create(path, plain, m, &other) == MUY_WRONG_INPUT);
  remove(path);
  muy_clip_free(walk);
  muy_creature_free(c);
  muy_creature_free(plain);
  muy_messages_free(m);
}

/* ---- run files ---- */

static void make_file(const char *path, const char *text)
{
  FILE *out = fopen(path, "wb");
  CHECK(out != NULL);
  if (out) {
    fputs(text, out);
    fclose(out);
  }
}

static int begins_with(const char *path, const char *text)
{
  char found[64] = "";
  FILE *in = fopen(path, "rb");
  size_t n = in ? fread(found, 1, strlen(text), in) : 0;
  if (in)
    fclose(in);
  return n == strlen(text) && !memcmp(found, text, n);
}

/* With the stage's own page where there is one, else with another. */
static void test_page(muy_run *run)
{
  muy_messages *m = muy_messages_new();
  char before[4096], stage[200], page[200], module[200], out[200];
  snprintf(before, sizeof before, "%s", getenv("MUYBRIDGE_PATH"));
  snprintf(stage, sizeof stage, "%s", in_folder("stage"));
  snprintf(page, sizeof page, "%s", in_folder("stage/page.html"));
  snprintf(module, sizeof module, "%s", in_folder("stage/stage.wasm"));
  snprintf(out, sizeof out, "%s", in_folder("biped.html"));
  CHECK(mkdir(stage, 0777) == 0);
  make_file(page, "<!doctype html>\n<script type=\"application/json\" id=\"stage-data\">{}</script>\n");
  make_file(module, "module");
  setenv("MUYBRIDGE_PATH", folder, 1);
  CHECK(muy_write_page(&run, 1, out, m) == MUY_OK && begins_with(out, "<!doctype html>"));
  CHECK(muy_write_page(&run, 0, out, m) == MUY_WRONG_INPUT && muy_messages_count(m) == 1);
  CHECK(muy_write_page(&run, 1, in_folder("no/such.html"), m) != MUY_OK && muy_messages_count(m) == 2);
  setenv("MUYBRIDGE_PATH", before, 1);
  remove(out);
  remove(page);
  remove(module);
  CHECK(rmdir(stage) == 0);
  muy_messages_free(m);
}

static void test_run(void)
{
  muy_messages *m = muy_messages_new();
  muy_creature *c = biped(), *other = NULL;
  muy_clip *walk = NULL, *turn = NULL, *back = NULL, *played = NULL;
  muy_run *run = NULL, *none = (muy_run *)m;
  char path[200];
  int id = 0, n = 0, ids[4];
  double cost = 0;
  snprintf(path, sizeof path, "%s", in_folder("biped.muy"));
  CHECK(muy_run_open(path, m, &none) == MUY_WRONG_INPUT && !none && muy_messages_count(m) == 1);
  CHECK(muy_run_create(path, c, NULL, &run) == MUY_OK);
  CHECK(muy_creature_parse("hopper.creature", hopper, strlen(hopper), NULL, &other) == MUY_OK);
  CHECK(muy_solve_gait(c, "walk", NULL, NULL, &walk) == MUY_OK);
  CHECK(muy_run_add_clip(run, walk, NULL, &id) == MUY_OK && id == 1);
  CHECK(muy_run_create(path, other, m, &none) == MUY_WRONG_INPUT && !none);
  CHECK(muy_run_get_clip(run, "walk", m, &back) == MUY_OK);
  CHECK(!memcmp(muy_clip_poses(back), muy_clip_poses(walk),
                sizeof(double) * (size_t)(muy_clip_n_frames(walk) * muy_clip_n_dofs(walk))));
  CHECK(muy_solve_transition(back, 31, back, 31, 0.5236, NULL, m, &turn) == MUY_OK);
  CHECK(muy_run_add_clip(run, turn, m, &id) == MUY_OK && id == 2);
  CHECK(muy_run_add_mirror_images(run, m, &n) == MUY_OK && n == 1);
  CHECK(muy_run_list_clips(run, ids, 2, &n, m) == MUY_OK && n == 3 && ids[0] == 1 && ids[1] == 2);
  muy_messages_clear(m);
  CHECK(muy_run_play(run, NULL, m, &played, &cost) == MUY_WRONG_INPUT && !played && isnan(cost)); /* none yet */
  CHECK(muy_run_make_policy(run, "no_such_task", m, &cost) == MUY_WRONG_INPUT && isnan(cost));
  CHECK(muy_messages_count(m) >= 2);
  muy_messages_clear(m);
  CHECK(muy_run_make_policy(run, "direction", m, &cost) == MUY_OK && isfinite(cost));
  muy_play_options o;
  muy_play_defaults(&o, sizeof o);
  o.seconds = 5;
  CHECK(muy_run_play(run, &o, m, &played, &cost) == MUY_OK && muy_clip_verify(played, NULL, 0, NULL) == MUY_OK);
  CHECK(muy_run_write_player(run, in_folder("biped.play"), m) == MUY_OK);
  remove(in_folder("biped.play"));
  test_page(run);

  muy_push push = {.time = 0.5, .size = 0.05, .limb = "no_such_limb"};
  muy_clip *pushed = NULL;
  CHECK(muy_run_modal(run, "walk", 1, 1, &push, m, &pushed) == MUY_WRONG_INPUT && !pushed);
  push.limb = NULL;
  CHECK(muy_run_modal(run, "walk", 1, 1, &push, m, &pushed) == MUY_OK && muy_clip_n_frames(pushed) > 50);
  muy_clip_free(pushed);
  muy_track_options t;
  muy_track_defaults(&t, sizeof t);
  t.method = "magic";
  CHECK(muy_run_track(run, "walk", &t, m, &pushed) == MUY_WRONG_INPUT && !pushed);
  t.method = "lqr";
  t.cycles = 2;
  CHECK(muy_run_track(run, "walk", &t, m, &pushed) == MUY_OK && pushed);
  muy_clip_free(pushed);
  t.engine = "steam";
  CHECK(muy_run_track(run, "walk", &t, m, &pushed) == MUY_WRONG_INPUT && !pushed);
  t.engine = "tree";
  CHECK(muy_run_track(run, "walk", &t, m, &pushed) == MUY_OK && pushed);
  muy_clip_free(pushed);
  muy_run_free(run);
  muy_run_free(NULL);
  CHECK(muy_clip_verify(back, NULL, 0, NULL) == MUY_OK); /* of a run that is gone */
  muy_clip_free(back);
  muy_clip_free(turn);
  muy_clip_free(walk);
  muy_clip_free(played);
  muy_creature_free(c);
  muy_creature_free(other);
  remove(path);
  muy_messages_free(m);
}

/* ---- threads ---- */

static void *solve_in_thread(void *gait)
{
  muy_creature *c = biped();
  muy_clip *clip = NULL;
  muy_solve_gait(c, gait, NULL, NULL, &clip);
  muy_creature_free(c);
  return clip;
}

/* Two solves at once give what they give one after the other, to the bit. */
static void test_threads(void)
{
  static char *const gaits[2] = {"walk", "run"};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    CHECK(pthread_create(&threads[i], NULL, solve_in_thread, gaits[i]) == 0);
  for (int i = 0; i < 2; i++) {
    void *found = NULL;
    pthread_join(threads[i], &found);
    muy_clip *there = found, *here = solve_in_thread(gaits[i]);
    CHECK(there && here && muy_clip_n_frames(there) == muy_clip_n_frames(here) &&
          !memcmp(muy_clip_poses(there), muy_clip_poses(here),
                  sizeof(double) * (size_t)(muy_clip_n_frames(here) * muy_clip_n_dofs(here))));
    muy_clip_free(there);
    muy_clip_free(here);
  }
}

/* Everything above, with standard output and error in a file, which must be empty. */
static void check_silent(void (*test)(void))
{
  char path[200];
  snprintf(path, sizeof path, "%s/said", folder);
  fflush(NULL);
  int out = dup(1), err = dup(2), file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600), before = test_failures;
  dup2(file, 1);
  dup2(file, 2);
  test();
  fflush(NULL);
  dup2(out, 1);
  dup2(err, 2);
  off_t said = lseek(file, 0, SEEK_END);
  if (said > 0 && test_failures == before)
    fprintf(stderr, "the library printed %ld bytes\n", (long)said);
  if (said > 0) { /* what checks said, or the library */
    char text[4000];
    ssize_t n = pread(file, text, sizeof text, 0);
    fwrite(text, 1, n > 0 ? (size_t)n : 0, stderr);
  }
  CHECK(said == 0);
  close(file), close(out), close(err);
  remove(path);
}

int main(void)
{
  char zoo[4096];
  const char *creatures = getenv("MUYBRIDGE_CREATURES");
  snprintf(zoo, sizeof zoo, "%s/..", creatures ? creatures : "creatures");
  setenv("MUYBRIDGE_PATH", zoo, 1);
  CHECK(mkdtemp(folder) != NULL);
  CHECK(muy_version()[0] != 0);
  check_silent(test_creature);
  check_silent(test_bad_text);
  check_silent(test_solve);
  check_silent(test_style);
  check_silent(test_run);
  check_silent(test_threads);
  CHECK(rmdir(folder) == 0);
  return test_finish();
}
