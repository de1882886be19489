/* Films as files. See plots/film.h. */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "plots/film.h"
#include "plots/gif.h"

#define PALETTE_PAGES 24 /* that are looked at for the palette of a GIF */

static int write_gif(struct film *f, const char *path, struct diag *d)
{
  struct arena *arena = arena_new();
  struct canvas *cv = canvas_open_pages(CANVAS_PNG, 0);
  struct gif_colours *colours = gif_colours_new(arena);
  int n = film_frames(f), looks = n < PALETTE_PAGES ? n : PALETTE_PAGES;
  for (int i = 0; i < looks; i++) {
    film_draw(f, cv, (int)((double)i * n / looks));
    struct pixels page = canvas_pixels(cv);
    gif_colours_add(colours, &page);
  }
  struct gif *gif = gif_new(arena, film_width(f), film_height(f), gif_palette_choose(arena, colours));
  for (int i = 0; i < n; i++) {
    film_draw(f, cv, i);
    struct pixels page = canvas_pixels(cv);
    gif_add(gif, &page, film_hundredths(f));
  }
  const struct bytes *file = gif_finish(gif);
  int done = file_replace(path, file->data, file->length, d);
  canvas_discard(cv);
  arena_free(arena);
  return done;
}

static int write_svg(struct film *f, const char *path, struct diag *d)
{
  struct arena *arena = arena_new();
  struct canvas *cv = canvas_open_pages(CANVAS_SVG, 0);
  int n = film_frames(f), good = 1;
  struct svg_film film = svg_film_new(arena, n, n * film_hundredths(f) / 100.0);
  for (int i = 0; i < n && good; i++) {
    film_draw(f, cv, i);
    const struct bytes *page = canvas_take_page(cv, d);
    good = page != NULL;
    if (good) svg_film_add(&film, page);
  }
  const struct bytes *file = svg_film_end(&film);
  if (good) good = file_replace(path, file->data, file->length, d);
  canvas_discard(cv);
  arena_free(arena);
  return good;
}

static int write_folder(struct film *f, const char *path, struct diag *d)
{
  struct arena *arena = arena_new();
  struct canvas *cv = canvas_open_pages(CANVAS_PNG, 0);
  int good = mkdir(path, 0777) == 0 || errno == EEXIST;
  if (!good) diag_error(d, path, 0, "cannot make this folder: %s", strerror(errno));
  for (int i = 0; i < film_frames(f) && good; i++) {
    film_draw(f, cv, i);
    const struct bytes *page = canvas_take_page(cv, d);
    good = page && file_replace(arena_printf(arena, "%s/%04d.png", path, i), page->data, page->length, d);
  }
  canvas_discard(cv);
  arena_free(arena);
  return good;
}

int film_write(struct film *f, const char *path, struct diag *d)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  struct stat about;
  if (dot && dot > name && strcasecmp(dot, ".gif") == 0) return write_gif(f, path, d);
  if (dot && dot > name && strcasecmp(dot, ".svg") == 0) return write_svg(f, path, d);
  if (!dot || dot == name || (stat(path, &about) == 0 && S_ISDIR(about.st_mode))) return write_folder(f, path, d);
  diag_error(d, path, 0, "the name of a film must end in .gif or .svg, or be that of a folder (frames/)");
  return 0;
}
