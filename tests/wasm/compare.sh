#!/bin/sh
# compare.sh SRCDIR NODE: the portable core as WebAssembly against the same program built for this machine.
#
# Both read the same bytes. Additions, products, divisions and roots are the same to the bit on both; sine and cosine of
# the kernels are our own. What differs is the C library (musl there, glibc here) in the last bit of log, exp, atan2,
# pow and the like, which the motion then carries on: 13 to 15 digits agreed after a minute and three pushes. Bar: every
# number within 1e-9 of its size, or of 1 where it is less.
set -eu
srcdir=$1 node=$2
folder=wasm/run
mkdir -p $folder
cp "$srcdir/creatures/horse.creature" wasm/walk_core.wasm $folder
MUYBRIDGE_CREATURES=$srcdir/creatures OPENBLAS_NUM_THREADS=1 tests/wasm/make_controls $folder/biped.controls
here=$(cd "$(dirname "$0")" && pwd)
native=$(pwd)/tests/wasm/walk_core
cd $folder
"$native" biped.controls horse.creature > native.txt
# without the second compiler of V8, whose threads may crash node 20 when it ends: 1 of 100 runs
"$node" --no-warnings --liftoff-only "$here/run.mjs" walk_core.wasm biped.controls horse.creature > wasm.txt
paste -d '\n' native.txt wasm.txt | awk '
  function size(x) { return x < 0 ? -x : x }
  NR % 2 { n = split($0, a); next }
  {
    m = split($0, b)
    if (n != m) { print "line " NR / 2 ": " n " words, " m " as WebAssembly"; bad++; next }
    for (i = 1; i <= n; i++) {
      if (a[i] == b[i]) { same++; continue }
      if (a[i] !~ /^-?[0-9]/ || b[i] !~ /^-?[0-9]/) { print "line " NR / 2 ": " a[i] " and " b[i]; bad++; continue }
      x = size(a[i] - b[i]) / (size(a[i]) > 1 ? size(a[i]) : 1)
      if (!(x <= 1e-9)) { print "line " NR / 2 ", word " i ": " a[i] " and " b[i]; bad++ }
      if (x > largest) largest = x
      other++
    }
    lines++
  }
  END {
    if (lines < 50) { print "only " lines + 0 " lines"; bad++ }
    printf "walk_core: %d lines, %d numbers the same, %d within %.1g; %d differ\n", lines, same, other, largest, bad
    exit bad > 0
  }'
tail -1 wasm.txt
