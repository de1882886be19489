/* Muybridge as a library: physically valid motion of creatures, from a C program.
 *
 * SI units, radians; x forward, y to the left, z up; headings are counted from x to y. */
#ifndef MUYBRIDGE_H
#define MUYBRIDGE_H

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0": of the library that is running, whichever header a program was compiled with. */
const char *muy_version(void);

#ifdef __cplusplus
}
#endif

#endif
