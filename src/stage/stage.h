/* The stage: a creature that a person sees, asks, pushes and holds, frame by frame. What a page in a browser runs as
 * WebAssembly (exports.c), and tests run natively.
 *
 * One stage has one creature, from a package (package.h), in one of several modes:
 *   clip      shows the frames of a clip
 *   play      the kinematic controller answers what is asked
 *   control   a control graph walks in a simulated world (the tree engine), with look-ahead
 *   modal     modal control walks in a simulated world
 * Each call changes the stage at once; stage_frame() goes on by one frame. The same calls give the same numbers,
 * natively and in a page (to 1e-9 over 10 s). Functions that return int say 1 for good and 0 for bad, and then
 * stage_why() says why; a call that failed has changed nothing. Nothing here prints, exits or looks at a clock.
 *
 * SI units, radians, z up; limbs, dofs, points and parameters by index, in the order of stage_about(). */
#ifndef MUYBRIDGE_STAGE_H
#define MUYBRIDGE_STAGE_H

#include <stddef.h>
#include <stdint.h>

struct stage;

enum stage_mode { STAGE_CLIP, STAGE_PLAY, STAGE_CONTROL, STAGE_MODAL, N_STAGE_MODES };

/* What stage_frame() says. */
enum stage_state {
  STAGE_LOST,                   /* the simulation has no state any more, or no package is open; the last pose stays   */
  STAGE_UP,
  STAGE_FALLEN                  /* goes on as a ragdoll                                                              */
};

#define STAGE_BALLS 8           /* that fly at a time                                                                */
#define STAGE_LOG_SECONDS 120   /* of poses that are kept for stage_export()                                         */

struct stage *stage_new(void);
void stage_free(struct stage *s); /* NULL is fine */

/* Takes a package, in place of the one before, and shows its first clip (mode clip). The bytes are copied. After a
 * failure the stage is as before. */
int stage_open(struct stage *s, const void *bytes, size_t n);

/* Of the last call that failed; until the next failure. */
const char *stage_why(const struct stage *s);

/* JSON about what is open: doc/stage.md. NULL: nothing is. Valid until the next stage_open(). */
const char *stage_about(struct stage *s);

/* Another mode; clip: which one to show, or to begin in (-1: where it is, or the first). The creature stays where it is
 * on the ground, and keeps its heading. */
int stage_mode(struct stage *s, int mode, int clip);
int stage_mode_now(const struct stage *s);

/* One frame on: enum stage_state. */
int stage_frame(struct stage *s);

/* The frame record (about.record says what is where), pose and speeds; valid until the next call. NULL without a
 * package. */
const float *stage_record(struct stage *s);
const double *stage_pose(struct stage *s);
const double *stage_speeds(struct stage *s);

/* Asks for a value of a parameter: of a relative circle a heading in the world, of an interval its unit, clamped, of a
 * category its index. */
int stage_ask(struct stage *s, int parameter, double value);

/* A force on a limb, at its centre of mass, in the world [N]. Modes that are simulated; others refuse. */
int stage_push(struct stage *s, int limb, const double force[3], double seconds);

/* Holds a limb: a damped spring from a point of it (limb frame) to a target in the world, until stage_release(). Again:
 * moves the target. In mode modal it is the reference's limb that is led there. */
int stage_grab(struct stage *s, int limb, const double at[3], const double target[3]);
void stage_release(struct stage *s);

/* A ball: place, velocity, mass, radius. At most STAGE_BALLS: the oldest goes. Simulated modes. */
int stage_throw_ball(struct stage *s, const double x[3], const double v[3], double mass, double radius);

/* The ground: an enum terrain_kind of physics/world.h, and its numbers. The creature stays where it is, above the new
 * ground. */
int stage_ground(struct stage *s, int kind, double size, double spacing, uint64_t seed);
int stage_friction(struct stage *s, double mu); /* < 0: the creature's */
double stage_height(const struct stage *s, double x, double y);

/* Back on its feet where it is, heading as it was. Time is 0 again. */
int stage_restart(struct stage *s);

/* The same elsewhere. */
int stage_place(struct stage *s, double x, double y, double heading);

/* Mode clip: goes to a frame of the clip, any of a cyclic one. */
int stage_seek(struct stage *s, int frame);

/* A mass hung on a limb's far end [kg]; 0 takes it off. Modes control and modal. */
int stage_load_limb(struct stage *s, int limb, double mass);

/* Mode modal: edits what is followed. */
enum stage_edit { STAGE_TEMPO, STAGE_STRIDE, STAGE_GO_OVER };
int stage_edit(struct stage *s, int kind, double value);

/* What the record has beyond the usual: 0, the reference as a ghost. */
enum stage_show { STAGE_GHOST, N_STAGE_SHOWS };
int stage_show(struct stage *s, int what, int on);

/* All that is needed to continue exactly so, for a stage with the same package; *n bytes, valid until the next call.
 * NULL without a package. */
const void *stage_save(struct stage *s, size_t *n);
int stage_restore(struct stage *s, const void *bytes, size_t n);

/* Keeps the poses of the last STAGE_LOG_SECONDS while on; turned on, it begins anew. Export: these as a clip in a
 * format of exchange/ ("bvh", "csv"), or the creature alone where the format has no motion; *n bytes, valid until the
 * next call. NULL after an error. */
void stage_log_on(struct stage *s, int on);
const void *stage_export(struct stage *s, const char *format, size_t *n);

/* Since the restart [s]; of control: how often it looked ahead, how many transitions it put off, the value of the
 * state at the last fragment's start. */
double stage_time(const struct stage *s);
int stage_looks(const struct stage *s);
int stage_put_off(const struct stage *s);
double stage_value(const struct stage *s);

#endif
