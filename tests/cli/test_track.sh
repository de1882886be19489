#!/bin/sh
# Tracking as a person meets it: statuses, texts, what is kept, replays, pictures, other grounds, and the same result
# for any number of workers.
. "${srcdir:-.}/tests/cli/expect.sh"

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
expect 0 "tracked by samcon" $program track "$run" -c 2 --no-store --terrain slope:5 -p "$scratch/slope.svg"
expect 0 "tracked by samcon" $program track "$run" -c 2 --no-store --friction 0.1
expect 0 "tracked by samcon" $program track "$run" -c 2 --no-store --terrain pebbles:0.01
sed 's/-0.259/-0.280/; s/-0.120}/-0.130}/' "$srcdir/creatures/biped.creature" > "$scratch/tall.creature"
expect 0 "tracked by samcon" $program track "$run" -c 2 --creature "$scratch/tall.creature"
expect 2 "no contact point of the same name" $program track "$run" --creature "$srcdir/creatures/horse.creature"
expect 0 "slide at" $program track "$run" -c 2 --no-store --no-surrogate

# engines: judged in each that is built in, kept with its name, replayed in it bit for bit, or in another
expect 2 "one of ode, tree.*, found 'bullet'" $program track "$run" --engine bullet
expect 0 "tracked by samcon.*, in the engine tree" $program track "$run" -c 2 --engine own --no-store
for engine in tree mujoco; do
  if $program track "$run" --engine $engine --help > /dev/null 2>&1; then
    expect 0 "in the engine $engine" $program track "$run" -c 1 -m lqr --engine $engine
    track=$(sed -n 's/kept as track \([0-9]*\).*/\1/p' "$scratch/out")
    expect 0 "the same motion, bit for bit" $program play --physics "$run" $track
    expect 0 "replayed open loop: in another engine" $program play --physics --engine ode "$run" $track
  else
    expect 2 "this build has no $engine; it has ode" $program track "$run" --engine $engine
  fi
done

# contact between limbs is an option that is kept with the track
expect 0 "tracked by lqr" $program track "$run" -c 2 -m lqr --no-limb-contact
track=$(sed -n 's/kept as track \([0-9]*\).*/\1/p' "$scratch/out")
expect 0 "the same motion, bit for bit" $program play --physics "$run" $track
expect 0 "the same motion, bit for bit" $program play --physics --no-limb-contact "$run" $track
expect 2 "found 'some'" $program track "$run" --torques some

# figures of tracks
expect 0 "" $program track "$run" -c 2 -q
for kind in track samples sample-tree tracked track-forces torque-squares; do
  expect 0 "" $program plot $kind "$run" -q -o "$scratch/$kind.svg"
  expect 0 "" test -s "$scratch/$kind.svg"
done
expect 2 "no track 9" $program plot tracked "$run" -k 9 -o "$scratch/none.svg"
expect 1 "needs a track that was found by sampling" $program plot samples "$run" -k 2 -o "$scratch/none.svg"

# a motion file in one go: our own walk, written and read again; kept only where that is asked for
expect 0 "" $program export --to bvh "$run" -o "$scratch/walk.bvh"
expect 2 "are for run files" $program track "$scratch/walk.bvh" --table
expect 2 "is for captured motion" $program track "$run" -o "$scratch/other.muy"
expect 2 "walk.bvh: error" $program track "$scratch/no/walk.bvh" --creature biped
expect 0 "tracked by lqr" $program track "$scratch/walk.bvh" --creature "$srcdir/creatures/biped.creature" -m lqr \
  --no-surrogate \
  -o "$scratch/captured.muy"
expect 0 "the same motion, bit for bit" $program play --physics "$scratch/captured.muy" 1
expect 0 "biped walk       that, guided           1/1" $program track --compare "$run" -c 1 --runs 1 -n 12 --saved 4 \
  -p "$scratch/squares.svg"
expect 0 "" test -s "$scratch/squares.svg"
expect 0 "that, guided" $program track --compare "$run" -c 1 --runs 1 -n 4 --saved 2 --methods guided
[ "$(wc -l < "$scratch/out")" = 2 ] || fail "--methods guided compares more than that"
expect 2 "found 'magic'" $program track --compare "$run" --methods guided,magic
expect 0 "1 of 1 clips in at least 19 of 20" $program track "$run" --table --runs 2 --methods lqr -c 2 -q

finish
