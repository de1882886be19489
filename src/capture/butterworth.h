/* Private to src/capture. A low-pass filter of order 2 with a flat pass band (Butterworth 1930), run forward and
 * backward so that nothing is delayed. */
#ifndef MUYBRIDGE_CAPTURE_BUTTERWORTH_H
#define MUYBRIDGE_CAPTURE_BUTTERWORTH_H

struct butterworth {
  double b[3], a[2];            /* y[k] = b0 x[k] + b1 x[k-1] + b2 x[k-2] - a0 y[k-1] - a1 y[k-2] */
};

/* For samples at `rate` [Hz]; the gain at `cutoff` [Hz], between 0 and rate / 2, is 1/sqrt(2) per pass. */
struct butterworth butterworth_low_pass(double cutoff, double rate);

/* Gain of one pass at a frequency [Hz]. */
double butterworth_gain(const struct butterworth *f, double frequency, double rate);

/* One pass over x (n), in place, as if it had been x[0] for ever. backward: from the end. */
void butterworth_pass(const struct butterworth *f, int n, double *x, int backward);

/* Both ways over the middle n of x (pad + n + pad): the pads are filled here, by turning the ends about the first and
 * the last sample, as far as the samples reach. In place. */
void butterworth_both_ways(const struct butterworth *f, int n, int pad, double *x);

/* Samples of padding after which a filter has forgotten where it began. */
int butterworth_memory(double cutoff, double rate);

#endif
