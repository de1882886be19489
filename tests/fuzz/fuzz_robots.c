/* Throws damaged descriptions of robots (MJCF, URDF) and meshes at their readers, and what becomes of a robot at the
 * reader of creature files. They may refuse, but must not crash, leak or hang; a robot that is accepted is a text that
 * the creature's reader understands, whatever it thinks of the numbers in it.
 *
 * With -fsanitize=fuzzer (clang) and -DMUYBRIDGE_LIBFUZZER it is a libFuzzer target. Otherwise it is a program:
 *   fuzz_robots [--seconds N | --runs N] [--seed S] [--run R] FILE...
 * Run R of seed S is the same on every machine; a run that dies leaves its input in fuzz_robots.crash, and --run R
 * repeats it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "creature/creature.h"
#include "fuzz/driver.h"
#include "robots/robot.h"
#include "robots/robots.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int accepted, creatures, meshes; /* descriptions that made a text, those whose text made a creature; meshes */

static void require(int condition, const char *what)
{
  if (condition)
    return;
  fprintf(stderr, "fuzz_robots: what was accepted is broken: %s\n", what);
  abort();
}

/* Faults of syntax, not of numbers, are ours. */
static int is_syntax(const char *messages)
{
  static const char *const words[] = {"unknown key",     "unexpected",     "is given twice", "there is no limb",
                                      "unknown section", "missing before", "does not end",   "expected a number"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(messages, words[i]))
      return 1;
  return 0;
}

static void check_text(struct arena *arena, const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "fuzz.creature", text, strlen(text), &d);
  char *messages = diag_text(&d);
  creatures += c != NULL;
  require(c || d.n_errors > 0, "a creature and no error, or neither");
  if (is_syntax(messages)) {
    fputs(messages, stderr);
    require(0, "the text is not well formed");
  }
  free(messages);
  diag_clear(&d);
}

/* A text that is no XML, as a mesh: of finite numbers, if it is one. */
static int try_mesh(const uint8_t *data, size_t size)
{
  static const double scale[3] = {1, -2, 0.5};
  struct robot_mesh m;
  char *copy = malloc(size + 1);
  memcpy(copy, data, size);
  copy[size] = '\0';
  if (!robot_parse_mesh(size % 3 ? "fuzz.obj" : "fuzz.stl", copy, size, scale, &m) && m.is_closed) {
    require(m.volume > 0 && isfinite(m.volume + m.com[0] + m.com[1] + m.com[2]), "a volume");
    meshes++;
  }
  free(copy);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size > 0 && *data != '<')
    return try_mesh(data, size);
  struct arena *arena = arena_new();
  struct robots_report report;
  struct diag d;
  diag_init(&d);
  char *copy = malloc(size ? size : 1); /* exactly so long, for the sanitizer to see who reads beyond */
  memcpy(copy, data, size);
  const struct robots_options o = {size % 2};
  const char *text = robots_creature_of_text(arena, "/nowhere/fuzz.xml", copy, size, &o, &report, &d);
  free(copy);
  require((text != NULL) == (d.n_errors == 0), "a text and an error, or neither");
  if (text) {
    accepted++;
    require(report.mass > 0 && report.n_limbs >= 2 && report.n_axes >= 1, "the report");
    require(strlen(text) < 100 * size + 10000, "a text without end");
    check_text(arena, text);
  }
  char *messages = diag_text(&d);
  require(strlen(messages) < (DIAG_MAX + 1) * 2000, "messages without end");
  free(messages);
  diag_clear(&d);
  arena_free(arena);
  return 0;
}

#ifndef MUYBRIDGE_LIBFUZZER
/* clang-format off */
static const char *const dictionary[] = {
    "<mujoco>", "</mujoco>", "<worldbody>", "</worldbody>", "<body>", "</body>", "<body name=\"b\">", "<frame>",
    "</frame>", "<joint/>", "<joint type=\"slide\"/>", "<joint type=\"ball\"/>", "<freejoint/>",
    "<geom size=\"0.1\"/>", "<geom type=\"box\" size=\"1 1 1\"/>", "<geom type=\"mesh\" mesh=\"m\"/>",
    "<include file=\"fuzz.xml\"/>", "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>", "<default>",
    "</default>", "<default class=\"leg\">", "class=\"leg\"", "childclass=\"leg\"", "name=\"a\"", "name=\"FL_hip\"",
    "fromto=\"0 0 0 0 0 0\"", "quat=\"0 0 0 0\"", "euler=\"90 0 0\"", "xyaxes=\"1 0 0 1 0 0\"", "zaxis=\"0 0 -1\"",
    "axisangle=\"0 0 0 1\"", "range=\"1 -1\"", "axis=\"0 0 0\"", "<compiler angle=\"radian\"/>",
    "<compiler settotalmass=\"1\" inertiafromgeom=\"true\"/>",
    "<compiler eulerseq=\"XYZ\" boundmass=\"1\" boundinertia=\"1\" balanceinertia=\"true\"/>", "<equality>",
    "<tendon>", "<actuator>", "</actuator>", "<motor joint=\"FL_hfe\" gear=\"0\"/>", "<keyframe>",
    "<key qpos=\"0 0 0 1 0 0 0\"/>", "<robot>", "<link name=\"a\">", "<link name=\"a\"/>", "</link>", "<joint>",
    "</joint>", "type=\"fixed\"", "type=\"prismatic\"", "type=\"continuous\"", "<mimic/>",
    "<parent link=\"pelvis\"/>", "<child link=\"pelvis\"/>", "<origin xyz=\"0 0 0\" rpy=\"1 2 3\"/>",
    "<axis xyz=\"0 0 0\"/>", "<limit lower=\"0\" upper=\"0\" effort=\"-1\"/>", "<mass value=\"0\"/>",
    "<mass value=\"-1\"/>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE x [", "]>", "&", "&amp;",
    "&#0;", "&#x110000;", "&lol;", "\"", "'", "<", ">", "/>", "=", "\n", "\t", "\xEF\xBB\xBF", "\xFF\xFE", "\xFF",
    "\x01", "nan", "inf", "1e308", "1e-300", "-0", "1e9", "-1e9", "1e-9",
    "v 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n", "f -1 -2 -3", "f 1 2 3 1 2 3", "vertex 1 2 3"};
/* clang-format on */

int main(int argc, char **argv)
{
  const struct fuzz_target target = {"fuzz_robots", (int)(sizeof dictionary / sizeof *dictionary), dictionary,
                                     fuzz_read, LLVMFuzzerTestOneInput};
  int status = fuzz_main(&target, argc, argv);
  if (status == 0)
    printf("%d robots, %d creatures, %d meshes\n", accepted, creatures, meshes);
  return status;
}
#endif
