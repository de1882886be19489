/* Muybridge as a library: physically valid motion of creatures, controllers made of it, and physical control of a
 * simulated body, from a C program. doc/library.md has the contract in full and a walk through; doc/examples/walk.c is
 * a whole program.
 *
 *     muy_creature *horse;
 *     muy_clip *walk;
 *     if (muy_creature_load("horse", NULL, &horse) == MUY_OK &&
 *         muy_solve_gait(horse, "walk", NULL, NULL, &walk) == MUY_OK)
 *       muy_clip_write(walk, "walk.bvh", NULL);
 *
 * Errors are values: every function that can fail returns a muy_status, and says why in the muy_messages that it is
 * given (NULL: nobody wants to know). After anything but MUY_OK, *out is NULL (unless the
 * function says otherwise) and nothing is left to be freed. The library does not print, exit or change signal
 * handlers. Running out of memory ends the process (doc/library.md says why).
 *
 * Ownership: what a function hands out through a pointer to a pointer is the caller's, who frees it with the _free
 * function of its type; NULL is fine there. Strings and arrays that functions return belong to the object that they
 * were asked of. Objects keep alive what they need: a clip may outlive the creature that it was solved for.
 *
 * Threads: two threads may use the library at once on different objects. One object is for one thread at a time;
 * creatures and clips may be read by many. Functions with workers make processes (fork): call them from a program that
 * may fork.
 *
 * Settings are structs that muy_..._defaults(&s, sizeof s) fills; NULL stands for the defaults. Structs grow at their
 * ends in later versions, and the size tells the library which one a program was compiled with.
 *
 * SI units, radians; x forward, y to the left, z up; headings are counted from x to y. A pose is n_dofs numbers: root
 * x, y, z [m], yaw, pitch, roll [rad], then one angle for each joint axis. */
#ifndef MUYBRIDGE_H
#define MUYBRIDGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default) /* the library itself is built with all else hidden */
#endif

/* "0.1.0": of the library that is running, whichever header a program was compiled with. */
const char *muy_version(void);

typedef enum muy_status {
  MUY_OK = 0,
  MUY_FAILED = 1,               /* it was done and did not succeed: no such motion, a bar missed, a fall, no file */
  MUY_WRONG_INPUT = 2,          /* what was given is not what it must be                                      */
  MUY_STOPPED = 3               /* a progress function returned 0                                             */
} muy_status;

/* ---- messages: what is wrong, where, and what would be right ---- */

typedef struct muy_messages muy_messages;

typedef struct muy_message {
  int is_error;                 /* 0: a warning                                                               */
  const char *file;             /* "" if there is none                                                        */
  int line;                     /* 0: of the whole file                                                       */
  const char *text;
} muy_message;

muy_messages *muy_messages_new(void); /* NULL when out of memory                                              */
void muy_messages_free(muy_messages *m);
void muy_messages_clear(muy_messages *m);
int muy_messages_count(const muy_messages *m);
muy_message muy_messages_get(const muy_messages *m, int i); /* 0 .. count - 1; valid until the next call with m */
const char *muy_messages_text(muy_messages *m); /* all, one a line, "file:line: error: text"; valid as above    */

/* ---- progress: called now and then by functions that take long; returning 0 stops them ---- */

typedef struct muy_progress {
  const char *what;             /* "iterations", "walks": in one word or a few                                */
  int done, total;              /* total 0: not known                                                         */
  double value;                 /* infeasibility of a solve, cost of a synthesis, time to the fall; or NaN     */
} muy_progress;
typedef int muy_progress_function(void *user, const muy_progress *p);

/* ---- creatures ---- */

typedef struct muy_creature muy_creature;

/* By path, or by name: "horse" is horse.creature, in the working folder or its folder creatures, in the folders of the
 * environment's MUYBRIDGE_PATH, or where make install put it. Styles, tasks and scripts are found likewise. */
muy_status muy_creature_load(const char *name, muy_messages *m, muy_creature **out);
/* The same with styles (doc/style-format.md), by path or by name: {"tired", "laden"}. All that is made of the creature
 * is in these styles, and so are the runs that keep it. */
muy_status muy_creature_load_styled(const char *name, const char *const *styles, int n_styles, muy_messages *m,
                                    muy_creature **out);
/* From text in memory (doc/creature-format.md); file stands for its name in messages. */
muy_status muy_creature_parse(const char *file, const char *text, size_t length, muy_messages *m, muy_creature **out);
void muy_creature_free(muy_creature *c);

const char *muy_creature_name(const muy_creature *c);
double muy_creature_mass(const muy_creature *c);   /* [kg]                                                     */
double muy_creature_height(const muy_creature *c); /* of the root when it stands: the unit of length L [m]      */
/* 1: left and right are mirror images. Gaits of other creatures are solved over the whole cycle. */
int muy_creature_is_symmetric(const muy_creature *c);
int muy_creature_n_dofs(const muy_creature *c);
int muy_creature_n_points(const muy_creature *c);  /* that may touch the ground                                */
int muy_creature_n_gaits(const muy_creature *c);
int muy_creature_n_styles(const muy_creature *c);
const char *muy_creature_style_name(const muy_creature *c, int i); /* NULL: there is no such number            */
const char *muy_creature_dof_name(const muy_creature *c, int i);   /* NULL: there is no such number            */
const char *muy_creature_point_name(const muy_creature *c, int i);
const char *muy_creature_gait_name(const muy_creature *c, int i);
muy_status muy_creature_write_mjcf(const muy_creature *c, const char *path, muy_messages *m); /* a MuJoCo model */

/* ---- clips: pieces of motion, frame by frame ---- */

typedef struct muy_clip muy_clip;

void muy_clip_free(muy_clip *clip);
const char *muy_clip_name(const muy_clip *clip);
int muy_clip_n_frames(const muy_clip *clip);
int muy_clip_n_dofs(const muy_clip *clip);
int muy_clip_n_points(const muy_clip *clip);
int muy_clip_is_cyclic(const muy_clip *clip); /* then frame n_frames is frame 0, moved over the ground         */
double muy_clip_dt(const muy_clip *clip);     /* from frame to frame [s]                                       */
void muy_clip_advance(const muy_clip *clip, double by[3]); /* of a cycle: turn by by[2], then move by by[0], by[1] */
const double *muy_clip_poses(const muy_clip *clip);  /* (n_frames x n_dofs)                                    */
const double *muy_clip_forces(const muy_clip *clip); /* of the ground on points [N]  (n_frames x n_points x 3) */
const unsigned char *muy_clip_contacts(const muy_clip *clip); /* 1: on the ground      (n_frames x n_points)   */

/* Writes a clip; the ending says as what: .csv, .bvh, .gltf or .glb. */
muy_status muy_clip_write(const muy_clip *clip, const char *path, muy_messages *m);
/* Draws it as a filmstrip: .png, .svg or .pdf; films it: .gif or .svg. */
muy_status muy_clip_draw(const muy_clip *clip, const char *path, muy_messages *m);
muy_status muy_clip_film(const muy_clip *clip, const char *path, muy_messages *m);
/* Captured motion (.bvh), on this creature; where it is NULL, on one of the actor's size, which *actor is set to. */
muy_status muy_clip_import(const char *path, const muy_creature *c, muy_messages *m, muy_clip **out,
                           muy_creature **actor);

typedef struct muy_measure {
  const char *what;             /* in words, with the unit                                                     */
  double value, bar;            /* passes when value <= bar                                                    */
  int passed;
  int frame;                    /* where it is worst, -1: nowhere                                              */
  const char *where;            /* the dof, point, limb or pair of limbs there, or NULL                        */
} muy_measure;

/* Is it physically valid, and do its limbs keep out of each other and of the ground (doc/solid.md)? Recomputed from
 * positions and forces alone. Fills up to `room` measures (NULL: none); *n (may be NULL) is how many there are.
 * MUY_FAILED when a bar is missed. */
muy_status muy_clip_verify(const muy_clip *clip, muy_measure *measures, int room, int *n);

/* ---- solving: motion from nothing ---- */

typedef struct muy_solve_options {
  size_t size;                  /* by muy_solve_defaults()                                                 */
  double speed;                 /* [m/s]; NaN: the middle of the gait's range                                  */
  double strafe;                /* direction of travel, to the left of the nose [rad]; 0: as the gait has it  */
  int frames;                   /* 0: chosen                                                                   */
  int max_iterations;
  double max_seconds;           /* of processor time                                                           */
  muy_progress_function *progress; /* may be NULL                                                              */
  void *user;
} muy_solve_options;
void muy_solve_defaults(muy_solve_options *o, size_t size);

muy_status muy_solve_gait(const muy_creature *c, const char *gait, const muy_solve_options *o, muy_messages *m,
                          muy_clip **out);
/* From frame from_frame of a clip to frame to_frame of another, turning by `turn`. For a controller both must be in a
 * run file, and the transition must be of the same one. */
muy_status muy_solve_transition(const muy_clip *from, int from_frame, const muy_clip *to, int to_frame, double turn,
                                const muy_solve_options *o, muy_messages *m, muy_clip **out);

/* ---- run files: a creature, its clips, and all that is made of them ---- */

typedef struct muy_run muy_run;

/* Opens a run file, or makes one of this creature. A file with another creature is MUY_WRONG_INPUT. The file itself is
 * open only while a function works. */
muy_status muy_run_create(const char *path, const muy_creature *c, muy_messages *m, muy_run **out);
muy_status muy_run_open(const char *path, muy_messages *m, muy_run **out);
void muy_run_free(muy_run *r);
const muy_creature *muy_run_creature(const muy_run *r);

/* Only clips that muy_clip_verify() finds valid are taken, unless they are captured ones. *id may be NULL. */
muy_status muy_run_add_clip(muy_run *r, const muy_clip *clip, muy_messages *m, int *id);
/* Mirror images of all transitions between clips that are their own; *added may be NULL. Of a creature that is not
 * symmetric none are added, and a warning says why. */
muy_status muy_run_add_mirror_images(muy_run *r, muy_messages *m, int *added);
/* Ids in their order, up to `room` of them (NULL: none); *n is how many there are. */
muy_status muy_run_list_clips(muy_run *r, int *ids, int room, int *n, muy_messages *m);
/* By number ("3") or name ("walk"). */
muy_status muy_run_get_clip(muy_run *r, const char *which, muy_messages *m, muy_clip **out);

/* ---- controllers ---- */

typedef struct muy_synthesis_options {
  size_t size;                  /* by muy_synthesis_defaults()                                             */
  int clips;                    /* ends with so many in the graph; 0: the task's usual number                  */
  double target;                /* ends at this cost of a frame; -infinity: never                              */
  double seconds;               /* ends after so many, to be continued; infinity: never                        */
  uint64_t seed;
  int workers;                  /* processes; 1: none but this. Results do not depend on it                    */
  muy_progress_function *progress;
  void *user;
} muy_synthesis_options;
void muy_synthesis_defaults(muy_synthesis_options *o, size_t size);

/* Builds a controller for a task, clip by clip, or continues what was begun; kept in the run file step by step. */
muy_status muy_run_synthesize(muy_run *r, const char *task, const muy_synthesis_options *o, muy_messages *m);

/* A controller of the clips that are there; *cost (may be NULL): of a frame. */
muy_status muy_run_make_policy(muy_run *r, const char *task, muy_messages *m, double *cost);

/* The newest controller as a file for libmuybridge-player. */
muy_status muy_run_write_player(muy_run *r, const char *path, muy_messages *m);

/* A page of HTML, one file, in which the creatures of these run files live: with physics, controller or clips, what
 * each of them has. `muybridge view` makes the same. */
muy_status muy_write_page(muy_run *const *runs, int n, const char *path, muy_messages *m);

typedef struct muy_play_options {
  size_t size;                  /* by muy_play_defaults()                                                  */
  const char *script;           /* what is asked (doc/task-format.md); NULL: the task's own user, random         */
  double seconds;               /* without a script                                                            */
  uint64_t seed;
} muy_play_options;
void muy_play_defaults(muy_play_options *o, size_t size);

/* Plays the newest controller; what it did, as one clip. *cost (may be NULL): of a frame, mean. */
muy_status muy_run_play(muy_run *r, const muy_play_options *o, muy_messages *m, muy_clip **out, double *cost);

/* ---- in a simulated world ---- */

typedef struct muy_track_options {
  size_t size;                  /* by muy_track_defaults()                                                 */
  const char *method;           /* "pd", "feed-forward", "lqr", "samcon", "improved"; NULL: samcon guided by feedback */
  int cycles;                   /* of a cyclic clip                                                            */
  int samples;                  /* of a window; 0: the method's                                                */
  uint64_t seed;
  int workers;
  const char *engine;           /* of the world: "ode", "tree", "mujoco" where built in; NULL: "ode"           */
  int no_limb_contact;          /* 1: limbs do not touch each other                                            */
} muy_track_options;
void muy_track_defaults(muy_track_options *o, size_t size);

/* A body with nothing but its joints follows a clip; MUY_FAILED when it falls or strays. What it did is kept in the run
 * file, and is *out (may be NULL), also when it fell. */
muy_status muy_run_track(muy_run *r, const char *clip, const muy_track_options *o, muy_messages *m, muy_clip **out);

typedef struct muy_learn_options {
  size_t size;                  /* by muy_learn_defaults()                                                 */
  const char *teacher;          /* "lqr", "guided", "ahead"                                                    */
  const char *skill;            /* a cyclic clip to stay on; NULL: the whole graph                             */
  int iterations;               /* 0: the teacher's                                                            */
  int again;                    /* 1: although the run file has it                                             */
  uint64_t seed;
  int workers;
  muy_progress_function *progress;
  void *user;
} muy_learn_options;
void muy_learn_defaults(muy_learn_options *o, size_t size);

/* Learns feedback policies for all clips, the control graph; every iteration is kept, and learning that was stopped is
 * continued. */
muy_status muy_run_learn(muy_run *r, const muy_learn_options *o, muy_messages *m);

typedef enum muy_trial_kind { MUY_TRIAL_WALK, MUY_TRIAL_PUSH, MUY_TRIAL_GROWING } muy_trial_kind;

typedef struct muy_trial_options {
  size_t size;                  /* by muy_trial_defaults()                                                 */
  muy_trial_kind kind;          /* random walks; one push each; pushes that grow until it falls                */
  int trials;
  double seconds;               /* of a walk; after a push; at most. 0: 600, 6, 900                            */
  double push;                  /* size of a push of 0.1 s [body weights]                                           */
  double growth;                /* [body weights / s]                                                          */
  int look;                     /* candidates of looking ahead; 0: the policy alone                            */
  const char *teacher, *skill;  /* as learned                                                                  */
  uint64_t seed;
  int workers;
  muy_progress_function *progress;
  void *user;
  const char *engine;           /* of the world: "ode", "tree", "mujoco" where built in; NULL: "ode"           */
  int no_limb_contact;          /* 1: limbs do not touch each other                                            */
} muy_trial_options;
void muy_trial_defaults(muy_trial_options *o, size_t size);

typedef struct muy_trials {
  int n, up;                    /* how many did not fall                                                       */
  double mean_seconds, deviation; /* to the fall, or the end                                                   */
  double speed;                 /* simulated seconds per second of one processor                               */
} muy_trials;

/* How much does the control graph stand? MUY_FAILED when a walk falls or more than one of 20 pushes is not stood. size:
 * of *out. */
muy_status muy_run_try(muy_run *r, const muy_trial_options *o, muy_messages *m, muy_trials *out, size_t size);

typedef struct muy_push {
  double time, seconds;         /* [s]; 0 seconds: 0.1                                                         */
  double size;                  /* [body weights]                                                              */
  double direction;             /* against the heading then [rad]                                              */
  const char *limb;             /* NULL: the trunk                                                             */
} muy_push;

typedef struct muy_scene_options {
  size_t size;                  /* by muy_scene_defaults()                                                 */
  double seconds;
  const char *script;           /* for the newest controller; NULL: random paths                               */
  int n_pushes;
  const muy_push *pushes;
  int look;
  const char *teacher;
  uint64_t seed;
  const char *engine;           /* of the world: "ode", "tree", "mujoco" where built in; NULL: "ode"           */
  int no_limb_contact;          /* 1: limbs do not touch each other                                            */
} muy_scene_options;
void muy_scene_defaults(muy_scene_options *o, size_t size);

/* The creature walks its control graph, pushed; MUY_FAILED when it falls, after *fell_after seconds (may be NULL). *out
 * (may be NULL): what it did, also when it fell. */
muy_status muy_run_scene(muy_run *r, const muy_scene_options *o, muy_messages *m, muy_clip **out,
                         double *fell_after);

/* A clip under modal-space control, pushed; nothing is learned. Directions of these pushes are in the world. MUY_FAILED
 * when it falls; *out as above. */
muy_status muy_run_modal(muy_run *r, const char *clip, double seconds, int n_pushes, const muy_push *pushes,
                         muy_messages *m, muy_clip **out);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
