#!/bin/sh
# muybridge gaits, and gait for a creature that has none: sections, run file, picture, JSON, and what cannot be.
. "${srcdir:-.}/tests/cli/expect.sh"
biped=$srcdir/creatures/biped.creature
bare=$scratch/bare.creature run=$scratch/bare.muy
grep -v '^gait' "$biped" > "$bare"

expect 0 'kept 2 clips' "$program" gaits "$biped" -s 1.9:2.2 --rounds 0 -o "$run" -p "$scratch/gaits.png"
cp "$scratch/out" "$scratch/printed"
expect 0 '^  contact tip { on = {0, ' cat "$scratch/printed"
expect 0 'gait run' cat "$scratch/printed"
expect 0 '2 pass, 0 miss' "$program" verify "$run"
expect 0 '2  run' "$program" list "$run"
expect 0 'PNG' head -c 8 "$scratch/gaits.png"
# what is printed is a creature's section: the bare creature with it has that gait
{ cat "$bare"; "$program" gaits "$bare" -s 2 --rounds 0 --rough -q; } > "$scratch/found.creature"
expect 0 'run  ' "$program" check "$scratch/found.creature"
expect 0 '"changes": \[\]' "$program" gaits "$bare" -s 2 --rounds 0 --rough --json

# a gait of the file that leaves something open: found, kept, and complete in the run file
{ cat "$bare"; echo 'gait amble { speed = {0.7, 0.7}  duty = 0.6 }'; } > "$scratch/open.creature"
expect 0 'amble leaves open: its period, the order of its feet' "$program" check "$scratch/open.creature"
expect 0 'leaves something of its gait amble open. Found, ' "$program" gait "$scratch/open.creature" amble \
  -o "$scratch/open.muy"
cp "$scratch/out" "$scratch/printed"
expect 0 '^gait amble {' cat "$scratch/printed"
{ cat "$bare"; sed -n '/^gait/,/^}/p' "$scratch/printed"; } > "$scratch/complete.creature" # as a user pastes it
expect 0 'amble  ' "$program" check "$scratch/complete.creature"
expect 0 '1  amble .* ok' "$program" list "$scratch/open.muy"
expect 0 'now' "$program" synth "$scratch/open.creature" "$srcdir/tasks/direction.task" --clips 1 --json \
  -o "$scratch/synth.muy"
expect 0 '1  amble .* ok' "$program" list "$scratch/synth.muy"

# gait finds what it needs
expect 0 'kept as clip 1' "$program" gait "$bare" --speed 1.9 -o "$scratch/one.muy"
expect 0 'ok' "$program" verify "$scratch/one.muy"
expect 0 '1  run' "$program" list "$scratch/one.muy"
expect 1 'no gait was found at 40 m/s: ' "$program" gait "$bare" --speed 40
expect 1 'none: ' "$program" gaits "$bare" -s 40 --rounds 0
expect 2 'need the name of a gait' "$program" gait "$bare" --speed 2 --strafe 20

expect 2 'not .2:1.' "$program" gaits "$biped" -s 2:1
expect 2 "not 'fast'" "$program" gaits "$biped" -s fast
expect 2 'name one creature, found 2' "$program" gaits "$biped" "$biped"
sed '/^foot/d; /^gait/d' "$biped" > "$scratch/none.creature"
expect 2 'no foot to stand on' "$program" gaits "$scratch/none.creature"
finish
