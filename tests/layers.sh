#!/bin/sh
# The rules of the house that a script can check:
#   layers      an #include only points down the list of rooms
#   private     a header that opens with "Private to src/ROOM.", as every room.h does, is for files of that room only
#   foreign     the header of a foreign library is included by its one file, or those few whose names begin alike
#   kinds       the names of task kinds are compared in src/task only (a kind is a file src/task/kind_NAME.c)
#   quiet       only src/cli prints; nothing in the library exits, and memory that runs out ends it in one place
#   columns     lines have 120 characters at most, in code, build files, scripts and documentation
# Usage: layers.sh [TREE]   prints the violations; exit status 1 if there are any.
set -u
tree=${1:-${srcdir:-.}}
cd "$tree" || exit 99

# rooms from the ground up; plots/ stands beside src/
rooms="base player creature dynamics motion nlp spacetime task policy farm store gaits search exchange robots physics
capture follow feedback samcon control modal stage serve plots api cli"
# header pattern (as awk sees it) and what the names of files that may include it begin with
foreign="
(cblas|lapacke)\.h    src/nlp/
coin/|IpStdCInterface src/nlp/ipopt
dmumps_c\.h           tests/nlp/
mpi\.h                src/farm/farm_mpi.c
sqlite3\.h            src/store/room.h
ode/                  src/physics/engine_ode
physics/engine_ode    src/physics/engine_ode
mujoco/               src/physics/engine_mujoco.c
cairo                 plots/kit_canvas.c
"
# what library code does not call, and where it may after all: memory that runs out, and processes of the farm
loud="
v?printf|puts|putchar|perror   src/cli/
stdout|stderr                  src/cli/
stdout                         src/farm/process.c
exit|quick_exit                src/cli/
_exit                          src/farm/
abort                          src/base/arena.c
"
kinds=$(ls src/task/kind_*.c 2>/dev/null | sed 's|.*/kind_||; s|\.c$||' | tr '\n' ' ')

sources() { find src plots -name '*.[ch]' | LC_ALL=C sort; }
texts() {
  find . -maxdepth 1 -type f \( -name '*.am' -o -name '*.ac' -o -name '*.md' \)
  find src plots tests doc -type f \( -name '*.[ch]' -o -name '*.am' -o -name '*.sh' -o -name '*.md' \) 2> /dev/null
}

violations=$(
  private=$(sources | grep '\.h$' |
    xargs awk 'FNR == 1 && /^\/\* Private to src\/[a-z]*\./ { print substr(FILENAME, 5) }' | tr '\n' ' ')
  sources | xargs awk -v rooms="$rooms" -v foreign="$foreign" -v loud="$loud" -v kinds="$kinds" -v private="$private" '
    BEGIN {
      n = split(rooms, r, /[ \n]+/); for (i = 1; i <= n; i++) level[r[i]] = i
      m = split(foreign, f, /[ \n]+/)
      for (i = 1; i < m; i++) if (f[i] != "") { k++; if (k % 2) pattern[++p] = f[i]; else home[p] = f[i] }
      m = split(loud, f, /[ \n]+/)
      for (i = 1; i < m; i++) if (f[i] != "") { q++; if (q % 2) word[++w] = f[i]; else where[w] = f[i] }
      n = split(private, r, " "); for (i = 1; i <= n; i++) is_private[r[i]] = 1
      n = split(kinds, r, " "); for (i = 1; i <= n; i++) names = names (i > 1 ? "|" : "") r[i]
    }
    FNR == 1 {
      split(FILENAME, part, "/"); own = part[1] == "src" ? part[2] : part[1]
      if (!(own in level)) printf "%s: room \"%s\" is not in the list of rooms\n", FILENAME, own
      if (FILENAME ~ /\/room\.h$/ && !(substr(FILENAME, 5) in is_private))
        printf "%s:1: a room.h opens with \"Private to src/%s.\"\n", FILENAME, own
      comment = 0
    }
    /^[ \t]*#[ \t]*include[ \t]/ {
      h = $0; sub(/^[ \t]*#[ \t]*include[ \t]*[<"]/, "", h); sub(/[>"].*/, "", h)
      room = h; sub(/\/.*/, "", room)
      if (h ~ /\// && room in level && level[room] > level[own])
        printf "%s:%d: room %s includes \"%s\" from a room above it\n", FILENAME, FNR, own, h
      if (h in is_private && room != own) printf "%s:%d: \"%s\" is private to src/%s\n", FILENAME, FNR, h, room
      for (i = 1; i <= p; i++) if (h ~ ("^(" pattern[i] ")") && index(FILENAME, home[i]) != 1)
        printf "%s:%d: <%s> belongs to %s\n", FILENAME, FNR, h, home[i]
    }
    { # what is left of a line without comments
      code = $0
      if (comment && !sub(/^.*\*\//, "", code)) next
      comment = 0
      while (match(code, /\/\*/)) {
        start = RSTART
        if (match(substr(code, start), /\*\//)) code = substr(code, 1, start - 1) " " substr(code, start + RSTART + 1)
        else { code = substr(code, 1, start - 1); comment = 1 }
      }
      if (names != "" && own != "task" && code ~ ("(cmp|str|equal|same|is)[a-z_]*\\(.*\"(" names ")\""))
        printf "%s:%d: task kinds are compared in src/task only\n", FILENAME, FNR
      gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
      for (i = 1; i <= w; i++) {
        call = word[i] ~ /std/ ? "" : "[ ]?\\("
        if (code !~ ("(^|[^a-zA-Z0-9_.>])(" word[i] ")" (call == "" ? "([^a-zA-Z0-9_]|$)" : call))) continue
        allowed = 0
        for (j = 1; j <= w; j++) if (index(FILENAME, where[j]) == 1 && code ~ word[j]) allowed = 1
        if (!allowed && index(FILENAME, "src/cli/") != 1) {
          printf "%s:%d: %s is for %s\n", FILENAME, FNR, word[i], where[i]
          break
        }
      }
    }'
  # bytes that continue a character of UTF-8 do not count; a row of a Markdown table is one line by the format, and a
  # line without a blank to break it at (a link) cannot be shorter
  texts | sed 's|^\./||' | LC_ALL=C sort -u |
    xargs env LC_ALL=C awk '
    {
      line = $0; gsub(/[\200-\277]/, "", line)
      if (length(line) <= 120) next
      if (FILENAME ~ /\.md$/ && (line ~ /^ *\|/ || line !~ /[^ ] +[^ ]+ +[^ ]/)) next
      printf "%s:%d: %d columns\n", FILENAME, FNR, length(line)
    }')
if [ -n "$violations" ]; then
  echo "$violations"
  exit 1
fi
