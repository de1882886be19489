/* The gallery: every command of doc/gallery.md is run, and what it draws is looked at.
 *
 * Each picture must be there, of the size that was asked for, not blank, and be the one that the gallery shows above
 * the command. As SVG it must be the same bytes twice, with no letter outside of the page. What is in the repository
 * must be small. Run in the folder of the program; MUYBRIDGE_CREATURES says where the sources are. */
#include <cairo.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "plots/folder.h"

#define COMMANDS_MOST 80
#define GIF_MOST 500000
#define PNG_MOST 300000
#define ALL_MOST 4000000

static char program[PATH_MAX], sources[PATH_MAX];

struct command {
  char line[600];
  char output[100];             /* "plate.png"; empty: it draws nothing  */
  char shown[100];              /* picture above it in the gallery       */
  double width, height;         /* of --size; 0: none                    */
};
static struct command commands[COMMANDS_MOST];
static int n_commands;

/* The path from anywhere. */
static void make_absolute(const char *path, char *out, size_t size)
{
  char here[PATH_MAX / 2] = "";
  if (path[0] != '/' && getcwd(here, sizeof here)) strcat(here, "/");
  snprintf(out, size, "%s%s", here, path);
}

/* ---- reading the gallery ---- */

/* The word after " option ", or nothing. */
static void word_after(const char *line, const char *option, char *word, size_t size)
{
  const char *p = strstr(line, option);
  word[0] = '\0';
  if (p) p += strlen(option) + strspn(p + strlen(option), " ");
  if (p) snprintf(word, size, "%.*s", (int)strcspn(p, " \n"), p);
}

static void add_command(const char *line, const char *shown)
{
  struct command *c = &commands[n_commands++];
  char size[40];
  snprintf(c->line, sizeof c->line, "%s", line);
  word_after(line, " -o ", c->output, sizeof c->output);
  word_after(line, " --size ", size, sizeof size);
  sscanf(size, "%lfx%lf", &c->width, &c->height);
  snprintf(c->shown, sizeof c->shown, "%s", shown);
  size_t n = strlen(c->output);
  if (n > 4 && !strcmp(c->output + n - 4, ".muy")) c->output[0] = '\0';
}

/* A command that goes on in the next line, after a backslash, is one line. */
static void join_lines(char *line, size_t size, FILE *f)
{
  size_t n = strlen(line);
  while (n > 0 && line[n - 1] == '\\' && fgets(line + n - 1, (int)(size - n + 1), f)) {
    line[strcspn(line, "\n")] = '\0';
    n = strlen(line);
  }
}

static void read_gallery(void)
{
  char path[PATH_MAX + 32], line[600], shown[100] = "";
  snprintf(path, sizeof path, "%s/doc/gallery.md", sources);
  FILE *f = fopen(path, "r");
  CHECK(f != NULL);
  while (f && fgets(line, sizeof line, f) && n_commands < COMMANDS_MOST) {
    line[strcspn(line, "\n")] = '\0';
    const char *picture = strncmp(line, "![", 2) == 0 ? strstr(line, "](gallery/") : NULL;
    if (picture) snprintf(shown, sizeof shown, "%.*s", (int)strcspn(picture + 10, ")"), picture + 10);
    if (strncmp(line, "    muybridge ", 14) != 0) continue;
    join_lines(line, sizeof line, f);
    add_command(line + 4, shown);
    shown[0] = '\0';
  }
  if (f) fclose(f);
}

/* ---- running ---- */

static int run(const char *line)
{
  char command[PATH_MAX + 700];
  snprintf(command, sizeof command, "cd %s && '%s'%s >out.txt 2>err.txt", folder, program, line + strlen("muybridge"));
  int status = system(command);
  if (status == 0) return 1;
  snprintf(command, sizeof command, "cat %s/err.txt >&2", folder);
  fprintf(stderr, "failed: %s\n", line);
  if (system(command) != 0) fprintf(stderr, "and cannot say why\n");
  return 0;
}

/* The same command with another output. */
static void replace_output(const struct command *c, const char *output, char *line, size_t size)
{
  const char *at = strstr(c->line, c->output);
  for (const char *p = at; p && (p = strstr(p + 1, c->output));) at = p; /* it is the last word that says so */
  snprintf(line, size, "%.*s%s%s", (int)(at - c->line), c->line, output, at + strlen(c->output));
}

/* ---- looking ---- */

static int ends_in(const char *name, const char *ending)
{
  size_t n = strlen(name), m = strlen(ending);
  return n >= m && !strcmp(name + n - m, ending);
}

/* Share of pixels that are not like the one in the corner. */
static double share_of_ink(cairo_surface_t *s)
{
  int w = cairo_image_surface_get_width(s), h = cairo_image_surface_get_height(s);
  size_t stride = (size_t)cairo_image_surface_get_stride(s);
  const unsigned char *data = cairo_image_surface_get_data(s);
  long differ = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int off = 0;
      for (int k = 0; k < 3; k++) off += abs(data[(size_t)y * stride + 4 * (size_t)x + (size_t)k] - data[k]);
      differ += off > 12;
    }
  return (double)differ / w / h;
}

static void look_at_png(const struct command *c)
{
  cairo_surface_t *s = cairo_image_surface_create_from_png(in_folder(c->output));
  int good = cairo_surface_status(s) == CAIRO_STATUS_SUCCESS, w = cairo_image_surface_get_width(s);
  int h = cairo_image_surface_get_height(s);
  if (!good || !(share_of_ink(s) > 0.01)) fprintf(stderr, "%s: not drawn, or blank\n", c->output);
  CHECK(good && share_of_ink(s) > 0.01);
  if (c->width > 0.0 && !(c->height > 0.0)) CHECK_INT(w, (long)c->width);
  if (c->height > 0.0) CHECK(w <= c->width && h <= c->height && (w == (int)c->width || h == (int)c->height));
  cairo_surface_destroy(s);
}

static void look_at_gif(const struct command *c)
{
  size_t length = 0;
  unsigned char *gif = (unsigned char *)read_all(in_folder(c->output), &length);
  CHECK(gif && length > 5000 && !memcmp(gif, "GIF89a", 6) && gif[length - 1] == 0x3b);
  if (gif && c->width > 0.0) CHECK_INT(gif[6] | gif[7] << 8, (long)c->width);
  if (gif && c->height > 0.0) CHECK_INT(gif[8] | gif[9] << 8, (long)c->height);
  CHECK(gif && length <= GIF_MOST);
  free(gif);
}

/* Letters are uses of symbols at a place; each must begin on the page, and there must be some. */
static void look_at_letters(const char *name, const char *svg)
{
  const char *box = strstr(svg, "viewBox=\"0 0 ");
  double w = 0.0, h = 0.0, x, y;
  int letters = 0, outside = 0;
  CHECK(box && sscanf(box, "viewBox=\"0 0 %lf %lf\"", &w, &h) == 2);
  for (const char *p = svg; (p = strstr(p, "<use xlink:href=\"#"));) {
    const char *at = strstr(p, " x=\"");
    p += 10;
    if (!at || sscanf(at, " x=\"%lf\" y=\"%lf\"", &x, &y) != 2) continue;
    letters++;
    outside += !(x >= 0.0 && x <= w && y >= 0.0 && y <= h);
  }
  if (outside || letters < 5) fprintf(stderr, "%s: %d letters, %d outside of %g x %g\n", name, letters, outside, w, h);
  CHECK(letters >= 5);
  CHECK_INT(outside, 0);
}

/* The same picture as SVG, twice. */
static void look_at_svg(const struct command *c)
{
  char line[700];
  size_t length = 0, again_length = 0;
  replace_output(c, "a.svg", line, sizeof line);
  CHECK(run(line));
  replace_output(c, "b.svg", line, sizeof line);
  CHECK(run(line));
  char *svg = read_all(in_folder("a.svg"), &length), *again = read_all(in_folder("b.svg"), &again_length);
  if (!svg || !again || length != again_length || memcmp(svg, again, length) != 0)
    fprintf(stderr, "%s: not the same bytes twice\n", c->output);
  CHECK(svg && again && length > 2000 && length == again_length && !memcmp(svg, again, length));
  if (svg) look_at_letters(c->output, svg);
  free(svg);
  free(again);
}

/* ---- what is in the repository ---- */

static void check_repository(void)
{
  long all = 0;
  for (int i = 0; i < n_commands; i++) {
    char path[PATH_MAX + 200];
    struct stat about;
    if (!commands[i].output[0]) continue;
    snprintf(path, sizeof path, "%s/doc/gallery/%s", sources, commands[i].output);
    int there = stat(path, &about) == 0;
    if (!there) fprintf(stderr, "%s is missing\n", path);
    CHECK(there);
    if (!there) continue;
    all += (long)about.st_size;
    CHECK(about.st_size <= (ends_in(path, ".png") ? PNG_MOST : GIF_MOST));
  }
  CHECK(all > 0 && all < ALL_MOST);
}

/* The eyes of this test are open: it sees what is wrong. */
static void test_eyes(void)
{
  cairo_surface_t *blank = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 20, 20);
  CHECK(share_of_ink(blank) < 0.01);
  cairo_surface_destroy(blank);
  CHECK(!run("muybridge plot nothing horse.muy -o x.png"));
}

int main(void)
{
  const char *creatures = getenv("MUYBRIDGE_CREATURES");
  char link[PATH_MAX + 32];
  strcpy(folder, "test_gallery.XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  make_absolute(creatures ? creatures : "creatures", sources, sizeof sources);
  make_absolute("muybridge", program, sizeof program);
  char *slash = strrchr(sources, '/');
  if (slash) *slash = '\0';
  snprintf(link, sizeof link, "%s/creatures", sources);
  CHECK(symlink(link, in_folder("creatures")) == 0);
  snprintf(link, sizeof link, "%s/tasks", sources);
  CHECK(symlink(link, in_folder("tasks")) == 0);
  read_gallery();
  CHECK(n_commands >= 30);
  for (int i = 0; i < n_commands; i++) {
    const struct command *c = &commands[i];
    if (!run(c->line)) CHECK(!"a command of the gallery failed");
    CHECK_STR(c->shown, c->output); /* each picture with its own command */
    if (ends_in(c->output, ".png")) look_at_png(c);
    if (ends_in(c->output, ".gif")) look_at_gif(c);
    if (c->output[0]) look_at_svg(c);
  }
  check_repository();
  test_eyes();
  snprintf(link, sizeof link, "rm -r %s", folder);
  CHECK(system(link) == 0);
  return test_finish();
}
