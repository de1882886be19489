/* All kinds of figures by name. See plots/figures.h. */
#include "plots/figures.h"

#include <string.h>

#include "base/text.h"
#include "plots/components.h"
#include "plots/convergence.h"
#include "plots/creature_sheet.h"
#include "plots/curves.h"
#include "plots/film_frames.h"
#include "plots/filmstrip.h"
#include "plots/graph_figure.h"
#include "plots/modal_figures.h"
#include "plots/performance.h"
#include "plots/plate.h"
#include "plots/policy_figure.h"
#include "plots/response.h"
#include "plots/samples_figure.h"
#include "plots/values_figure.h"
#include "plots/zmp_figure.h"

typedef struct canvas *draw_clip(const struct creature *c, const struct clip *clip, const char *path, struct diag *d);
typedef struct canvas *draw_other(const struct figures_input *in, const char *path, struct diag *d);

struct kind { struct figures_kind public; draw_clip *clip; draw_other *other; };

static struct canvas *draw_sheet(const struct figures_input *in, const char *path, struct diag *d)
{
  return creature_sheet_draw(in->creature, path, d);
}

static struct canvas *draw_transport(const struct figures_input *in, const char *path, struct diag *d)
{
  struct transport t = {.creature = in->creature->name, .n = in->n_points, .points = in->points};
  return transport_draw(&t, path, d);
}

static struct canvas *draw_convergence(const struct figures_input *in, const char *path, struct diag *d)
{
  struct arena *arena = arena_new();
  const char *creature = in->creature ? text_clean(arena, in->creature->name, 1) : NULL;
  const char *clip = in->clip ? text_clean(arena, in->clip->name, 1) : NULL;
  const char *what = creature && clip ? arena_printf(arena, "%s: %s", creature, clip) : creature ? creature : "a solve";
  struct canvas *cv = convergence_draw(what, in->report, path, d);
  arena_free(arena);
  return cv;
}

static struct canvas *draw_graph(const struct figures_input *in, const char *path, struct diag *d)
{
  return graph_figure_draw(in->controller, path, d);
}

static struct canvas *draw_values(const struct figures_input *in, const char *path, struct diag *d)
{
  return values_figure_draw(in->controller, path, d);
}

static struct canvas *draw_policy(const struct figures_input *in, const char *path, struct diag *d)
{
  return policy_figure_draw(in->controller, path, d);
}

static struct canvas *draw_response(const struct figures_input *in, const char *path, struct diag *d)
{
  return response_draw(in->responses, path, d);
}

static struct canvas *draw_zmp_cutoffs(const struct figures_input *in, const char *path, struct diag *d)
{
  return in->n_clips ? zmp_cutoffs_draw(in->creature, in->n_clips, in->clips, path, d)
                     : zmp_cutoffs_draw(in->creature, 1, &in->clip, path, d);
}

static struct canvas *draw_cost(const struct figures_input *in, const char *path, struct diag *d)
{
  return cost_steps_draw("The cost of the graph", in->steps, in->baseline, path, d);
}

static struct canvas *draw_play(const struct figures_input *in, const char *path, struct diag *d)
{
  return performance_draw(in->play, path, d);
}

static struct canvas *draw_frames(const struct figures_input *in, const char *path, struct diag *d)
{
  return film_frames_draw(in->play, path, d);
}

static struct canvas *draw_track(const struct figures_input *in, const char *path, struct diag *d)
{
  return samples_draw(in->track_title, in->track, path, d);
}

static struct canvas *draw_samples(const struct figures_input *in, const char *path, struct diag *d)
{
  return samples_draw_parts(in->track_title, in->track, SAMPLES_COSTS, path, d);
}

static struct canvas *draw_tree(const struct figures_input *in, const char *path, struct diag *d)
{
  return samples_draw_parts(in->track_title, in->track, SAMPLES_TREE, path, d);
}

static struct canvas *draw_tracked(const struct figures_input *in, const char *path, struct diag *d)
{
  return samples_draw_parts(in->track_title, in->track, SAMPLES_STRIPS, path, d);
}

static struct canvas *draw_tracked_forces(const struct figures_input *in, const char *path, struct diag *d)
{
  return samples_draw_parts(in->track_title, in->track, SAMPLES_FORCES, path, d);
}

static struct canvas *draw_modal_run(const struct figures_input *in, const char *path, struct diag *d)
{
  return modal_run_draw(in->modal_title, in->modal, in->modal_options, path, d);
}

static struct canvas *draw_squares(const struct figures_input *in, const char *path, struct diag *d)
{
  return torque_squares_draw(in->squares, path, d);
}

static struct canvas *draw_push(const struct figures_input *in, const char *path, struct diag *d)
{
  return push_strip_draw(in->control, path, d);
}

static struct canvas *draw_iterations(const struct figures_input *in, const char *path, struct diag *d)
{
  return control_iterations_draw(in->control, path, d);
}

static struct canvas *draw_control(const struct figures_input *in, const char *path, struct diag *d)
{
  return control_map_draw(in->control, path, d);
}

static struct canvas *draw_portrait(const struct figures_input *in, const char *path, struct diag *d)
{
  return phase_portrait_draw(in->control, path, d);
}

static const struct kind kinds[] = {
    {{"filmstrip", "poses of one cycle or transition from the side, with the forces of the ground", FIGURES_CLIP},
     filmstrip_draw, NULL},
    {{"filmstrip-front", "the same poses from the front", FIGURES_CLIP}, filmstrip_front_draw, NULL},
    {{"steps", "on its way over the ground: poses, limbs at every frame, tracks from above", FIGURES_CLIP}, steps_draw,
     NULL},
    {{"plate", "twelve views from the side and twelve from in front, in the manner of Muybridge", FIGURES_CLIP},
     plate_draw, NULL},
    {{"joints", "angles and torques of all joints, with their limits", FIGURES_CLIP}, joint_curves_draw, NULL},
    {{"forces", "force of the ground on each leg, with the friction cone", FIGURES_CLIP}, ground_forces_draw, NULL},
    {{"gait", "gait diagram: who stands when, and how heavily", FIGURES_CLIP}, gait_of_clip_draw, NULL},
    {{"zmp", "zero-moment point and support polygon from above, by three cutoffs", FIGURES_CLIP}, zmp_figure_draw,
     NULL},
    {{"zmp-histogram", "how far the zero-moment point is from the feet, over cutoffs of the filter", FIGURES_CLIP},
     zmp_histogram_draw, NULL},
    {{"zmp-cutoffs", "share of frames with the zero-moment point over the feet, over cutoffs, of all clips",
      FIGURES_CREATURE | FIGURES_CLIPS}, NULL,
     draw_zmp_cutoffs},
    {{"modes", "vibration modes drawn on the creature, with their frequencies", FIGURES_CLIP}, modes_figure_draw, NULL},
    {{"components", "principal components of the joints' angles, over time and by frequency", FIGURES_CLIP},
     components_draw, NULL},
    {{"modal-choice", "modal control: error for different choices of the modes that are planned ahead", FIGURES_CLIP},
     modal_choice_draw, NULL},
    {{"modal-push", "modal control: response to a push, and the forces of the ground", FIGURES_CLIP}, modal_push_draw,
     NULL},
    {{"modal-forces", "modal control: planned against used forces of the ground", FIGURES_CLIP}, modal_forces_draw,
     NULL},
    {{"transport", "cost of transport over speed, gait by gait, and where the cheapest changes",
      FIGURES_CREATURE | FIGURES_POINTS}, NULL, draw_transport},
    {{"convergence", "infeasibility and objective over the optimizer's iterations", FIGURES_REPORT}, NULL,
     draw_convergence},
    {{"graph", "the motion graph of a controller: clips, branches, how often each is used", FIGURES_CONTROLLER}, NULL,
     draw_graph},
    {{"values", "what is still to come at a branch, over what may be asked", FIGURES_CONTROLLER}, NULL, draw_values},
    {{"policy", "which way is taken at a branch, over what may be asked", FIGURES_CONTROLLER}, NULL, draw_policy},
    {{"response", "error over time after something else is asked, from every branch", FIGURES_RESPONSES}, NULL,
     draw_response},
    {{"frames", "a controller in use: twelve frames, what is asked and what it does", FIGURES_PLAY}, NULL, draw_frames},
    {{"play", "a controller in use: its way from above, asked and done over time, what it cost", FIGURES_PLAY}, NULL,
     draw_play},
    {{"cost", "cost of the graph over the steps of its synthesis, and of a baseline", FIGURES_STEPS}, NULL, draw_cost},
    {{"track", "a track: costs of samples, the simulated motion and its reference, forces of both", FIGURES_TRACK},
     NULL,
     draw_track},
    {{"samples", "costs of a track's samples, those saved and the path that was chosen, over time", FIGURES_SAMPLES},
     NULL,
     draw_samples},
    {{"sample-tree", "a track's saved samples, each joined to what it went on from", FIGURES_SAMPLES}, NULL, draw_tree},
    {{"tracked", "a track pose by pose, below it the reference", FIGURES_TRACK}, NULL, draw_tracked},
    {{"track-forces", "force of the ground on each leg, simulated and of the reference", FIGURES_TRACK}, NULL,
     draw_tracked_forces},
    {{"torque-squares", "how hard joints work, track by track", FIGURES_TRACKS}, NULL, draw_squares},
    {{"push", "a push in the simulated world and the recovery, from the side and from the front", FIGURES_CONTROL},
     NULL, draw_push},
    {{"iterations", "robustness, success and residual variance over iterations of learning",
      FIGURES_CONTROL | FIGURES_ITERATIONS}, NULL,
     draw_iterations},
    {{"control", "the control graph: fragments coloured by gain and by variance", FIGURES_CONTROL}, NULL, draw_control},
    {{"portrait", "phase portraits of a pushed walk around its cycle", FIGURES_CONTROL}, NULL, draw_portrait},
    {{"modal-run", "a kept motion under modal control: how far off, planned and used forces", FIGURES_MODAL}, NULL,
     draw_modal_run},
    {{"creature", "a creature at rest, its numbers and the gaits of its file", FIGURES_CREATURE}, NULL, draw_sheet},
};

#define N_KINDS ((int)(sizeof kinds / sizeof *kinds))

int figures_count(void)
{
  return N_KINDS;
}

const struct figures_kind *figures_kind(int i)
{
  return i >= 0 && i < N_KINDS ? &kinds[i].public : NULL;
}

static const struct kind *find(const char *name)
{
  for (int i = 0; i < N_KINDS; i++)
    if (strcmp(kinds[i].public.name, name) == 0) return &kinds[i];
  return NULL;
}

const struct figures_kind *figures_find(const char *name)
{
  const struct kind *k = find(name);
  return k ? &k->public : NULL;
}

const char *figures_needs_text(unsigned needs)
{
  if (needs & FIGURES_CLIP) return "a clip and its creature";
  if (needs & FIGURES_CLIPS) return "clips and their creature";
  if (needs & FIGURES_ITERATIONS) return "guided learning: muybridge control --teacher guided, or ahead";
  if (needs & FIGURES_CONTROL) return "a control graph: muybridge control";
  if (needs & FIGURES_REPORT) return "the report of a solve";
  if (needs & FIGURES_POINTS) return "a creature and clips of it at several speeds";
  if (needs & (FIGURES_CONTROLLER | FIGURES_RESPONSES)) return "a controller";
  if (needs & FIGURES_PLAY) return "a controller that is played";
  if (needs & FIGURES_STEPS) return "the steps of a synthesis";
  if (needs & FIGURES_SAMPLES) return "a track that was found by sampling";
  if (needs & FIGURES_TRACK) return "a track";
  if (needs & FIGURES_TRACKS) return "tracks";
  if (needs & FIGURES_MODAL) return "a motion under modal control: muybridge track --method modal";
  return "a creature";
}

static int has_iterations(const struct control_figures *f)
{
  for (int i = 0; f && i < f->n_kept; i++)
    if (strcmp(f->kept[i].teacher, "lqr")) return 1;
  return 0;
}

static int has_all(const struct figures_input *in, unsigned needs)
{
  return (!(needs & (FIGURES_CREATURE | FIGURES_CLIP)) || in->creature) && (!(needs & FIGURES_CLIP) || in->clip) &&
         (!(needs & FIGURES_REPORT) || in->report) && (!(needs & FIGURES_POINTS) || (in->points && in->n_points > 0)) &&
         (!(needs & FIGURES_CLIPS) || (in->clips && in->n_clips > 0) || in->clip) &&
         (!(needs & FIGURES_CONTROLLER) || in->controller) && (!(needs & FIGURES_RESPONSES) || in->responses) &&
         (!(needs & (FIGURES_TRACK | FIGURES_SAMPLES)) || in->track) &&
         (!(needs & FIGURES_SAMPLES) || in->track->windows) && (!(needs & FIGURES_TRACKS) || in->squares) &&
         (!(needs & FIGURES_STEPS) || in->steps) && (!(needs & FIGURES_PLAY) || in->play) &&
         (!(needs & FIGURES_MODAL) || (in->modal && in->modal_options)) &&
         (!(needs & FIGURES_CONTROL) || in->control) && (!(needs & FIGURES_ITERATIONS) || has_iterations(in->control));
}

struct canvas *figures_canvas(const char *kind, const struct figures_input *in, const char *path, struct diag *d)
{
  const struct kind *k = find(kind);
  if (!k) {
    const char *names[N_KINDS + 1] = {NULL};
    for (int i = 0; i < N_KINDS; i++) names[i] = kinds[i].public.name;
    diag_error(d, path, 0, "there is no figure '%s'%s", text_clip(kind).word, text_suggest(kind, names).words);
    return NULL;
  }
  if (!has_all(in, k->public.needs)) {
    diag_error(d, path, 0, "figure '%s' needs %s", kind, figures_needs_text(k->public.needs));
    return NULL;
  }
  return k->clip ? k->clip(in->creature, in->clip, path, d) : k->other(in, path, d);
}

int figures_draw(const char *kind, const struct figures_input *in, const char *path, struct diag *d)
{
  struct canvas *cv = figures_canvas(kind, in, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}
