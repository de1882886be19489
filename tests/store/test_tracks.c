/* The run file: tracks come out as they went in, and what is wrong with them is told. */
#include "store/run_file.h"
#include "store/tracks.h"

static struct store_track some_track(const char *what, double x)
{
  static const unsigned char bytes[40] = {1, 2, 3, 0, 255};
  struct store_track t = {.what = what, .method = "samcon", .options = "seed 1", .success = 1, .fault = "", .seconds = 2.5,
                          .fault_after = 2.5, .n_frames = 5, .samples = 400, .seconds_models = 0.5,
                          .seconds_tracking = x};
  for (int i = 0; i < N_TRACK_NUMBERS; i++)
    t.numbers[i] = x + i;
  for (int i = 0; i < N_TRACK_BYTES; i++) {
    t.bytes[i] = bytes + i;
    t.n_bytes[i] = (size_t)(8 * i + 3);
  }
  return t;
}

static void check_track(const struct store_track *a, const struct store_track *b)
{
  CHECK_STR(a->what, b->what);
  CHECK_STR(a->method, b->method);
  CHECK_STR(a->options, b->options);
  CHECK_STR(a->fault, b->fault);
  CHECK_INT(a->success, b->success);
  CHECK_INT(a->n_frames, b->n_frames);
  CHECK_INT(a->samples, b->samples);
  CHECK(a->seconds == b->seconds && a->fault_after == b->fault_after && a->seconds_tracking == b->seconds_tracking);
  for (int i = 0; i < N_TRACK_NUMBERS; i++)
    CHECK(a->numbers[i] == b->numbers[i]);
}

static void test_round(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  int n = 0;
  diag_init(&d);
  struct store *s = store_open(arena, in_folder(arena, "a.muy"), STORE_WRITE, &d);
  struct store_track one = some_track("clip 1, walk", 0.25), two = some_track("clip 2", -0.0), found;
  two.success = 0;
  two.fault = "tilt";
  CHECK(!store_get_track(arena, s, 0, &found, &d));
  check_says(&d, "@/a.muy: error: there are no tracks in this run file; muybridge track makes one\n");
  CHECK_INT(store_put_track(s, &one, &d), 1);
  CHECK_INT(store_put_track(s, &two, &d), 2);
  store_close(s);
  s = store_open(arena, in_folder(arena, "a.muy"), STORE_READ, &d);
  CHECK(store_get_track(arena, s, 1, &found, &d));
  check_track(&found, &one);
  for (int i = 0; i < N_TRACK_BYTES; i++) {
    CHECK(found.n_bytes[i] == one.n_bytes[i]);
    CHECK(!memcmp(found.bytes[i], one.bytes[i], one.n_bytes[i]));
  }
  CHECK(store_get_track(arena, s, 0, &found, &d)); /* the newest */
  check_track(&found, &two);
  CHECK(!store_get_track(arena, s, 7, &found, &d));
  check_says(&d, "@/a.muy: error: there is no track 7 in this run file\n");
  const struct store_track *all = store_list_tracks(arena, s, &n, &d);
  CHECK_INT(n, 2);
  check_track(&all[0], &one);
  check_track(&all[1], &two);
  CHECK(all[0].bytes[0] == NULL);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

static void test_refused(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, in_folder(arena, "a.muy"), STORE_WRITE, &d);
  struct store_track t = some_track("clip 1", 1);
  t.n_frames = 0;
  CHECK_INT(store_put_track(s, &t, &d), 0);
  check_says(&d, "@/a.muy: error: the track is not written: it has no frames\n");
  t = some_track("clip 1", 1);
  t.n_bytes[TRACK_CONTROL] = 0;
  CHECK_INT(store_put_track(s, &t, &d), 0);
  check_says(&d, "@/a.muy: error: the track is not written: a part of it is empty\n");
  t = some_track("clip 1", 1);
  t.seconds = NAN;
  CHECK_INT(store_put_track(s, &t, &d), 0);
  check_says(&d, "@/a.muy: error: the track is not written: its duration is not finite\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  run_begin();
  test_round();
  test_refused();
  return run_finish();
}
