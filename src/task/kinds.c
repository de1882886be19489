/* The list of all kinds of parameters. To add one: write kind_NAME.c, and add it here in two places. */
#include "task/room.h"

extern const struct task_kind task_kind_direction, task_kind_torso, task_kind_speed, task_kind_gait;

const struct task_kind *const task_kinds[] = {&task_kind_direction, &task_kind_torso, &task_kind_speed, &task_kind_gait,
                                              NULL};
