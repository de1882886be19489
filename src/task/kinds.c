/* The list of all kinds of parameters. To add one: write kind_NAME.c, and add it to the list. The search asks them in
 * this order: whoever draws a speed wants to know the gait. */
#include "task/room.h"

#define KINDS(KIND) KIND(direction) KIND(torso) KIND(gait) KIND(speed) KIND(height)

#define DECLARE(name) extern const struct task_kind task_kind_##name;
KINDS(DECLARE)

#define POINT(name) &task_kind_##name,
const struct task_kind *const task_kinds[] = {KINDS(POINT) NULL};
