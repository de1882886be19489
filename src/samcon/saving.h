/* Which samples to keep: diversified saving (Liu 2010, section 3.2.3). */
#ifndef MUYBRIDGE_SAMCON_SAVING_H
#define MUYBRIDGE_SAMCON_SAVING_H

/* Of n samples with these costs (infinite: never), indices of up to `most` different ones: the costliest, a share of
 * left_out, never are (two in five in the paper); then costs f(x) = least + (greatest - least) x^6 at x = i / most are
 * aimed at, and the nearest sample not yet chosen is taken. The first is the cheapest. How many were chosen. */
int saving_choose(int n, const double *cost, double left_out, int most, int *chosen);

#endif
