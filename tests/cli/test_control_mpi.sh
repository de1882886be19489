#!/bin/sh
# Control graphs on ranks of MPI: models, guided learning and trials come to the same numbers as in one process and with
# forked workers; policies that were kept move the creature alike, bit for bit. Skipped without MPI. MPIRUN is what
# starts
# programs.
. "${srcdir:-.}/tests/cli/expect.sh"
. "${srcdir:-.}/tests/farm/mpi.sh"

run=$scratch/biped.muy
expect 0 "" $program gait "$srcdir/creatures/biped.creature" walk --speed 0.6 -q -o "$run"
if ! command -v "$mpirun" > /dev/null || ! "$mpirun" -n 2 $program --version > /dev/null 2>&1; then
  echo "no MPI here: ranks are not tested"
  exit 77
fi
if "$mpirun" -n 2 $program control "$run" --no-store 2>&1 | grep -q "built without MPI"; then
  echo "built without MPI: ranks are not tested"
  exit 77
fi

# learned NAME OPTION... -- COMMAND...: both teachers and all trials; what is told but for times in NAME.told, what the
# policies do when pushed in NAME.csv
learned() {
  name=$1; shift
  options=
  while [ "$1" != "--" ]; do options="$options $1"; shift; done
  shift
  cp "$run" "$scratch/$name.muy"
  : > "$scratch/$name.told"
  expect 0 "learned by lqr" "$@" $program control "$scratch/$name.muy" $options -w 4 -n 3
  grep "did not fall" "$scratch/out" | sed 's/[0-9.]* times real time//' >> "$scratch/$name.told"
  expect 0 "3 of 3 did not fall" "$@" $program control "$scratch/$name.muy" $options -u 0.1 -n 3 --seconds 2
  grep "did not fall" "$scratch/out" | sed 's/[0-9.]* times real time//' >> "$scratch/$name.told"
  expect 0 "pushes that grow" "$@" $program control "$scratch/$name.muy" $options -g 0.05 -n 3 --seconds 8
  grep "pushes that" "$scratch/out" | sed 's/[0-9.]* times real time//' >> "$scratch/$name.told"
  expect 0 "iteration 2 of 2" "$@" $program control "$scratch/$name.muy" $options -m guided --iterations 2 --visits 12 \
    --samples 16 --first 16 --measure 2
  grep "iteration" "$scratch/out" | sed 's/[0-9.]* core-seconds, about [0-9]* s left//' >> "$scratch/$name.told"
  expect 0 "iteration 1 of 1" "$@" $program control "$scratch/$name.muy" $options -m ahead --iterations 1 --visits 20 \
    --measure 2
  grep "iteration" "$scratch/out" | sed 's/[0-9.]* core-seconds, about [0-9]* s left//' >> "$scratch/$name.told"
  for policy in full compact; do
    expect 0 "it did not fall" $program play --physics --pushes 1:0.1:90 --seconds 2 --policy $policy \
      "$scratch/$name.muy" -o "$scratch/$name-$policy.csv"
  done
  $program play --physics --pushes 0.5:0.05:90 --seconds 2 --teacher guided --look 0 "$scratch/$name.muy" \
    -o "$scratch/$name-guided.csv" > "$scratch/out" 2>&1
  $program play --physics --pushes 0.5:0.05:90 --seconds 2 --teacher ahead --look 0 "$scratch/$name.muy" \
    -o "$scratch/$name-ahead.csv" > "$scratch/out" 2>&1
  cat "$scratch/$name-full.csv" "$scratch/$name-compact.csv" "$scratch/$name-guided.csv" "$scratch/$name-ahead.csv" \
    > "$scratch/$name.csv"
}

same() {
  expect 0 "" cmp "$scratch/alone.csv" "$scratch/$1.csv"
  expect 0 "" diff "$scratch/alone.told" "$scratch/$1.told"
}

learned alone --
[ "$(wc -l < "$scratch/alone.told")" -eq 6 ] || { echo "FAIL: something was not told"; fails=$((fails + 1)); }
learned forked -j 2 --
same forked
for ranks in 2 3; do
  learned ranks$ranks -- "$mpirun" -n $ranks
  same ranks$ranks
done
finish
