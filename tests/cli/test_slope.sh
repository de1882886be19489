#!/bin/sh
# gait --slope: found, kept, read again, verified, drawn and tracked on its ground; what needs level ground says so.
. "${srcdir:-.}/tests/cli/expect.sh"
biped=$srcdir/creatures/biped.creature a=$scratch/a.muy b=$scratch/b.muy
expect 0 'kept as clip 1' "$program" gait "$biped" walk --slope -7 -o "$a" -p "$scratch/a.svg"
expect 0 'ok' "$program" verify "$a"
expect 0 'clip 1, walk, 2 cycles: tracked' "$program" track "$a" 1 --method lqr --cycles 2
checks=$((checks + 1))
[ -s "$scratch/a.svg" ] || fail 'no picture'
expect 0 'filmed' "$program" film "$a" -o "$scratch/a.gif" --size 120x90
expect 2 'has a slope of its own, -7 degrees: it cannot be tracked on other ground' \
  "$program" track "$a" 1 --terrain steps:0.02
expect 2 'clip 1 is on a slope: modal control' "$program" track "$a" 1 --method modal
expect 1 'transitions are for clips on level ground' "$program" transition "$a" 1:0 1:20
expect 2 '--slope: expected a number from -30 to 30' "$program" gait "$biped" walk --slope 40
expect 2 "--slope: expected a number" "$program" gait "$biped" walk --slope up

# graphs are of the clips on level ground: the other one is left alone
expect 0 'kept as clip 2' "$program" gait "$biped" walk -o "$a"
expect 0 'kept as clip 3' "$program" transition "$a" 2:0 2:20 --turn 15
cp "$a" "$b"
expect 0 'controller 1' "$program" policy "$b" "$srcdir/tasks/direction.task"
finish
