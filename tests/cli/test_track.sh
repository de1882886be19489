#!/bin/sh
# Tracking as a person meets it: statuses, texts, what is kept, replays, pictures, other grounds, and the same result for any number of workers.
srcdir=${srcdir:-.}
program=${MUYBRIDGE:-./muybridge}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
checks=0 fails=0

# expect STATUS PATTERN COMMAND...: the status, and a line of output (either stream) that matches; an empty pattern wants no output
expect() {
  status=$1 pattern=$2; shift 2
  checks=$((checks + 1))
  "$@" > "$scratch/out" 2> "$scratch/err"
  got=$?
  if [ "$got" != "$status" ]; then
    echo "FAIL: exit status $got instead of $status: $*"; cat "$scratch/out" "$scratch/err"; fails=$((fails + 1))
  elif [ -z "$pattern" ] && [ -s "$scratch/out" -o -s "$scratch/err" ]; then
    echo "FAIL: output although none was expected: $*"; cat "$scratch/out" "$scratch/err"; fails=$((fails + 1))
  elif [ -n "$pattern" ] && ! cat "$scratch/out" "$scratch/err" | grep -q -- "$pattern"; then
    echo "FAIL: no line matches '$pattern': $*"; cat "$scratch/out" "$scratch/err"; fails=$((fails + 1))
  fi
}

run=$scratch/biped.muy
expect 0 "Usage: muybridge track" $program track --help
expect 2 "name a run file" $program track
expect 2 "found 'magic'" $program track --method magic "$run"
expect 2 "found 'star'" $program track --guide star "$run"
expect 2 "found 'swamp:1'" $program track --terrain swamp:1 "$run"
expect 2 "biped.muy: error" $program track "$run"
expect 0 "" $program gait "$srcdir/creatures/biped.creature" walk --speed 0.6 -q -o "$run"
expect 2 "no tracks in this run file" $program play --physics "$run"
expect 2 "swim" $program track "$run" swim

# servos alone fall, which is told; feedback does not; both are kept and replayed
expect 1 "not tracked by pd" $program track "$run" -m pd -c 3
expect 0 "tracked by lqr" $program track "$run" -m lqr -c 3 --start 0.003 -p "$scratch/lqr.svg"
expect 1 "the same motion, bit for bit" $program play --physics "$run" 1
expect 0 "the same motion, bit for bit" $program play --physics "$run" 2 -o "$scratch/walk.csv" -p "$scratch/walk.svg"
expect 2 "no track 9" $program play --physics "$run" 9
for f in lqr.svg walk.csv walk.svg; do expect 0 "" test -s "$scratch/$f"; done

# one worker and two: the same numbers, but for the time that it took
for j in 1 2; do
  expect 0 '"success": true' $program track "$run" -c 1 -j $j --no-store --json --start 0.003
  sed 's/"core_seconds": {[^}]*}//' "$scratch/out" > "$scratch/json$j"
done
expect 0 "" cmp "$scratch/json1" "$scratch/json2"

# other grounds and another body
expect 0 "tracked by samcon" $program track "$run" -c 2 --no-store --terrain slope:5
expect 0 "tracked by samcon" $program track "$run" -c 2 --no-store --friction 0.1
expect 0 "tracked by samcon" $program track "$run" -c 2 --no-store --terrain pebbles:0.01
sed 's/-0.259/-0.280/; s/-0.120}/-0.130}/' "$srcdir/creatures/biped.creature" > "$scratch/tall.creature"
expect 0 "tracked by samcon" $program track "$run" -c 2 --creature "$scratch/tall.creature"
expect 2 "no contact point of the same name" $program track "$run" --creature "$srcdir/creatures/horse.creature"
expect 0 "1 of 1 clips in at least 19 of 20" $program track "$run" --table --runs 2 --methods lqr -c 2 -q

echo "$checks checks, $fails failed"
[ "$fails" -eq 0 ]
