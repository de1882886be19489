/* play_script PACKAGE SCRIPT: runs a script of calls on the stage and prints where the creature is, to the last digit:
 * what play_script.mjs does with the module. A line is a call and its numbers ("push 1 0 25 0 0.1"), or "run N": so
 * many frames, of which every tenth is printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage/stage.h"

#define MOST_NUMBERS 8

static struct stage *stage;
static int n_dofs, record_length;

static int number_after(const char *key)
{
  const char *at = strstr(stage_about(stage), key);
  return at ? atoi(at + strlen(key)) : 0;
}

static void print_state(int state)
{
  const float *r = stage_record(stage);
  double sum = 0;
  for (int i = 0; i < record_length; i++)
    sum += r[i] == r[i] ? r[i] : 0;
  printf("%d %d %.17g %d %d %.17g %.9g", state, stage_mode_now(stage), stage_time(stage), stage_looks(stage),
         stage_put_off(stage), stage_value(stage), sum);
  for (int i = 0; i < n_dofs; i++)
    printf(" %.17g %.17g", stage_pose(stage)[i], stage_speeds(stage)[i]);
  printf("\n");
}

static int call(const char *name, const double *x)
{
  if (!strcmp(name, "mode")) return stage_mode(stage, (int)x[0], (int)x[1]);
  if (!strcmp(name, "ask")) return stage_ask(stage, (int)x[0], x[1]);
  if (!strcmp(name, "push")) return stage_push(stage, (int)x[0], x + 1, x[4]);
  if (!strcmp(name, "grab")) return stage_grab(stage, (int)x[0], x + 1, x + 4);
  if (!strcmp(name, "throw_ball")) return stage_throw_ball(stage, x, x + 3, x[6], x[7]);
  if (!strcmp(name, "ground")) return stage_ground(stage, (int)x[0], x[1], x[2], (uint64_t)x[3]);
  if (!strcmp(name, "friction")) return stage_friction(stage, x[0]);
  if (!strcmp(name, "load_limb")) return stage_load_limb(stage, (int)x[0], x[1]);
  if (!strcmp(name, "edit")) return stage_edit(stage, (int)x[0], x[1]);
  if (!strcmp(name, "place")) return stage_place(stage, x[0], x[1], x[2]);
  if (!strcmp(name, "restart")) return stage_restart(stage);
  if (!strcmp(name, "release")) return stage_release(stage), 1;
  return 0;
}

static void run(int frames)
{
  for (int i = 0; i < frames; i++) {
    int state = stage_frame(stage);
    if (i % 10 == 9)
      print_state(state);
  }
}

static unsigned char *read_file(const char *path, size_t *n)
{
  FILE *in = fopen(path, "rb");
  unsigned char *bytes = malloc(64u << 20);
  *n = in && bytes ? fread(bytes, 1, 64u << 20, in) : 0;
  if (in)
    fclose(in);
  return bytes;
}

int main(int argc, char **argv)
{
  char line[400];
  size_t n = 0;
  unsigned char *bytes = argc == 3 ? read_file(argv[1], &n) : NULL;
  FILE *script = argc == 3 ? fopen(argv[2], "r") : NULL;
  stage = stage_new();
  if (!script || !stage_open(stage, bytes, n)) {
    fprintf(stderr, "play_script: %s\n", script ? stage_why(stage) : "usage: play_script PACKAGE SCRIPT");
    return 1;
  }
  n_dofs = number_after("\"n_dofs\": ");
  record_length = number_after("\"record\": {\"length\": ");
  while (fgets(line, sizeof line, script)) {
    double x[MOST_NUMBERS] = {0};
    char name[40];
    int used = 0, at = 0;
    if (line[0] == '#' || sscanf(line, "%39s%n", name, &at) != 1)
      continue;
    for (int i = 0; i < MOST_NUMBERS && sscanf(line + at, "%lf%n", &x[i], &used) == 1; i++)
      at += used;
    if (!strcmp(name, "run"))
      run((int)x[0]);
    else
      printf("%s %d\n", name, call(name, x));
  }
  fclose(script);
  free(bytes);
  stage_free(stage);
  return 0;
}
