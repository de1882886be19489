#!/bin/sh
# The layer rule: an #include may only point down the list of rooms, and a foreign library's header appears only in its own room.
# Usage: layers.sh [TREE]   prints the violations; exit status 1 if there are any.
set -u
tree=${1:-${srcdir:-.}}

# rooms from the ground up; plots/ stands beside src/
rooms="base player creature dynamics motion nlp spacetime task policy farm store search exchange physics capture follow feedback samcon control modal plots api cli"
# header pattern (as awk sees it) and the only place it may be included from
foreign="
confuse\.h          src/base/text.c
(cblas|lapacke)\.h  src/base/
coin/|IpStdCInterface src/nlp/
dmumps_c\.h         tests/nlp/
mpi\.h              src/farm/
sqlite3\.h          src/store/
ode/                src/physics/engine_ode
physics/engine_ode  src/physics/engine_ode
mujoco/             src/physics/engine_mujoco.c
cairo               plots/
"

violations=$(cd "$tree" && find src plots -name '*.[ch]' | LC_ALL=C sort | xargs awk -v rooms="$rooms" -v foreign="$foreign" '
  BEGIN {
    n = split(rooms, r, " "); for (i = 1; i <= n; i++) level[r[i]] = i
    m = split(foreign, f, /[ \n]+/); for (i = 1; i < m; i++) if (f[i] != "") { k++; if (k % 2) pattern[++p] = f[i]; else home[p] = f[i] }
  }
  FNR == 1 {
    split(FILENAME, part, "/"); own = part[1] == "src" ? part[2] : part[1]
    if (!(own in level)) printf "%s: room \"%s\" is not in the list of rooms\n", FILENAME, own
  }
  /^[ \t]*#[ \t]*include[ \t]/ {
    h = $0; sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", h); sub(/[>"].*/, "", h)
    room = h; sub(/\/.*/, "", room)
    if (h ~ /\// && room in level && level[room] > level[own])
      printf "%s:%d: room %s includes \"%s\" from a room above it\n", FILENAME, FNR, own, h
    for (i = 1; i <= p; i++) if (h ~ ("^(" pattern[i] ")") && index(FILENAME, home[i]) != 1)
      printf "%s:%d: <%s> belongs to %s\n", FILENAME, FNR, h, home[i]
  }')
if [ -n "$violations" ]; then
  echo "$violations"
  exit 1
fi
