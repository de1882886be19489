/* Angles: radians everywhere inside, degrees where people read and write them. */
#ifndef MUYBRIDGE_BASE_ANGLE_H
#define MUYBRIDGE_BASE_ANGLE_H

#define PI         3.14159265358979323846
#define TO_RADIANS (PI / 180) /* degrees * TO_RADIANS */
#define TO_DEGREES (180 / PI) /* radians * TO_DEGREES */

#endif
