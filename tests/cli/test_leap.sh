#!/bin/sh
# transition --jump, --leap: found, kept, verified, drawn, tracked; what is no stand is refused.
. "${srcdir:-.}/tests/cli/expect.sh"
run=$scratch/biped.muy
expect 0 'kept as clip 1' "$program" gait "$srcdir/creatures/biped.creature" stand -o "$run"
expect 0 'kept as clip 2' "$program" transition "$run" stand stand --jump 0.3 -p "$scratch/jump.svg"
expect 0 'to 0.482 m ahead' "$program" transition "$run" stand stand --leap 1
expect 0 'stand-leap' "$program" list "$run"
expect 0 'ok' "$program" verify "$run"
expect 0 'stand-jump: tracked by samcon' "$program" track "$run" stand-jump
expect 0 'kept as clip 4' "$program" gait "$srcdir/creatures/biped.creature" walk -o "$run"
expect 1 'a leap goes from a stand to a stand' "$program" transition "$run" stand walk --jump 0.3
expect 2 '--leap: expected a number from 0.1 to 10' "$program" transition "$run" stand stand --leap -1
finish
