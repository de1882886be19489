/* Numbers that describe curves over a cycle: n values at equal steps of time, the last one followed by the first. What
 * `nature` measures of motion; it knows neither creatures nor clips. A measure that the curve does not have is NaN. */
#ifndef MUYBRIDGE_TESTS_NATURE_CURVES_H
#define MUYBRIDGE_TESTS_NATURE_CURVES_H

struct curve_range { double low, high; };

double curve_mean(int n, const double *x);

/* Pearson's; NaN of a curve that does not change. */
double curve_correlation(int n, const double *x, const double *y);

/* Root of the mean square of x - y, and the same of their deviations from their means. */
double curve_rms(int n, const double *x, const double *y);
double curve_rms_centred(int n, const double *x, const double *y);

/* Least and largest value; the second only where on[k] is `wanted`, NaN if that is nowhere. */
struct curve_range curve_range(int n, const double *x);
struct curve_range curve_range_where(int n, const double *x, const unsigned char *on, int wanted);

/* m values at equal steps over one cycle that begins at place `first` of x, the last one a cycle after the first
 * (m > 1). Straight lines between values. */
void curve_resample(int n, const double *x, double first, int m, double *out);

/* The first frame at which on[k] begins to be 1, after one at which it is 0; -1 if there is none. */
int curve_touchdown(int n, const unsigned char *on);

/* How many frames on[k] stays 1 from `first` on, at most n. */
int curve_stance(int n, const unsigned char *on, int first);

/* The last peak of a curve of one stance (not a cycle): the largest of those values in its second half that are above
 * the one before and not below the one after. */
double curve_last_peak(int n, const double *x);

/* Twice the amplitude of harmonic h: from its lowest to its highest. */
double curve_harmonic(int n, const double *x, int h);

/* Cavagna's recovery: how much of the work of lifting and accelerating one pays for the other.
 *     recovery = (W_forward + W_vertical - W_both) / (W_forward + W_vertical),
 * W the sum of all increases over a cycle: of the kinetic energy of forward motion, of the potential energy and the
 * kinetic energy of vertical motion, and of the sum of all three. */
double curve_recovery(int n, const double *forward, const double *vertical);

/* The largest change from a value to the next, over the largest absolute value. */
struct curve_jump {
  int frame;                    /* from there to the next                        */
  double change, peak;          /* as x                                          */
  double share;                 /* change over peak                              */
};
struct curve_jump curve_jump(int n, const double *x);

#endif
