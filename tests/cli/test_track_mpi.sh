#!/bin/sh
# Tracking on ranks of MPI: what is kept is the same, bit for bit, as with one process and with two forked workers; also
# a table and a comparison of whole runs. Skipped without MPI. MPIRUN is what starts programs.
. "${srcdir:-.}/tests/cli/expect.sh"
. "${srcdir:-.}/tests/farm/mpi.sh"

run=$scratch/biped.muy
expect 0 "" $program gait "$srcdir/creatures/biped.creature" walk --speed 0.6 -q -o "$run"
if ! command -v "$mpirun" > /dev/null || ! "$mpirun" -n 2 $program --version > /dev/null 2>&1; then
  echo "no MPI here: ranks are not tested"
  exit 77
fi
if "$mpirun" -n 2 $program track "$run" -c 1 --no-store 2>&1 | grep -q "built without MPI"; then
  echo "built without MPI: ranks are not tested"
  exit 77
fi

# tracked NAME OPTION... -- COMMAND...: the motion that was kept, replayed, as numbers in NAME.csv
tracked() {
  name=$1; shift
  options=
  while [ "$1" != "--" ]; do options="$options $1"; shift; done
  shift
  cp "$run" "$scratch/$name.muy"
  expect 0 "tracked by" "$@" $program track "$scratch/$name.muy" $options --start 0.003
  expect 0 "the same motion, bit for bit" $program play --physics "$scratch/$name.muy" 1 -o "$scratch/$name.csv"
}

tracked alone -c 1 -t pebbles:0.01 --
tracked forked -c 1 -t pebbles:0.01 -j 2 --
expect 0 "" cmp "$scratch/alone.csv" "$scratch/forked.csv"
for ranks in 2 3; do
  tracked ranks$ranks -c 1 -t pebbles:0.01 -- "$mpirun" -n $ranks
  expect 0 "" cmp "$scratch/alone.csv" "$scratch/ranks$ranks.csv"
done
tracked alone -m improved -c 1 -n 4 --saved 2 --
tracked ranks -m improved -c 1 -n 4 --saved 2 -- "$mpirun" -n 3
expect 0 "" cmp "$scratch/alone.csv" "$scratch/ranks.csv"

# whole runs, shared out: numbers that are not times
for how in "" "$mpirun -n 3"; do
  expect 0 "in at least 19 of 20" $how $program track "$run" --table --runs 2 --methods pd,lqr -c 1 -q
  cut -c1-72 "$scratch/out" > "$scratch/table$(echo $how | wc -w)"
  expect 0 "that, guided" $how $program track --compare "$run" -c 1 --runs 1 -n 4 --saved 2
  cut -c1-80 "$scratch/out" > "$scratch/compare$(echo $how | wc -w)"
done
expect 0 "" cmp "$scratch/table0" "$scratch/table3"
expect 0 "" cmp "$scratch/compare0" "$scratch/compare3"
expect 2 "no such clip\|swim" "$mpirun" -n 2 $program track "$run" swim
finish
