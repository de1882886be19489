/* Simulated and reference, pose by pose. See plots/track_sheet.h. */
#include "plots/track_sheet.h"

#include <math.h>

#define STRIP 118.0
#define POSES 10

static void draw_row(const struct track_sheet *s, const struct traces *traces, const char *label, double top)
{
  struct clip_view v = clip_view_new(s->cv, traces);
  struct rect extent = {0};
  int n = traces->clip->n_frames, poses = n < POSES ? n : POSES;
  double width = TRACK_CONTENT / poses;
  for (int i = 0; i < poses; i++) { /* one scale for all */
    int k = (n - 1) * i / (poses > 1 ? poses - 1 : 1);
    struct camera cam = camera_beside(traces->heading[k - traces->first]);
    clip_view_pose(&v, k);
    struct rect r = clip_view_extent(&v, &cam);
    const double at[3] = {v.q[0], v.q[1], 0};
    r.x -= camera_project(&cam, at).x;
    extent = i ? rect_union(extent, r) : r;
  }
  double scale = fmin((width - 6.0) / extent.w, (STRIP - 26.0) / extent.h);
  for (int i = 0; i < poses; i++) {
    int k = (n - 1) * i / (poses > 1 ? poses - 1 : 1);
    struct camera cam = camera_beside(traces->heading[k - traces->first]);
    clip_view_pose(&v, k);
    const double at[3] = {v.q[0], v.q[1], 0};
    struct rect area = {TRACK_MARGIN + i * width, top + 12.0, width - 3.0, STRIP - 16.0};
    struct to_scale map = {.x0 = area.x + 0.5 * area.w - scale * (extent.x + 0.5 * extent.w + camera_project(&cam,
        at).x),
                           .y0 = area.y + area.h - 10.0, .scale = scale};
    struct view look = clip_view_look(&v, cam, area, map);
    canvas_box(s->cv, area, s->theme.panel);
    figure_draw(s->cv, v.figure, &look);
    clip_view_forces(&v, &look);
  }
  struct font small = {.size = TRACK_TEXT, .colour = s->theme.ink};
  text_fit(s->cv, &small, (struct xy){TRACK_MARGIN, top + 9.0}, TRACK_CONTENT, ALIGN_LEFT, label);
}

double track_strips_height(const struct track_sheet *s)
{
  (void)s;
  return 2 * STRIP + 6.0;
}

void track_strips_draw(const struct track_sheet *s, double top)
{
  draw_row(s, s->done, "simulated", top);
  draw_row(s, s->wanted, "reference", top + STRIP);
}
