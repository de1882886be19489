#!/bin/sh
# Modal control as a person meets it: statuses, texts, pushes, edits, pictures.
. "${srcdir:-.}/tests/cli/expect.sh"

run=$scratch/biped.muy
modal="$program track --method modal"
expect 0 "Usage: muybridge track --method modal" $modal --help
expect 0 "modal: modal-space control" $program track --help
expect 2 "name a run file" $modal
expect 2 "biped.muy: error" $modal "$run"
expect 0 "" $program gait "$srcdir/creatures/biped.creature" walk --speed 0.6 -q -o "$run"
expect 2 "swim" $modal "$run" swim
expect 2 "found 'moon'" $modal --where moon "$run"
expect 2 "N@S" $modal --push 10 "$run"
expect 2 "F@S" $modal --tempo fast@1 "$run"
expect 2 "0.2 to 5" $modal --stride 9@1 "$run"
expect 2 "there is no limb 'wing'" $modal --push 5@1,90,wing "$run"
expect 2 "there is no limb 'left_hand'" $modal --carry 1@1 "$run"
expect 2 "knows flat and slope" $modal -t pebbles:0.01 "$run"
expect 2 "A-B" $modal --modes 3-9 "$run"
expect 2 "wrong option for --method modal: --samples" $modal --samples 3 "$run"
expect 2 "wrong option: --window" $program track --window 3 "$run"
expect 2 "unrecognized option '--frobnicate'" $modal --frobnicate "$run"
# the method may come first or last, short or long, and the last one counts; what looks like one but is a value is none
for words in "-m modal" "-mmodal" "--method=modal" "-m pd -m modal"; do
  expect 2 "window: expected a number from 1 to" $program track "$run" -w 0 $words
done
expect 2 "walk: expected a number from 1 to" $program track "$run" -w 0 -m guided
expect 2 "wrong option: -w" $program track "$run" --methods modal -w 3
expect 2 "found 'modal'" $program track "$run" --guide modal

expect 0 "followed by modal control, window 12, in linearised dynamics" $modal --seconds 2 "$run" -p "$scratch/own.svg"
expect 0 "" test -s "$scratch/own.svg"
expect 0 "in the world, ODE" $modal --seconds 1 --where ode "$run"
expect 0 '"success": true' $modal --seconds 2 --tempo 1.05@0.5 --json "$run"
expect 0 "followed" $modal --seconds 2 --stride 0.95@0.5 "$run"
expect 0 "followed" $modal --seconds 2 --carry 0.3@0.5,torso "$run"
expect 0 "followed" $modal --seconds 2 --into walk@0.8-1.2 "$run"
expect 1 "not followed" $modal --seconds 4 --paper "$run"
expect 0 "" $program plot modes "$run" -q -o "$scratch/modes.svg"

# what was kept is done again, to the bit; in the list, as a figure, as a film, as a file
cp "$run" "$scratch/kept.muy"
kept=$scratch/kept.muy
expect 0 "kept as motion" $modal --seconds 1 --push 10@0.3 "$kept"
expect 0 "kept as motion" $modal --seconds 1 --push 10@0.3 --where ode "$kept"
expect 0 "replayed open loop: the same motion, bit for bit" $program play --modal "$kept" -o "$scratch/kept.bvh"
expect 0 "" test -s "$scratch/kept.bvh"
expect 0 "linearised dynamics: 2.00 s, planned again: the same motion, bit for bit" $program play --modal "$kept" 1
expect 2 "there is no motion 99" $program play --modal "$kept" 99
expect 2 "not both" $program play --modal --physics "$kept"
expect 0 "clip 1, walk .* ode .* followed" $program list "$kept"
expect 0 "drew" $program plot modal-run "$kept" -o "$scratch/kept.svg"
expect 0 "filmed" $program film --modal 0 "$kept" -o "$scratch/kept.gif"
expect 2 "one of them" $program film --modal 1 --track 1 "$kept"
before=$($program list "$kept" | wc -l)
expect 0 "followed" $modal --seconds 1 --no-store "$kept"
expect 0 "" test "$before" -eq "$($program list "$kept" | wc -l)"

# captured motion, where there is any
mocap=${MUYBRIDGE_MOCAP:-$srcdir/../shared/data/mocap}
if [ -r "$mocap/07_01.bvh" ]; then
  expect 0 "" $program import "$mocap/07_01.bvh" -C "$srcdir/creatures/human.creature" -q -o "$scratch/people.muy"
  expect 0 "followed by modal control" $modal --seconds 1.5 "$scratch/people.muy"
else
  echo "no captured motion here; MUYBRIDGE_MOCAP names a folder with it"
fi

finish
