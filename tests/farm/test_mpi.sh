#!/bin/sh
# The farm on MPI: the same results with 2 and 3 ranks as with forked workers and inline, disasters included; farms that
# are closed early;
# ranks that are alone. Skipped without MPI. FARM_WORK is the program, MPIRUN what starts it.
work=${FARM_WORK:-./tests/farm/farm_work}
fails=0
. "${srcdir:-.}/tests/farm/mpi.sh"

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

same() { # NAME COMMAND...: does it write what the forked farm wrote?
  name=$1; shift
  if ! "$@" > "$scratch/found" 2> "$scratch/errors" || ! cmp -s "$scratch/found" "$expected"; then
    echo "FAIL: $name"
    diff "$expected" "$scratch/found" | head -20
    head -20 "$scratch/errors"
    fails=1
  fi
}

for list in good bad; do
  expected=$scratch/$list
  "$work" fork 2 $list > "$expected" || { echo "FAIL: fork, $list"; fails=1; }
  [ "$(wc -l < "$expected")" -gt 15 ] || { echo "FAIL: too few results"; fails=1; }
done

expected=$scratch/good
same "inline" "$work" inline 1 good
same "alone" "$work" auto 1 good

if "$work" mpi 1 good | grep -q "built without MPI" || ! command -v "$mpirun" > /dev/null; then
  echo "no MPI here: ranks are not tested"
  [ $fails = 0 ] && exit 77
  exit 1
fi
same "1 rank" "$mpirun" -n 1 "$work" auto 2 good
for ranks in 2 3; do
  expected=$scratch/good
  same "$ranks ranks, good jobs" "$mpirun" -n $ranks "$work" auto 1 good
  same "$ranks ranks, farms closed early" "$mpirun" -n $ranks "$work" mpi 1 close
  same "$ranks ranks, forked workers all the same" "$mpirun" -n $ranks "$work" fork 2 good
  expected=$scratch/bad
  same "$ranks ranks, bad jobs" "$mpirun" -n $ranks "$work" mpi 1 bad
done

echo "farm: error: there are no workers: MPI needs two ranks, as in mpirun -n 2 ..." > "$scratch/none"
expected=$scratch/none
same "MPI asked for and no ranks" "$work" mpi 1 good
{ echo "farm: error: rank 1 of 3 is not ready: shared: error: these are bad"; cat "$scratch/good"; } \
  > "$scratch/unready"
expected=$scratch/unready
same "what is shared is bad, then good" "$mpirun" -n 3 "$work" mpi 1 unready
cat > "$scratch/services" <<'END'
farm: error: rank 1 of 3 is not ready: farm: error: there is no service 'none'
farm: error: ranks of MPI are serving another farm, which has to be closed first
loud: HOOF prepared 1, finished 0
quiet: hoof prepared 1, finished 0
loud: HOOF prepared 2, finished 1
END
expected=$scratch/services
same "two services, one that is not there, two farms at once" "$mpirun" -n 3 "$work" mpi 1 services
exit $fails
