/* Clips and references as bytes: what comes out is what went in, number for number, and what nobody wrote is
 * refused. */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "motion/motion_bytes.h"
#include "follow/reference_bytes.h"
#include "follow/subject.h"
#include "samcon/track.h"
#include "follow/walk.h"

struct whole { struct graph_input in; const struct reference *r; };

static void put_whole(struct bytes_writer *w, const void *what)
{
  const struct whole *x = what;
  graph_input_put(w, &x->in);
  reference_put(w, x->r);
}

/* 1: it could be read, to its last byte. */
static int get_whole(struct arena *arena, const void *bytes, size_t n, struct whole *out)
{
  struct bytes_reader r = {.at = bytes, .left = n, .arena = arena};
  out->r = graph_input_get(&r, &out->in) ? reference_get(&r, out->in.creature) : NULL;
  return out->r && !r.bad && r.left == 0;
}

/* Texts that are missing and texts that are empty are two things; numbers of any kind keep their bits. */
static void test_small(void)
{
  struct arena *arena = arena_new();
  unsigned char room[200];
  struct bytes_writer w = {room, 0};
  double odd[3] = {-0.0, 5e-324, NAN};
  bytes_put_text(&w, NULL);
  bytes_put_text(&w, "");
  bytes_put_text(&w, "hoof");
  bytes_put_int(&w, -7);
  bytes_put_reals(&w, odd, 3);
  struct bytes_reader r = {.at = room, .left = w.n, .arena = arena};
  CHECK(bytes_get_text(&r) == NULL);
  CHECK_STR(bytes_get_text(&r), "");
  CHECK_STR(bytes_get_text(&r), "hoof");
  CHECK_INT(bytes_get_int(&r), -7);
  CHECK(!memcmp(bytes_get_reals(&r, 3), odd, sizeof odd));
  CHECK(!r.bad && r.left == 0);
  CHECK(bytes_get_reals(&r, 1) == NULL && r.bad);
  CHECK_INT(bytes_get_int(&r), 0);
  r = (struct bytes_reader){.at = room, .left = w.n, .arena = arena};
  CHECK_INT(bytes_get_within(&r, 3, 9), 3);
  CHECK(r.bad);
  arena_free(arena);
}

/* A track of the copy is the track of the original, bit for bit. */
static void test_same_track(const struct walk *w, const struct reference *r, const struct whole *copy)
{
  struct arena *arena = arena_new();
  struct track_options o;
  struct diag d;
  diag_init(&d);
  track_defaults(w->creature, TRACK_SAMCON, 1, &o);
  o.samples = 24;
  const struct recording *a = track(arena, r, &o, &d), *b = track(arena, copy->r, &o, &d);
  CHECK(a && b && a->judgement.success);
  CHECK(a && b && a->motion->n_frames == b->motion->n_frames &&
        !memcmp(a->motion->q, b->motion->q, (size_t)(a->motion->n_frames * r->n_dofs) * sizeof(double)));
  arena_free(arena);
}

/* Cut short anywhere it is refused; spoiled anywhere it is refused or read, and never believed further than its end. */
static void test_damage(const unsigned char *bytes, size_t n)
{
  struct rng rng = rng_stream(5, 1);
  unsigned char *copy = malloc(n);
  int refused = 0;
  for (int i = 0; i < 300; i++) {
    struct arena *arena = arena_new();
    struct whole out;
    size_t length = (size_t)(rng_uniform(&rng, 0, 1) * (double)n);
    memcpy(copy, bytes, n);
    CHECK(!get_whole(arena, copy, length, &out));
    size_t at = (size_t)(rng_uniform(&rng, 0, 1) * (double)(i % 2 ? n : n < 8000 ? n : 8000));
    copy[at] ^= (unsigned char)(1 + i % 255);
    refused += !get_whole(arena, copy, n, &out);
    arena_free(arena);
  }
  CHECK(refused > 10);
  free(copy);
}

int main(void)
{
  struct arena *arena = arena_new();
  struct walk w;
  struct diag d;
  diag_init(&d);
  if (!walk_make(arena, 0, &w))
    return 99;
  test_small();
  struct whole x = {w.in, subject_clip(arena, &w.in, 0, 1, NULL, &d)}, copy;
  size_t n, again;
  const void *bytes = bytes_pack(arena, put_whole, &x, &n);
  CHECK(get_whole(arena, bytes, n, &copy));
  const void *twice = bytes_pack(arena, put_whole, &copy, &again);
  CHECK(again == n && !memcmp(bytes, twice, n));
  test_same_track(&w, x.r, &copy);
  test_damage(bytes, n);
  arena_free(arena);
  return test_finish();
}
