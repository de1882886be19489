#!/bin/sh
# The farm on MPI: the same results with 2 and 3 ranks as with forked workers and inline, disasters included; farms that are closed early;
# ranks that are alone. Skipped without MPI. FARM_WORK is the program, MPIRUN what starts it.
work=${FARM_WORK:-./tests/farm/farm_work}
mpirun=${MPIRUN:-mpirun}
fails=0

# Open MPI: as root, more ranks than processors, and what its versions call that; MPICH does not mind any of these
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_mpi_show_help_errors=0
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # what MPI keeps is not ours
export ASAN_OPTIONS

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
{ echo "farm: error: rank 1 of 3 is not ready: shared: error: these are bad"; cat "$scratch/good"; } > "$scratch/unready"
expected=$scratch/unready
same "what is shared is bad, then good" "$mpirun" -n 3 "$work" mpi 1 unready
exit $fails
