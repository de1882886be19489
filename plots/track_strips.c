/* Simulated and reference, pose by pose. See plots/track_sheet.h. */
#include "plots/track_sheet.h"

#include <math.h>

#define STRIP 122.0
#define LEGEND 14.0
#define POSES 10

struct row {
  struct clip_view view;
  const struct traces *traces;
  int poses;
  double width, scale;
  struct rect extent;           /* of all poses, from the ground below the root [m] */
};

static struct camera show(struct row *r, int i)
{
  int n = r->traces->clip->n_frames, k = (n - 1) * i / (r->poses > 1 ? r->poses - 1 : 1);
  clip_view_pose(&r->view, k);
  return camera_beside(r->traces->heading[k - r->traces->first]);
}

/* The ground below the root, in the picture. */
static struct xy place(const struct row *r, const struct camera *cam)
{
  const double *q = r->view.q, at[3] = {q[0], q[1], ground_height(figure_ground(r->view.figure), q[0], q[1])};
  return camera_project(cam, at);
}

/* One scale for all. */
static void measure(struct row *r)
{
  for (int i = 0; i < r->poses; i++) {
    struct camera cam = show(r, i);
    struct rect e = clip_view_extent(&r->view, &cam);
    struct xy at = place(r, &cam);
    e.x -= at.x;
    e.y -= at.y;
    r->extent = i ? rect_union(r->extent, e) : e;
  }
  r->scale = fmin((r->width - 6.0) / r->extent.w, (STRIP - 32.0) / r->extent.h);
}

static struct row row_of(const struct track_sheet *s, const struct traces *traces, const struct terrain *ground)
{
  struct row r = {.view = clip_view_new(s->cv, traces), .traces = traces};
  int n = traces->clip->n_frames;
  r.poses = n < POSES ? n : POSES;
  r.width = TRACK_CONTENT / r.poses;
  figure_stand_on(r.view.figure, ground);
  return r;
}

static void draw_row(const struct track_sheet *s, struct row *r, const char *label, double top)
{
  for (int i = 0; i < r->poses; i++) {
    struct camera cam = show(r, i);
    struct xy at = place(r, &cam);
    struct rect area = {TRACK_MARGIN + i * r->width, top + 12.0, r->width - 3.0, STRIP - 16.0};
    double middle = r->extent.x + 0.5 * r->extent.w + at.x, low = fmin(0.0, r->extent.y) + at.y;
    struct to_scale map = {area.x + 0.5 * area.w - r->scale * middle, area.y + area.h - 10.0 + r->scale * low,
                           r->scale};
    struct view look = clip_view_look(&r->view, cam, area, map);
    canvas_box(s->cv, area, s->theme.panel);
    figure_draw(s->cv, r->view.figure, &look);
    clip_view_forces(&r->view, &look);
  }
  struct font small = {.size = TRACK_TEXT, .colour = s->theme.ink};
  text_fit(s->cv, &small, (struct xy){TRACK_MARGIN, top + 9.0}, TRACK_CONTENT, ALIGN_LEFT, label);
}

double track_strips_height(const struct track_sheet *s)
{
  (void)s;
  return 2 * STRIP + LEGEND + 8.0;
}

void track_strips_draw(const struct track_sheet *s, double top)
{
  const struct terrain *ground = &s->t->rollout.world.terrain;
  struct arena *arena = canvas_arena(s->cv);
  const char *words = ground_words(ground, arena);
  int slope = ground->kind == TERRAIN_SLOPE; /* the reference lies on a slope too, but knows no bumps */
  struct row done = row_of(s, s->done, ground), wanted = row_of(s, s->wanted, slope ? ground : NULL);
  done.view.metres = wanted.view.metres = 0.5 * (done.view.metres + wanted.view.metres); /* arrows that compare */
  measure(&done);
  measure(&wanted);
  done.scale = wanted.scale = fmin(done.scale, wanted.scale);
  draw_row(s, &done, *words ? arena_printf(arena, "simulated, %s", words) : "simulated", top);
  draw_row(s, &wanted, *words && !slope ? "reference, on level ground" : "reference", top + STRIP);
  clip_view_legend(&done.view, (struct xy){TRACK_MARGIN, top + 2 * STRIP + 6.0}, done.scale,
                   scale_bar_choose(done.scale, 34.0).length);
}
