/* Motion files as others write them: what is read, and what is said of those that are wrong. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exchange/bvh_read.h"

#define HEAD                                                                                                           \
  "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 1 2\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation "           \
  "Xrotation\n"                                                                                                        \
  "\tJOINT Knee\n\t{\n\t\tOFFSET 0 -4.5 0\n\t\tCHANNELS 3 Yrotation Xrotation Zrotation\n\t\tEnd Site\n\t\t{\n"        \
  "\t\t\tOFFSET 0 -4 1e-1\n\t\t}\n\t}\n}\n"
#define FRAME "1 2 3 4 5 6 7 8 9"

struct reading {
  struct arena *arena;
  const struct bvh *bvh;
  char *messages;
};

static struct reading read_text(const char *text, size_t length)
{
  struct reading r = {.arena = arena_new()};
  struct diag d;
  diag_init(&d);
  char *copy = malloc(length + 1); /* no byte more than the parser may see */
  memcpy(copy, text, length);
  r.bvh = bvh_parse(r.arena, "a.bvh", copy, length, &d);
  free(copy);
  r.messages = diag_text(&d);
  CHECK((r.bvh == NULL) == (d.n_errors > 0));
  diag_clear(&d);
  return r;
}

static void done(struct reading *r)
{
  free(r->messages);
  arena_free(r->arena);
}

static void check_small(const char *text)
{
  static const double expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, -1, 0, 0.5, 0, 0, 0, 0, 0, 90};
  struct reading r = read_text(text, strlen(text));
  CHECK_STR(r.messages, "");
  if (r.bvh) {
    const struct bvh_joint *j = r.bvh->joints;
    CHECK_INT(r.bvh->n_joints, 3);
    CHECK_INT(r.bvh->n_channels, 9);
    CHECK_INT(r.bvh->n_frames, 2);
    CHECK_NEAR(r.bvh->frame_time, 0.01, 0);
    CHECK_STR(j[0].name, "Hips");
    CHECK_STR(j[1].name, "Knee");
    CHECK(j[2].is_end && j[2].parent == 1 && j[1].parent == 0 && j[0].parent == -1 && !j[1].is_end);
    CHECK(j[1].first_channel == 6 && j[1].n_channels == 3 && j[1].channels[0] == BVH_Y_ROTATION &&
          j[1].channels[2] == BVH_Z_ROTATION);
    CHECK_NEAR(j[1].offset[1], -4.5, 0);
    CHECK_NEAR(j[2].offset[2], 0.1, 0);
    for (int i = 0; i < 18; i++)
      CHECK_NEAR(r.bvh->values[i], expected[i], 0);
  }
  done(&r);
}

#define FRAMES "MOTION\nFrames: 2\nFrame Time: 0.01\n" FRAME "\n-1 0 .5 0 0 0 0 0 90"

/* The text with every \n replaced. */
static char *with_newlines(const char *text, const char *newline)
{
  size_t n = strlen(text), m = strlen(newline);
  char *out = malloc(n * (m + 1) + 1), *at = out;
  for (const char *c = text; *c; c++)
    if (*c == '\n')
      memcpy(at, newline, m), at += m;
    else
      *at++ = *c;
  *at = '\0';
  return out;
}

static void test_good(void)
{
  char *crlf = with_newlines(HEAD FRAMES "\n", "\r\n"), *wide = with_newlines(HEAD FRAMES "\n", "\n \t \n");
  check_small(HEAD FRAMES "\n");
  check_small(HEAD FRAMES); /* no newline at the end */
  check_small(HEAD FRAMES "  \n\n \n");
  check_small("\xEF\xBB\xBF" HEAD FRAMES);
  check_small(crlf);
  check_small(wide);
  check_small(
      "\n\n  hierarchy\nroot Hips { offset 0 1 2\nchannels 6 xposition YPOSITION zposition zrotation yrotation "
      "xrotation\n"
      "joint Knee{\noffset 0 -4.5 0\nCHANNELS 3 Yrotation Xrotation Zrotation\nEnd site{ OFFSET 0 -4 0.1 } } }\n"
      "motion\nframes :2\nFRAME TIME:\t.01\n" FRAME " \t\n-1 0 +.5 0 0 0 0 0 9e1\n");
  free(crlf);
  free(wide);
}

static void check_messages(const char *text, const char *expected)
{
  struct reading r = read_text(text, strlen(text));
  CHECK_STR(r.messages, expected);
  CHECK(!r.bvh);
  done(&r);
}

static void test_bad_trees(void)
{
  check_messages("", "a.bvh:1: error: expected HIERARCHY, but the file is empty\n");
  check_messages("name = horse\n", "a.bvh:1: error: expected HIERARCHY, found 'name'\n");
  check_messages("HIERARCHY\nJOINT a\n", "a.bvh:2: error: expected ROOT, found 'JOINT'\n");
  check_messages("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n",
                 "a.bvh:5: error: the file ends before the '}' of joint 'a', line 2\n");
  check_messages("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nMOTION\n",
                 "a.bvh:5: error: MOTION before the '}' of joint 'a', line 2\n");
  check_messages("HIERARCHY\nROOT a\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n",
                 "a.bvh:3: error: expected '{' after joint 'a', found 'OFFSET'\n"
                 "a.bvh:6: error: the file ends before MOTION\n");
  check_messages("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 1\nFrame Time: 1\n\n",
                 "a.bvh:6: error: no joint has a channel: nothing moves\n");
  check_messages(HEAD "ROOT b\n{\n", "a.bvh:16: error: a second ROOT; a file has one skeleton\n");
  /* many at once, each with its line */
  check_messages(
      "HIERARCHY\nROOT a\n{\n  OFFSET 0 0\n  CHANNELS 3 Xrotation Yrotation\n  JOINT b\n  {\n    OFSET 1 2 3\n"
      "    CHANNELS 2 Xrotatoin Yrotation\n    JOINT c\n    {\n      OFFSET nan 0 0\n      CHANNELS seven\n    }\n"
      "    JOINT d\n    {\n      OFFSET 0 1e9 0\n      OFFSET 0 0 0 0\n      CHANNELS 2 Xrotation xROTATION\n"
      "      End Site\n      {\n        CHANNELS 3 Xrotation Yrotation Zrotation\n      }\n    }\n  "
      "}\n}\nMOTION\nFrames: 0\n"
      "Frame Time: fast\n",
      "a.bvh:4: error: OFFSET of joint 'a' needs 3 numbers, found 2\n"
      "a.bvh:5: error: CHANNELS of joint 'a' says 3, but 2 follow\n"
      "a.bvh:6: error: joint 'b' has no OFFSET\n"
      "a.bvh:8: error: expected OFFSET, CHANNELS, JOINT, End Site or '}', found 'OFSET'; did you mean 'OFFSET'?\n"
      "a.bvh:9: error: there is no channel 'Xrotatoin'; did you mean 'Xrotation'?\n"
      "a.bvh:12: error: OFFSET of joint 'c': expected a number within +-1e+06, found 'nan'\n"
      "a.bvh:13: error: CHANNELS of joint 'c': expected how many, 0 to 6, found 'seven'\n"
      "a.bvh:17: error: OFFSET of joint 'd': expected a number within +-1e+06, found '1e9'\n"
      "a.bvh:18: error: joint 'd' has a second OFFSET\n"
      "a.bvh:18: error: expected nothing more after OFFSET, found '0'\n"
      "a.bvh:19: error: joint 'd' has channel Xrotation twice\n"
      "a.bvh:20: error: the end site 'd end' has no OFFSET\n"
      "a.bvh:22: error: the end site 'd end' cannot have CHANNELS\n"
      "a.bvh:28: error: Frames: expected a whole number from 1 to 1000000, found '0'\n"
      "a.bvh:29: error: Frame Time: expected seconds from 1e-05 to 10, found 'fast'\n");
}

static void test_bad_frames(void)
{
  check_messages(HEAD "MOTION\nFrames: 2\nFrame Time: 0.01\n1 2 3 4 5 6 7 8\n" FRAME " 10\n",
                 "a.bvh:19: error: frame 1 has 8 numbers, but the joints have 9 channels\n"
                 "a.bvh:20: error: frame 2 has 10 numbers, but the joints have 9 channels\n");
  check_messages(HEAD "MOTION\nFrames: 2\nFrame Time: 0.01\n" FRAME "\n",
                 "a.bvh:20: error: Frames says 2, but 1 follow\n");
  check_messages(HEAD "MOTION\nFrames: 2\nFrame Time: 0.01\n" FRAME "\n" FRAME "\n" FRAME "\n",
                 "a.bvh:22: error: Frames says 2, but 3 follow\n");
  check_messages(HEAD "MOTION\nFrames: 1000000\nFrame Time: 0.01\n" FRAME "\n",
                 "a.bvh:20: error: Frames says 1000000, but 1 follow\n");
  check_messages(
      HEAD "MOTION\nFrames: 4\nFrame Time: 0.01\n1 2 3 4 nan 6 7 8 9\n1 2 3 4 5 6 7 8 inf\n1 2 3 4 5 6 0x10 8 9\n1 2,5 "
           "3 4 5 6 7 8 9\n",
      "a.bvh:19: error: frame 1, number 5, Yrotation of 'Hips': expected a number within +-1e+06, found 'nan'\n"
      "a.bvh:20: error: frame 2, number 9, Zrotation of 'Knee': expected a number within +-1e+06, found 'inf'\n"
      "a.bvh:21: error: frame 3, number 7, Yrotation of 'Knee': expected a number within +-1e+06, found '0x10'\n"
      "a.bvh:22: error: frame 4, number 2, Yposition of 'Hips': expected a number within +-1e+06, found '2,5'\n");
  check_messages(
      HEAD "MOTION\nFrames: 1\nFrame Time: 0.01\n1e300 1e999 3 4 5 6 7 8 9\n",
      "a.bvh:19: error: frame 1, number 1, Xposition of 'Hips': expected a number within +-1e+06, found '1e300'\n");
  check_messages(HEAD "MOTION\nFrame Time: 0.01\nFrames: 1\n" FRAME "\n",
                 "a.bvh:17: error: expected 'Frames:', found 'Frame'\n");
  check_messages(HEAD "MOTION\nFrames: 1\n" FRAME "\n", "a.bvh:18: error: expected 'Frame Time:', found '1'\n");
  check_messages(HEAD "MOTION\nFrames: 1.5\nFrame Time: -1\n" FRAME "\n",
                 "a.bvh:17: error: Frames: expected a whole number from 1 to 1000000, found '1.5'\n"
                 "a.bvh:18: error: Frame Time: expected seconds from 1e-05 to 10, found '-1'\n");
}

/* Too deep, too many: refused, with no harm done. */
static void test_limits(void)
{
  size_t size = 200000, n = 0;
  char *text = malloc(size);
  n += (size_t)sprintf(text + n, "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n");
  for (int i = 0; i < BVH_MAX_DEPTH + 5; i++)
    n += (size_t)sprintf(text + n, "JOINT j%d\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n", i);
  check_messages(text, "a.bvh:802: error: joints are more than 200 deep\n");
  n = (size_t)sprintf(text, "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n");
  for (int i = 0; i < BVH_MAX_JOINTS + 5; i++)
    n += (size_t)sprintf(text + n, "JOINT j%d\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n", i);
  check_messages(text, "a.bvh:5001: error: more than 1000 joints\n");
  free(text);
  static const char with_zero[] = "HIERARCHY\0ROOT\n";
  struct reading r = read_text(with_zero, sizeof with_zero - 1);
  CHECK_STR(r.messages, "a.bvh:1: error: expected HIERARCHY, found 'HIERARCHY?ROOT'\n");
  done(&r);
}

static void test_files(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  CHECK(!bvh_load(arena, "/no/such.bvh", &d));
  CHECK(!bvh_load(arena, "/", &d));
  char *text = diag_text(&d);
  CHECK_STR(text, "/: error: is not a file\n/no/such.bvh: error: cannot be read: No such file or directory\n");
  free(text);
  diag_clear(&d);
  arena_free(arena);
}

static void test_names(void)
{
  static const char text[] =
      "HIERARCHY\nROOT Left  Leg \n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT Left  Leg\n{\nOFFSET 0 0 0\n"
      "CHANNELS 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n5\n";
  struct reading r = read_text(text, strlen(text));
  CHECK(r.bvh && !strcmp(r.bvh->joints[1].name, "Left  Leg"));
  CHECK_STR(r.messages, "a.bvh:6: warning: joint 'Left  Leg' has the name of the one in line 2\n");
  done(&r);
}

int main(void)
{
  test_good();
  test_bad_trees();
  test_bad_frames();
  test_limits();
  test_files();
  test_names();
  return test_finish();
}
