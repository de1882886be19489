/* Creatures, styles, tasks, scripts and parts of the stage by name: "horse" is the file horse.creature in one of
 * several folders. */
#ifndef MUYBRIDGE_BASE_FIND_H
#define MUYBRIDGE_BASE_FIND_H

#include "base/arena.h"
#include "base/diag.h"

enum find_kind { FIND_CREATURE, FIND_TASK, FIND_SCRIPT, FIND_STYLE, FIND_PAGE, FIND_MODULE };

/* The file that a name means. A name with a '/' or a '.', or of a file in the working folder, is a path: itself. Others
 * are looked for in the folders (a list that ends with NULL), in this order, and in each as
 *   FOLDER/NAME.creature, FOLDER/creatures/NAME.creature      of creatures,
 *   FOLDER/NAME.style,    FOLDER/styles/NAME.style            of styles,
 *   FOLDER/NAME.task,     FOLDER/tasks/NAME.task              of tasks,
 *   FOLDER/NAME.script,   FOLDER/tasks/NAME.script            of scripts,
 *                         FOLDER/stage/NAME.html            of pages, and
 *                         FOLDER/stage/NAME.wasm            of modules of the stage; such a name is never a path.
 * NULL, and an error that lists all folders, if none has it. */
const char *find_file(struct arena *arena, const char *const *folders, const char *name, enum find_kind kind,
                      struct diag *d);

#endif
