/* Vibration modes of a creature at a pose (doc/modal.md, 1).
 *
 * Every joint has a spring, the root has none: M q'' + K (q - rest) = b + f. Six rigid modes move the root and let the
 * joints be; the others, in ascending order of their frequencies, each move on their own. Everything in this room is in
 * units in which the creature's mass, its standing height and gravity are 1 (struct modal_units takes them to SI).
 * Modes are normed to mass 1: modes^T M modes = 1. */
#ifndef MUYBRIDGE_MODAL_MODES_H
#define MUYBRIDGE_MODAL_MODES_H

#include "base/arena.h"
#include "creature/creature.h"
#include "dynamics/dynamics.h"

#define MODAL_RIGID 6

struct modal_units { double mass, length, time, force, torque; }; /* one unit in SI */
struct modal_units modal_units(const struct creature *c);

struct modes {
  int n, n_joints;              /* dofs, those of joints = modes that vibrate                         */
  double *M;                    /* mass matrix at the pose                               (n x n)       */
  double *stiffness, *rest;     /* springs, 0 of the root                                (n)           */
  double *square;               /* squares of frequencies, ascending; the rigid ones 0   (n)           */
  double *shape;                /* row i: mode i                                         (n x n)       */
  double *weighed;              /* row i: M times mode i; the root's entries of one that vibrates are 0 (n x n) */
  double *reduced, *half, *values, *scratch; /* inside                                                  */
};

/* stiffness: of a joint's spring, per mass that the joint carries (modal_options). */
struct modes *modes_new(struct arena *arena, const struct creature *c, double stiffness);

/* At a pose, by the dynamics of the same creature (or of one that carries a load). 0 if that is no pose. */
int modes_at(struct modes *m, struct dynamics *d, const double *q);

/* Coordinates of a displacement or velocity: shape^T M x, of modes from .. until - 1 (into p[from ..]). */
void modes_coordinates(const struct modes *m, const double *x, int from, int until, double *p);

/* The part of a force (n) that drives each mode: shape^T f, of modes from .. until - 1. */
void modes_drive(const struct modes *m, const double *force, int from, int until, double *drive);

/* How many modes vibrate below a squared frequency; rigid ones are not counted. */
int modes_below(const struct modes *m, double square);

#endif
