/* The file of a controller: what is written is loaded, bit for bit, and what is damaged is refused, with the reason. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "turtle.h"

static void test_round_trip(void)
{
  static struct turtle t;
  unsigned char *bytes, *again;
  size_t length, length_again = 0;
  char why[200] = "";
  turtle_make(&t);
  struct muy_player_controller *c = turtle_load(&t, &bytes, &length);
  again = muy_player_write_memory(c, &length_again, why, sizeof why);
  CHECK_STR(why, "");
  CHECK(again && length == length_again && memcmp(bytes, again, length) == 0);
  CHECK_INT((long)(length % 8), 0);
  CHECK_STR(c->creature, "turtle");
  CHECK_STR(c->dof_names[6], "tail.wag");
  CHECK_STR(c->point_names[1], "right");
  CHECK_STR(c->gait_names[1], "turn");
  CHECK_STR(c->clips[CRAWL].name, "crawl");
  CHECK_INT(c->n_bones, BONES);
  CHECK(memcmp(c->axes, t.axes, sizeof t.axes) == 0);
  for (int i = 0; i < BONES; i++) {
    const struct muy_player_bone *a = &t.bones[i], *b = &c->bones[i];
    CHECK_STR(b->name, a->name);
    CHECK(b->parent == a->parent && b->first_dof == a->first_dof && b->n_dofs == a->n_dofs && b->solid == a->solid);
    CHECK(memcmp(b->at, a->at, sizeof a->at) == 0 && memcmp(b->centre, a->centre, sizeof a->centre) == 0);
    CHECK(memcmp(b->turn, a->turn, sizeof a->turn) == 0 && memcmp(b->size, a->size, sizeof a->size) == 0);
  }
  CHECK_STR(c->parameters[1].categories[1], "hasty");
  CHECK_STR(c->parameters[0].unit, "rad");
  CHECK_NEAR(c->dt, 1. / 30, 0);
  CHECK_INT(c->first_segment[1], B_ON);
  CHECK_INT(c->first_segment[2], SEGMENTS);
  CHECK_INT((long)c->n_cells, 2 * HEADINGS);
  for (int i = 0; i < CLIPS; i++) {
    size_t n = (size_t)t.clips[i].n_frames;
    CHECK_INT(c->clips[i].n_frames, t.clips[i].n_frames);
    CHECK(memcmp(c->clips[i].q, t.clips[i].q, n * DOFS * sizeof(double)) == 0);
    CHECK(memcmp(c->clips[i].force, t.clips[i].force, n * POINTS * 3 * sizeof(double)) == 0);
    CHECK(memcmp(c->clips[i].contact, t.clips[i].contact, n * POINTS) == 0);
  }
  for (int e = 0; e < SEGMENTS; e++) {
    CHECK_INT(c->segments[e].to, t.segments[e].to);
    CHECK_INT(c->segments[e].n_pieces, t.segments[e].n_pieces);
    CHECK_NEAR(c->segments[e].motion.y, t.segments[e].motion.y, 0);
    CHECK_NEAR(c->segments[e].pieces[0].place.yaw, t.pieces[e][0].place.yaw, 0);
    CHECK_NEAR(c->segments[e].features[5].torso, t.features[e][5].torso, 0);
    CHECK_INT(c->segments[e].features[5].gait, e % 2);
    CHECK(memcmp(c->segments[e].values, t.values[e], sizeof t.values[e]) == 0);
  }
  muy_player_unload(c);
  free(bytes);
  free(again);
}

/* Where things are in the file, written down by hand from doc/player-format.md. */
static void test_bytes(void)
{
  static struct turtle t;
  unsigned char *bytes;
  size_t length;
  turtle_make(&t);
  muy_player_unload(turtle_load(&t, &bytes, &length));
  const unsigned char start[16] = {'M', 'U', 'Y', 'P', 'L', 'A', 'Y', 0, 2, 0, 0, 0, 1, 0, 0, 0};
  CHECK(memcmp(bytes, start, sizeof start) == 0);
  CHECK_INT((long)(bytes[16] + 256 * bytes[17] + 65536 * bytes[18]), (long)length);
  CHECK_INT(bytes[32], DOFS);
  CHECK_INT(bytes[56], SEGMENTS);
  CHECK_INT(bytes[60], CYCLE + 4 * 8 + 14);  /* frames of clips */
  CHECK_INT(bytes[64], 6 + 2 + 2 + 4); /* pieces: six whole segments, B_ON, B_SWEEP, B_ROUND */
  uint64_t word = 0;
  CHECK_INT(bytes[88], BONES);
  size_t q = 96 + CLIPS * 8 + CLIPS * 24; /* the first pose */
  for (size_t k = 8; k-- > 0;)
    word = word << 8 | bytes[q + 16 + k];
  double z;
  memcpy(&z, &word, 8);
  CHECK_NEAR(z, t.q[0][0][2], 0);
  free(bytes);
}

/* Laid runs: pieces split where the cycle ends, each a cycle further; and no way of going on shows a jump. */
static void test_lay(void)
{
  static struct turtle t;
  struct muy_player_segment s;
  struct muy_player_piece pieces[4];
  int where = -1;
  turtle_make(&t);
  CHECK_INT(t.segments[B_ON].n_pieces, 2);
  CHECK_INT(t.segments[B_ROUND].n_pieces, 4);
  CHECK_INT(t.segments[B_SWEEP].n_pieces, 2);
  CHECK_INT(t.pieces[B_ROUND][3].count, 3);
  CHECK_NEAR(t.pieces[B_ROUND][3].place.x - t.pieces[B_ROUND][0].place.x, 3 * CYCLE * STEP, 1e-14);
  CHECK_NEAR(t.segments[B_ROUND].motion.x, 30 * STEP, 1e-14);
  CHECK_NEAR(t.segments[B_ROUND].motion.y, 0.02, 1e-14); /* from one side of the sway to the other */
  CHECK_NEAR(turtle_wrap(t.segments[A_ABOUT].motion.yaw - PI), 0, 1e-14);
  CHECK_NEAR(t.segments[B_SWEEP].motion.yaw, PI / 6, 1e-14);
  CHECK(muy_player_gap(&t.c, &where) < 1e-14);
  const double still[2] = {0, 0};
  const struct muy_player_run bad[] = {{-1, 0, 1},     {CLIPS, 0, 1}, {CRAWL, 12, 1},
                                   {CRAWL, -1, 1}, {CRAWL, 0, 0}, {ABOUT, 0, 14}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK_INT(muy_player_lay(&t.c, &bad[i], 1, still, pieces, 4, &s), -1);
  CHECK_INT(muy_player_lay(&t.c, &(struct muy_player_run){CRAWL, 6, 60}, 1, still, pieces, 2, &s), 6); /* not overrun */
  t.q[LEFT_B][6][5] += 1e-3;
  CHECK_NEAR(muy_player_gap(&t.c, &where), 1e-3, 1e-12);
  CHECK_INT(where, B_LEFT);
  t.segments[A_ABOUT].motion.yaw += 0.01;
  CHECK_NEAR(muy_player_gap(&t.c, &where), 0.01, 1e-12);
  CHECK_INT(where, A_ABOUT);
  t.q[LEFT_B][6][5] = NAN;
  CHECK(isnan(muy_player_gap(&t.c, &where)));
}

/* Data that cannot be a controller: each has its reason. */
static const char *reason(struct turtle *t)
{
  static char why[200];
  size_t length;
  snprintf(why, sizeof why, "accepted");
  free(muy_player_write_memory(&t->c, &length, why, sizeof why));
  turtle_make(t);
  return why;
}

static void test_reasons(void)
{
  static struct turtle t;
  turtle_make(&t);
#define REFUSED(change, text) change, CHECK_STR(reason(&t), text)
  CHECK_STR(reason(&t), "accepted");
  REFUSED(t.c.n_dofs = 5, "a creature has 6 dofs or more, not 5");
  REFUSED(t.c.dt = NAN, "frames must be 0.0001 to 1 s apart, not nan");
  REFUSED(t.c.n_nodes = -1, "a count or an index is negative or too large");
  REFUSED(t.c.n_clips = 0, "a controller needs a clip and a node");
  REFUSED(t.c.n_parameters = 0, "accepted");
  REFUSED(t.clips[1].q = NULL, "a clip has no frames or no forces");
  REFUSED(t.clips[1].cyclic = 2, "clip 1 has impossible frames");
  REFUSED(t.q[2][3][4] = INFINITY, "a number of the poses is not finite");
  REFUSED(t.force[2][3][1][2] = NAN, "a number of the forces is not finite");
  REFUSED(t.contact[0][0][0] = 2, "a contact is neither 0 nor 1");
  REFUSED(t.nodes[1].frame = CYCLE, "node 1 is at a frame that there is not");
  REFUSED(t.segments[3].to = 2, "segment 3 joins nodes that there are not");
  REFUSED(t.segments[5].from = 0, "segment 5 is not in the order of nodes");
  REFUSED(t.c.n_segments = 4, "no segment leaves node 1, or segments are not in the order of nodes");
  REFUSED(t.segments[8].n_frames--, "segment 8 and its pieces differ in their frames");
  REFUSED(t.pieces[4][1].count = 13, "piece 5 shows frames that there are not");
  REFUSED(t.features[3][2].gait = 2, "a frame has gait 2 of 2");
  REFUSED(t.features[3][2].speed = NAN, "a number of the features is not finite");
  REFUSED(t.segments[2].motion.x = NAN, "a number of the motions of segments is not finite");
  REFUSED(t.parameters[1].relative = 1, "parameter 1 lives in a space that there is not");
  REFUSED(t.parameters[1].n_values = 0, "the grid of parameter 1 has an impossible size");
  REFUSED(t.headings[3] = 0, "the grid of parameter 0 is not ascending");
  REFUSED(t.headings[HEADINGS - 1] = 2 * PI, "the grid of parameter 0 spans a whole turn");
  REFUSED(t.values[5][7] = NAN, "a value of segment 5 is not finite");
  REFUSED(t.c.n_bones = 0, "accepted");
  REFUSED(t.bones[0].n_dofs = 5, "bone 0 hangs on none before it");
  REFUSED(t.bones[1].parent = 1, "bone 1 hangs on none before it");
  REFUSED(t.bones[1].parent = -1, "bone 1 hangs on none before it");
  REFUSED(t.bones[1].n_dofs = 2, "bone 1 turns by dofs that there are not");
  REFUSED(t.bones[2].first_dof = 5, "bone 2 turns by dofs that there are not");
  REFUSED(t.bones[2].solid = 4, "bone 2 has a shape that there is not");
  REFUSED(t.bones[1].turn[0] = 0.61, "bone 1 has a shape whose turn is no rotation");
  REFUSED(t.bones[1].at[2] = NAN, "a number of the joints of bones is not finite");
  REFUSED(t.bones[1].size[2] = INFINITY, "a number of the shapes of bones is not finite");
  REFUSED(t.axes[6][0] = 0.61, "the axis of dof 6 has not the length 1");
#undef REFUSED
}

/* The checksum as the document has it. */
static void seal(unsigned char *bytes, size_t length)
{
  uint64_t sum = 0xcbf29ce484222325u, size = length;
  for (size_t i = 32; i < length; i++)
    sum = (sum ^ bytes[i]) * 0x100000001b3u;
  for (size_t k = 0; k < 8; k++)
    bytes[16 + k] = (unsigned char)(size >> 8 * k), bytes[24 + k] = (unsigned char)(sum >> 8 * k);
}

/* A file of version 1 is one of version 2 that has no bones, without the words that would count them. */
static void test_version_1(void)
{
  static struct turtle t;
  struct muy_player old, new;
  double a[DOFS], b[DOFS];
  struct muy_player_place bones[BONES] = {{{1}, {0}}};
  unsigned char *bytes;
  size_t length;
  char why[200] = "";
  turtle_make(&t);
  t.c.n_bones = 0;
  struct muy_player_controller *c = turtle_load(&t, &bytes, &length);
  memmove(bytes + 88, bytes + 96, length - 96);
  bytes[8] = 1;
  seal(bytes, length - 8);
  struct muy_player_controller *c1 = muy_player_load_memory(bytes, length - 8, why, sizeof why);
  CHECK_STR(why, "");
  free(bytes);
  if (!c1) {
    muy_player_unload(c);
    return;
  }
  CHECK(c1->n_bones == 0 && !c1->axes && strcmp(c1->parameters[1].categories[1], "hasty") == 0);
  muy_player_init(&old, c1);
  muy_player_init(&new, c);
  for (int k = 0; k < 200; k++) {
    muy_player_set(&old, 0, k / 20);
    muy_player_set(&new, 0, k / 20);
    muy_player_step(&old);
    muy_player_step(&new);
    muy_player_pose(&old, a);
    muy_player_pose(&new, b);
    CHECK(memcmp(a, b, sizeof a) == 0);
  }
  CHECK(!muy_player_bones(&old, bones) && bones[0].at[0] == 1); /* nothing is written */
  muy_player_unload(c1);
  muy_player_unload(c);
}

/* Whatever was loaded can be played. */
static void play_blindly(const struct muy_player_controller *c, struct rng *r)
{
  struct muy_player p;
  double *q = malloc(sizeof *q * (size_t)(c->n_dofs + 3 * c->n_points)), *force = q + c->n_dofs;
  unsigned char *contact = malloc((size_t)c->n_points + 1);
  struct muy_player_place *bones = malloc(sizeof *bones * (size_t)(c->n_bones + 1));
  muy_player_init(&p, c);
  for (int k = 0; q && contact && bones && k < 30; k++) {
    muy_player_set(&p, rng_below(r, c->n_parameters + 1), rng_uniform(r, -9, 9));
    muy_player_advance(&p, rng_uniform(r, 0, 2) * c->dt);
    muy_player_pose(&p, q);
    muy_player_bones(&p, bones);
    muy_player_forces(&p, force);
    muy_player_contacts(&p, contact);
    muy_player_features(&p);
    muy_player_peek(&p);
  }
  free(q);
  free(contact);
  free(bones);
}

static void try_bytes(const unsigned char *bytes, size_t length, struct rng *r, int *loaded)
{
  char why[200] = "";
  struct muy_player_controller *c = muy_player_load_memory(bytes, length, why, sizeof why);
  CHECK(!c == (why[0] != 0));
  if (c) play_blindly(c, r), ++*loaded;
  muy_player_unload(c);
}

/* Cut files and changed words, sealed again, so that the reader has to notice by itself. Under the sanitizers this is
 * where a missing check shows. */
static void test_damage(int cases)
{
  static struct turtle t;
  unsigned char *bytes, *copy;
  size_t length;
  int loaded = 0, accepted = 0, cut = 0;
  struct rng r = rng_stream(11, 4);
  turtle_make(&t);
  muy_player_unload(turtle_load(&t, &bytes, &length));
  copy = malloc(length);
  for (size_t n = 0; n < length; n += n < 200 ? 1 : 37) {
    memcpy(copy, bytes, length);
    try_bytes(copy, n, &r, &cut);
    if (n < 32) continue;
    seal(copy, n);
    try_bytes(copy, n, &r, &cut);
  }
  CHECK_INT(cut, 0);
  for (int i = 0; i < 200; i++) { /* a single byte, not sealed: never accepted, wherever it is */
    memcpy(copy, bytes, length);
    copy[rng_below(&r, (int)length)] ^= (unsigned char)(1 + rng_below(&r, 255));
    try_bytes(copy, length, &r, &loaded);
  }
  CHECK_INT(loaded, 0);
  for (size_t at = 8; at < length; at += 4) /* every word, too large by little or by much */
    for (unsigned shift = 0; shift < 2; shift++) {
      memcpy(copy, bytes, length);
      copy[at] = shift ? 0xb8 : 0, copy[at + 1] = shift ? 0x0b : 0, copy[at + 2] = 0, copy[at + 3] = shift ? 0 : 0x10;
      seal(copy, length);
      try_bytes(copy, length, &r, &accepted);
    }
  accepted = 0;
  for (int i = 0; i < cases; i++) {
    static const uint32_t nasty[] = {0, 1, 2, 7, 255, 0x7fffffff, 0x80000000u, 0xffffffffu, 0x1fffffff, 0x7ff00000};
    memcpy(copy, bytes, length);
    for (int changes = 1 + rng_below(&r, 3); changes > 0; changes--) {
      int head = rng_below(&r, 2); /* half of them in the header and the first tables, where the counts are */
      size_t at = 8 + 4 * (size_t)rng_below(&r, head ? 40 : (int)length / 4 - 2);
      uint32_t word = rng_below(&r, 4) ? nasty[rng_below(&r, 10)] : (uint32_t)rng_next(&r);
      for (size_t k = 0; k < 4; k++)
        copy[at + k] = (unsigned char)(word >> 8 * k);
    }
    seal(copy, length);
    try_bytes(copy, length, &r, &accepted);
  }
  CHECK(accepted > cases / 40 && accepted < cases / 8 * 7); /* some changes are harmless, most are not */
  free(copy);
  free(bytes);
}

/* Eight grids of 256 values: 2^64 cells, which is 0 to one who only multiplies. Written as 1 .. 2041, then changed. */
static void test_overflow(void)
{
  static struct turtle t;
  static struct muy_player_parameter eight[9];
  static double grid[2048];
  static float values[2041];
  unsigned char *bytes;
  char why[200] = "";
  size_t length, text, at;
  turtle_make(&t);
  for (int i = 0; i < 2048; i++)
    grid[i] = i;
  for (int i = 0; i < 9; i++)
    eight[i] = (struct muy_player_parameter){"p", "p", "", MUY_PLAYER_INTERVAL, 0, i == 7 ? 2041 : 1, grid + i, NULL};
  for (int e = 0; e < SEGMENTS; e++)
    t.segments[e].values = values;
  t.c.parameters = eight, t.c.n_parameters = 9;
  CHECK(!muy_player_write_memory(&t.c, &length, why, sizeof why));
  CHECK_STR(why, "9 parameters are more than 8");
  t.c.n_parameters = 8;
  muy_player_unload(turtle_load(&t, &bytes, &length));
  text = (bytes[76] + 256u * bytes[77] + 7) / 8 * 8;
  at = length - text - (SEGMENTS * 2041 * 4 + 7) / 8 * 8 - 2048 * 8 - 8 * 12;
  CHECK_INT(bytes[at + 7 * 12 + 8] + 256 * bytes[at + 7 * 12 + 9], 2041);
  for (size_t i = 0; i < 8; i++)
    bytes[at + 12 * i + 8] = 0, bytes[at + 12 * i + 9] = 1;
  seal(bytes, length);
  CHECK(!muy_player_load_memory(bytes, length, why, sizeof why));
  CHECK_STR(why, "the grid of parameter 2 has an impossible size");
  free(bytes);
}

/* Cut where one would like to cut: the reasons, and within the bytes that fill a table up to a multiple of 8. */
static void test_cuts(void)
{
  static struct turtle t;
  unsigned char *bytes;
  size_t length, frames = CYCLE + 4 * 8 + 14;
  size_t contacts = 96 + CLIPS * 8 + CLIPS * 24 + frames * (DOFS + 3 * POINTS) * 8, end = contacts + frames * POINTS;
  char why[200] = "", expected[200];
  turtle_make(&t);
  muy_player_unload(turtle_load(&t, &bytes, &length));
  CHECK(!muy_player_load_memory(bytes, length - 8, why, sizeof why));
  snprintf(expected, sizeof expected, "the file has %zu bytes, but was written with %zu", length - 8, length);
  CHECK_STR(why, expected);
  CHECK_INT((long)(end % 8), 4);
  unsigned char *longer = calloc(1, length + 8);
  memcpy(longer, bytes, length);
  seal(longer, length + 8);
  CHECK(!muy_player_load_memory(longer, length + 8, why, sizeof why));
  CHECK_STR(why, "the file goes on after the names");
  free(longer);
  for (size_t n = contacts; n < end + 4; n++) {
    seal(bytes, n);
    CHECK(!muy_player_load_memory(bytes, n, why, sizeof why));
    CHECK_STR(why, "the file ends within the contacts");
  }
  seal(bytes, end + 4);
  CHECK(!muy_player_load_memory(bytes, end + 4, why, sizeof why));
  CHECK_STR(why, "the file ends within the nodes");
  for (unsigned char version = 0; version <= 3; version += 3) {
    bytes[8] = version;
    CHECK(!muy_player_load_memory(bytes, end + 4, why, sizeof why));
    snprintf(expected, sizeof expected, "the file has version %d, this player reads versions 1 to 2", version);
    CHECK_STR(why, expected);
  }
  CHECK(!muy_player_load_memory(bytes + 1, end, why, sizeof why));
  CHECK_STR(why, "this is not a controller file");
  free(bytes);
}

static void test_files(void)
{
  static struct turtle t;
  char why[200] = "", folder[] = "player-XXXXXX", path[64], other[64];
  turtle_make(&t);
  if (!mkdtemp(folder)) {
    CHECK(!"a folder for files");
    return;
  }
  snprintf(path, sizeof path, "%s/turtle.play", folder);
  snprintf(other, sizeof other, "%s/none/turtle.play", folder);
  CHECK(muy_player_write(path, &t.c, why, sizeof why));
  CHECK_STR(why, "");
  t.c.dt = -1; /* refused: the file of before stays */
  CHECK(!muy_player_write(path, &t.c, why, sizeof why));
  CHECK(strstr(why, "turtle.play: cannot write this file: frames must be 0.0001 to 1 s apart, not -1"));
  struct muy_player_controller *c = muy_player_load(path, why, sizeof why);
  CHECK(c && c->dt > 0);
  CHECK(c && !muy_player_write(other, c, why, sizeof why));
  CHECK(strstr(why, "none/turtle.play: cannot write this file: No such file"));
  snprintf(other, sizeof other, "%s/taken", folder); /* a folder is in the way; nothing may be left beside it */
  CHECK(mkdir(other, 0777) == 0 && c && !muy_player_write(other, c, why, sizeof why));
  CHECK(strstr(why, ": cannot write this file: "));
  muy_player_unload(c);
  CHECK(remove(other) == 0);
  snprintf(other, sizeof other, "%s/none/turtle.play", folder);
  CHECK(!muy_player_load(other, why, sizeof why));
  CHECK(strstr(why, "none/turtle.play: cannot read this file: No such file"));
  CHECK(!muy_player_load(folder, why, sizeof why));
  CHECK(strstr(why, ": cannot read this file: "));
  CHECK(!muy_player_load(folder, NULL, 0));
  CHECK(remove(path) == 0 && remove(folder) == 0); /* the folder is empty: no half files */
}

/* test_player_file [N]: with N damaged files. */
int main(int argc, char **argv)
{
  test_round_trip();
  test_bytes();
  test_lay();
  test_reasons();
  test_version_1();
  test_damage(argc > 1 ? atoi(argv[1]) : 4000);
  test_overflow();
  test_cuts();
  test_files();
  return test_finish();
}
