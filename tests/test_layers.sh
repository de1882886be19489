#!/bin/sh
# The house keeps its rules (layers.sh has the list), and the check that says so can fail: each rule is broken once.
srcdir=${srcdir:-.}
fails=0
sh "$srcdir/tests/layers.sh" "$srcdir" || { echo "FAIL: the sources break a rule of the house"; fails=1; }

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/base" "$scratch/src/cli" "$scratch/src/attic" "$scratch/plots"
printf '#include "cli/cli.h"\n#include <mpi.h>\n' > "$scratch/src/base/up.c"
printf '#include "base/up.h"\n#  include <cairo-svg.h>\n#include <sqlite3.h>\n' > "$scratch/src/cli/foreign.c"
printf '#include <cairo.h>\n#include "base/up.h"\n' > "$scratch/plots/kit_canvas.c"
printf '\n' > "$scratch/src/attic/lost.c"
mkdir -p "$scratch/src/physics"
printf '#include <ode/ode.h>\n#include "physics/engine_ode.h"\n#include <mujoco/mujoco.h>\n' \
  > "$scratch/src/physics/engine_tree.c"
printf '#include <ode/ode.h>\n#include "physics/engine_ode.h"\n' > "$scratch/src/physics/engine_ode_motor.c"
mkdir -p "$scratch/src/farm" "$scratch/src/nlp" "$scratch/src/store" "$scratch/src/task"
printf '/* Private to src/nlp. A solver. */\n' > "$scratch/src/nlp/ldl.h"
printf '#include "nlp/ldl.h"\n#include <coin/IpStdCInterface.h>\n' > "$scratch/src/nlp/ipopt.c"
printf '#include "nlp/ldl.h"\n#include <coin/IpStdCInterface.h>\n' > "$scratch/src/farm/nosy.c"
printf '/* What the files of this room share. */\n' > "$scratch/src/store/room.h"
printf '/* Private to src/task. */\n' > "$scratch/src/task/room.h"
printf 'int is = !strcmp(name, "speed");\n' > "$scratch/src/task/kind_speed.c"
cat > "$scratch/src/store/kinds.c" << 'CODE'
int a = !strcmp(name, "speed"), b = !strcmp(name, "pace");
/* strcmp(name, "speed") in a comment,
 * strcmp(name, "speed") in a longer one */ int c = text_is(name, "speed");
const char *word = "speed";
CODE
cat > "$scratch/src/store/loud.c" << 'CODE'
printf("why not");
fprintf(stderr, "why not");
int n = snprintf(text, 9, "printf( and stderr are words here"); /* printf( */
exit(1);
abort();
_exit(1);
arena_printf(arena, "fine"), s->exit(1), at_exit(f);
CODE
printf '_exit(1);\nfprintf(stderr, "no");\n' > "$scratch/src/farm/child.c"
printf 'printf("a program may"); exit(1);\n' > "$scratch/src/cli/print.c"
mkdir -p "$scratch/doc" "$scratch/tests"
wide=$(printf '%0120d' 0)
printf '/* %s */\n' "$wide" > "$scratch/src/cli/wide.c"
printf '# %s\n' "$wide" > "$scratch/tests/wide.sh"
printf '%s and more words\n| %s |\n%s\n[a](%s) link\n%s\n' "$wide" "$wide" "$wide" "$wide" \
  "$(printf '%0120d' 0 | sed 's/0/ö/g')" > "$scratch/doc/wide.md"
expected='src/attic/lost.c: room "attic" is not in the list of rooms
src/base/up.c:1: room base includes "cli/cli.h" from a room above it
src/base/up.c:2: <mpi.h> belongs to src/farm/farm_mpi.c
src/cli/foreign.c:2: <cairo-svg.h> belongs to plots/kit_canvas.c
src/cli/foreign.c:3: <sqlite3.h> belongs to src/store/room.h
src/farm/child.c:2: stdout|stderr is for src/cli/
src/farm/nosy.c:1: "nlp/ldl.h" is private to src/nlp
src/farm/nosy.c:2: <coin/IpStdCInterface.h> belongs to src/nlp/ipopt
src/physics/engine_tree.c:1: <ode/ode.h> belongs to src/physics/engine_ode
src/physics/engine_tree.c:2: <physics/engine_ode.h> belongs to src/physics/engine_ode
src/physics/engine_tree.c:3: <mujoco/mujoco.h> belongs to src/physics/engine_mujoco.c
src/store/kinds.c:1: task kinds are compared in src/task only
src/store/kinds.c:3: task kinds are compared in src/task only
src/store/loud.c:1: v?printf|puts|putchar|perror is for src/cli/
src/store/loud.c:2: stdout|stderr is for src/cli/
src/store/loud.c:4: exit|quick_exit is for src/cli/
src/store/loud.c:5: abort is for src/base/arena.c
src/store/loud.c:6: _exit is for src/farm/
src/store/room.h:1: a room.h opens with "Private to src/store."
doc/wide.md:1: 135 columns
src/cli/wide.c:1: 126 columns
tests/wide.sh:1: 122 columns'
found=$(sh "$srcdir/tests/layers.sh" "$scratch")
[ "$found" = "$expected" ] || { echo "FAIL: violations were not found:"; echo "$found"; fails=1; }
exit $fails
