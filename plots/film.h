/* Films: creatures in motion, as an animated GIF, an animated SVG or a folder of pictures.
 *
 * A clip that is a cycle plays for ever without a seam: the camera goes with the creature at its mean speed, the
 * threads of the ground divide its stride, and the film has a whole number of cycles. Several clips share one film,
 * each in a panel of its own; their cycles are brought to one length, by a few percent of speed. */
#ifndef MUYBRIDGE_PLOTS_FILM_H
#define MUYBRIDGE_PLOTS_FILM_H

#include "plots/film_scene.h"

struct film_subject {
  const struct creature *creature;
  const struct clip *clip;
  const struct performance *play;             /* whose motion the clip is; NULL: none                            */
  const char *name;                           /* what the caption says; NULL: creature and clip                  */
  const struct terrain *terrain;              /* what it walks on; NULL: level ground                            */
  int n_pushes, n_balls;                      /* see struct film_scene_options                                   */
  const struct film_push *pushes;
  const double *balls;
  double ball_radius;
};

struct film_options {
  struct film_scene_options scene;
  int width, height;                          /* [pixels], 0: chosen                                             */
  double fps;                                 /* pictures a second, 0: FILM_FPS                                  */
  double speed;                               /* of the film against real time, 0: 1, and less for tiny things   */
  const char *title;                          /* NULL: none                                                      */
};
#define FILM_FPS 30.0
#define FILM_FRAMES_MOST 20000

struct film;

/* In the arena; what it is made of must outlive it. Errors are told about file; NULL after one. */
struct film *film_new(struct arena *arena, int n, const struct film_subject *subjects, const struct film_options *o,
                      const char *file, struct diag *d);

int film_frames(const struct film *f);
int film_hundredths(const struct film *f);    /* how long each is shown [1/100 s]                                */
int film_width(const struct film *f);         /* [pixels]                                                        */
int film_height(const struct film *f);
int film_closes(const struct film *f);        /* does the last picture lead to the first?                        */
double film_speed(const struct film *f, int i); /* of subject i, film time against real time                     */

/* Draws a picture on a page of its own. */
void film_draw(struct film *f, struct canvas *cv, int frame);

/* .gif, .svg, or else a folder, made if it is not there, of 0000.png and so on. 1 when it is there, 0 after an
 * error. */
int film_write(struct film *f, const char *path, struct diag *d);

/* ---- several pages of SVG as one that moves (film_svg.c) ---- */
struct svg_film {
  struct bytes head, letters, pages;          /* of the file, in this order                                      */
  struct bytes known;                         /* letters that are there: what they look like, each ends in a 0   */
  int n_frames, n_done, n_letters;
  double seconds;                             /* of one round                                                    */
};
struct svg_film svg_film_new(struct arena *arena, int n_frames, double seconds);

/* The next page, as cairo wrote it. */
void svg_film_add(struct svg_film *f, const struct bytes *page);

/* All of the file. */
const struct bytes *svg_film_end(struct svg_film *f);

#endif
