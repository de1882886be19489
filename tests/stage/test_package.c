/* Packages: what is put comes back; sections may be missing, unknown or twice; damaged bytes are refused in words, and
 * never crash or ask for more memory than there are bytes. */
#include <stdlib.h>

#include "check.h"
#include "stage/small_package.h"
#include "stage/stage.h"

/* 1 if they can be read. The messages go to `why` (of size). */
static int get(struct arena *arena, const void *bytes, size_t n, struct stage_package *out, char *why, size_t size)
{
  struct diag d;
  diag_init(&d);
  int good = stage_package_get(arena, bytes, n, "p", out, &d);
  char *text = diag_text(&d);
  snprintf(why, size, "%s", text);
  CHECK_INT(good, d.n_errors == 0);
  free(text);
  diag_clear(&d);
  return good;
}

static void test_round_trip(const struct small_package *p)
{
  struct arena *arena = arena_new();
  struct stage_package back;
  char why[500];
  size_t n;
  CHECK(get(arena, p->bytes, p->n, &back, why, sizeof why));
  const void *again = stage_package_bytes(arena, &back, &n);
  CHECK(n == p->n && !memcmp(again, p->bytes, n));
  CHECK(back.n_player == p->package.n_player && back.step == p->package.step);
  CHECK_STR(back.note, p->package.note);
  CHECK_STR(back.task->name, "direction");
  CHECK_INT(back.task->parameters[0].n, 72);
  CHECK_INT(back.clips.n_clips, p->package.clips.n_clips);
  struct stage_package bare = {.clips = p->package.clips}; /* clips alone are enough */
  const void *bytes = stage_package_bytes(arena, &bare, &n);
  CHECK(get(arena, bytes, n, &back, why, sizeof why) && !back.player && !back.controls && !back.task && !back.note);
  struct stage *s = stage_new();
  CHECK(stage_open(s, bytes, n));
  CHECK(!stage_mode(s, STAGE_PLAY, -1) && !stage_mode(s, STAGE_CONTROL, -1) && stage_frame(s) == STAGE_UP);
  CHECK_STR(stage_why(s), "mode: the package has nothing for mode control");
  stage_free(s);
  arena_free(arena);
}

/* A package of a head and one more section. */
static const void *with(struct arena *arena, const struct small_package *p, const char *tag, uint64_t length,
                        const void *bytes, size_t n, size_t *whole)
{
  unsigned char *out = arena_alloc(arena, p->n + 12 + n, 1);
  struct bytes_writer w = {out, 0};
  bytes_put(&w, p->bytes, p->n);
  bytes_put(&w, tag, 4);
  bytes_put_bits(&w, length, 8);
  bytes_put(&w, bytes, n);
  *whole = w.n;
  return out;
}

static void test_sections(const struct small_package *p)
{
  struct arena *arena = arena_new();
  struct stage_package back;
  char why[500];
  size_t n;
  const void *bytes = with(arena, p, "NEXT", 5, "12345", 5, &n); /* of a later version */
  CHECK(get(arena, bytes, n, &back, why, sizeof why) && back.clips.n_clips == p->package.clips.n_clips);
  bytes = with(arena, p, "NOTE", 2, "{}", 2, &n);
  CHECK(!get(arena, bytes, n, &back, why, sizeof why));
  CHECK_STR(why, "p: error: the package has the note twice\n");
  bytes = with(arena, p, "NEXT", UINT64_MAX, "12345", 5, &n);
  CHECK(!get(arena, bytes, n, &back, why, sizeof why));
  CHECK_STR(why, "p: error: the package ends in the middle of a section: 5 bytes are left\n");
  unsigned char *other = memcpy(arena_alloc(arena, p->n, 1), p->bytes, p->n);
  other[8] = 2;
  CHECK(!get(arena, other, p->n, &back, why, sizeof why));
  CHECK_STR(why, "p: error: the package has version 2; this stage reads version 1\n");
  CHECK(!get(arena, p->bytes, 12, &back, why, sizeof why));
  CHECK_STR(why, "p: error: the package has no creature and clips (section CLIP)\n");
  CHECK(!get(arena, p->bytes, 0, &back, why, sizeof why));
  CHECK_STR(why, "p: error: this is no package of the stage: it does not begin with \"MUYSTAGE\"\n");
  arena_free(arena);
}

/* Cut anywhere it is refused; with a byte changed it is refused, or opened as something else that still runs. */
static void test_damage(const struct small_package *p)
{
  unsigned char *bytes = malloc(p->n);
  struct stage *s = stage_new();
  int refused = 0, taken = 0;
  for (size_t k = 12; k < p->n; k += 1 + p->n / 60) {
    CHECK(!stage_open(s, p->bytes, k));
    CHECK(stage_why(s)[0] != '\0');
  }
  for (size_t i = 0; i < p->n; i += i < 4000 ? 37 : 1 + p->n / 150) {
    memcpy(bytes, p->bytes, p->n);
    bytes[i] ^= 0xff;
    if (!stage_open(s, bytes, p->n)) {
      refused++;
      continue;
    }
    taken++;
    stage_about(s);
    for (int mode = 0; mode < N_STAGE_MODES; mode++)
      if (stage_mode(s, mode, -1))
        for (int k = 0; k < 3; k++)
          stage_frame(s);
    stage_record(s);
  }
  CHECK(refused > 20 && taken > 20);
  CHECK(stage_open(s, p->bytes, p->n));
  stage_free(s);
  free(bytes);
}

int main(void)
{
  struct small_package p = small_package_new();
  test_round_trip(&p);
  test_sections(&p);
  test_damage(&p);
  small_package_free(&p);
  return test_finish();
}
