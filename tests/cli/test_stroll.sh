#!/bin/sh
# A creature that strolls: synthesized with a stand, ways into it and out of it and turns on the spot; told to stop it
# stops and stands still, told to turn it turns on the spot, told to go it sets off. A small graph of the biped.
. "${srcdir:-.}/tests/cli/expect.sh"
run=$scratch/stroll.muy

expect 0 "clips, .* decision nodes" $program synth "$srcdir/creatures/biped.creature" "$srcdir/tasks/stroll.task" \
  -o "$run" --clips 16 --jobs 1
expect 0 "stand-turn .* from 2:0 to 2:0, turn 180" $program list "$run"
cat > "$scratch/stop.script" <<END
at 0 { direction = 0  speed = stop }
at 3 { speed = 100% }
at 7 { speed = stop }
at 11 { direction = 90 }
end = 16
END
expect 0 "7.00  speed      stop" $program play "$run" "$scratch/stop.script" -l "$scratch/log.csv"
expect 0 "" sh -c "! grep -q 'speed .* not reached' $scratch/out"

# where the root was: still from 2 to 3 s, from 10 to 11 s and at the end; underway from 5 to 7 s; it halted within two
# strides (two walks of 0.75 s); and it turned where it stood, to the left
awk -F, '/^#/ { next }
  !head { for (i = 1; i <= NF; i++) name[$i] = i; head = 1; speed = name["speed"]; torso = name["torso"]; next }
  { s = $speed
    if (($1 >= 2 && $1 < 3) || ($1 >= 10 && $1 < 11) || $1 >= 15.5) still = s > still ? s : still
    if ($1 >= 5 && $1 < 7) { slow = !n || s < slow ? s : slow; n++ }
    if ($1 >= 8.75 && $1 < 11) late = s > late ? s : late
    if ($1 >= 15.5) turned = $torso }
  END { printf "standing at %g m/s, walking at %g, %g after two strides, turned by %g rad\n", still, slow, late, turned
        exit !(still < 1e-6 && slow > 0.55 && late < 0.01 && turned > 1.2 && turned < 1.9) }' "$scratch/log.csv" ||
  fail "it did not stop, or not turn"
checks=$((checks + 1))

# what a task without a stop says of it
printf 'at 0 { speed = stop }\n' > "$scratch/never.script"
expect 0 "clips, .* decision nodes" $program synth "$srcdir/creatures/biped.creature" "$srcdir/tasks/speed.task" \
  -o "$scratch/speed.muy" --clips 1 --jobs 1
expect 0 "the task goes from .* m/s; 0 is taken as" $program play "$scratch/speed.muy" "$scratch/never.script"
finish
