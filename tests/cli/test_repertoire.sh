#!/bin/sh
# repertoire: what a creature can do unasked; the built-in gaits by name.
. "${srcdir:-.}/tests/cli/expect.sh"
run=$scratch/biped.muy
expect 0 'kept as clip 1' "$program" gait "$srcdir/creatures/biped.creature" stand -o "$run"
expect 0 'kept as clip 2' "$program" transition "$run" stand stand --turn 60
expect 0 'ok' "$program" verify "$run"
expect 2 "has no gait 'stnad'; did you mean 'stand'" "$program" gait "$srcdir/creatures/biped.creature" stnad
expect 1 'stays on the ground for the whole cycle' "$program" gait "$srcdir/creatures/biped.creature" stand --speed 0.2

expect 0 'biped: 19 of 19 motions' "$program" repertoire "$srcdir/creatures/biped.creature" -o "$scratch/all.muy"
expect 0 'stand-turn-180' "$program" list "$scratch/all.muy"
expect 0 'ok' "$program" verify "$scratch/all.muy"
expect 1 'stand-turn-180: ' "$program" repertoire "$srcdir/creatures/biped.creature" -q --seconds 0.05
expect 2 "biped has no gait 'trot'" "$program" repertoire "$srcdir/creatures/biped.creature" --gaits walk,trot
expect 2 "twice there is 'walk'" "$program" repertoire "$srcdir/creatures/biped.creature" --gaits walk,walk
expect 2 'name a creature' "$program" repertoire
finish
