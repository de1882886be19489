#!/bin/sh
# The house keeps the layer rule, and the check that says so can fail.
srcdir=${srcdir:-.}
fails=0
sh "$srcdir/tests/layers.sh" "$srcdir" || { echo "FAIL: the sources break the layer rule"; fails=1; }

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/base" "$scratch/src/cli" "$scratch/src/attic" "$scratch/plots"
printf '#include "cli/cli.h"\n#include <confuse.h>\n' > "$scratch/src/base/up.c"
printf '#include <confuse.h>\n' > "$scratch/src/base/text.c"
printf '#include "base/up.h"\n#  include <cairo-svg.h>\n#include <sqlite3.h>\n' > "$scratch/src/cli/foreign.c"
printf '#include <cairo.h>\n#include "base/up.h"\n' > "$scratch/plots/fine.c"
printf '\n' > "$scratch/src/attic/lost.c"
mkdir -p "$scratch/src/physics"
printf '#include <ode/ode.h>\n#include "physics/engine_ode.h"\n#include <mujoco/mujoco.h>\n' > "$scratch/src/physics/engine_tree.c"
printf '#include <ode/ode.h>\n#include "physics/engine_ode.h"\n' > "$scratch/src/physics/engine_ode_motor.c"
expected='src/attic/lost.c: room "attic" is not in the list of rooms
src/base/up.c:1: room base includes "cli/cli.h" from a room above it
src/base/up.c:2: <confuse.h> belongs to src/base/text.c
src/cli/foreign.c:2: <cairo-svg.h> belongs to plots/
src/cli/foreign.c:3: <sqlite3.h> belongs to src/store/
src/physics/engine_tree.c:1: <ode/ode.h> belongs to src/physics/engine_ode
src/physics/engine_tree.c:2: <physics/engine_ode.h> belongs to src/physics/engine_ode
src/physics/engine_tree.c:3: <mujoco/mujoco.h> belongs to src/physics/engine_mujoco.c'
found=$(sh "$srcdir/tests/layers.sh" "$scratch")
[ "$found" = "$expected" ] || { echo "FAIL: violations were not found:"; echo "$found"; fails=1; }
exit $fails
