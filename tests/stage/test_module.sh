#!/bin/sh
# The module of the page, stage/stage.wasm, against the stage on this machine: the same script of calls must give the
# same numbers to 1e-9 of their size (or of 1), up to a fall. It is also what shows that the module in the source tree
# is current: a change of the core that changes numbers fails here until `make stage` was run. Skipped where there is
# no node.
# MODULE: another one to try.
set -eu
node=${NODE:-node}
command -v "$node" > /dev/null || { echo "there is no node: the module was not run"; exit 77; }
srcdir=${srcdir:-.}
module=${MODULE:-$srcdir/stage/stage.wasm}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
OPENBLAS_NUM_THREADS=1 tests/stage/make_package "$work/small.stage"
tests/stage/play_script "$work/small.stage" "$srcdir/tests/stage/calls.script" > "$work/native"
# without the second compiler of V8, whose threads may crash node 20 when it ends: 1 of 100 runs
"$node" --no-warnings --liftoff-only "$srcdir/tests/stage/play_script.mjs" "$module" "$work/small.stage" \
  "$srcdir/tests/stage/calls.script" > "$work/module"
paste -d '\n' "$work/native" "$work/module" | awk '
  function size(x) { return x < 0 ? -x : x }
  NR % 2 { n = split($0, a); next }
  {
    m = split($0, b)
    if (n != m) { print "line " NR / 2 ": " n " words, " m " from the module"; bad++; next }
    if (a[1] ~ /^[a-z]/) { # a call, and whether it was good
      if ($0 != a[1] " " a[2] || a[2] != 1) { print "line " NR / 2 ": " a[1] " " a[2] " and " $0; bad++ }
      calls++
      next
    }
    for (i = 1; i <= n; i++) {
      # The sum of the record, whose numbers have 4 bytes; a fall, where limbs that strike the ground make 1e-15 large;
      # mode 3, modal control, whose walk on ground that tilts barely holds: what differs grows tenfold in a second.
      bar = i == 7 ? 1e-5 : a[1] == 2 ? 1e-3 : a[2] == 3 ? 1e-7 : 1e-9
      x = size(a[i] - b[i]) / (size(a[i]) > 1 ? size(a[i]) : 1)
      if (!(x <= bar)) { if (bad < 10) print "line " NR / 2 ", word " i ": " a[i] " and " b[i]; bad++ }
      if (i != 7 && a[1] == 1 && x > largest[a[2]]) largest[a[2]] = x
    }
    lines++
    fallen += a[1] == 2
  }
  END {
    if (lines < 100 || calls < 20 || !fallen) {
      print lines + 0 " lines, " calls + 0 " calls, " fallen + 0 " of a fall"
      bad++
    }
    printf "%d lines and %d calls, control within %.1g, modal control within %.1g; %d differ\n", lines, calls,
      largest[2], largest[3], bad
    if (bad) print "is stage/stage.wasm current? make stage builds it anew"
    exit bad > 0
  }'
