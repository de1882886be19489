#!/bin/sh
# What the program computes, as hashes: gaits, transitions, two syntheses, a track, a control graph with its trials,
# modal control. A change that only moves code leaves every line as it was.
#
# Usage: fingerprint.sh [PROGRAM [SOURCE-TREE]]          prints one line for each result
#        fingerprint.sh ... > before;  fingerprint.sh ... | diff before -
#
# Hashes are those of one machine: another processor may give OpenBLAS other kernels, and so other last digits.
set -eu
tree=$(cd "${2:-$(dirname "$0")/..}" && pwd)
program=$(cd "$(dirname "${1:-$tree/muybridge}")" && pwd)/$(basename "${1:-muybridge}")
creatures=$tree/creatures tasks=$tree/tasks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OPENBLAS_NUM_THREADS=1

muybridge() { "$program" "$@" > log 2>&1 || { echo "failed: muybridge $*"; cat log; exit 1; }; }
hash() { printf '%s  %s\n' "$(sha256sum < "$1" | cut -c1-16)" "$2"; }
clips() { # RUN NAME: every clip of a run file
  n=1
  while "$program" export "$1" --to csv --clip $n -o clip.csv > log 2>&1; do
    cat clip.csv
    n=$((n + 1))
  done > clips
  hash clips "$2 ($((n - 1)) clips)"
}
numbers() { sed 's/[0-9.e+-]* times real time//g; s/[0-9.e+-]* core-seconds//g' log | grep -oE '[0-9]+(\.[0-9]+)?' \
  > numbers; }

for gait in "biped walk" "biped run" "triped gallop" "horse walk" "horse trot" "human walk"; do
  set -- $gait
  muybridge gait "$creatures/$1.creature" "$2" -o "$1.muy"
done
muybridge transition biped.muy 1:10 2:4 --turn 45
muybridge transition horse.muy 1:0 2:10 --turn 30
for c in biped triped horse human; do clips $c.muy "$c: gaits and transitions"; done

muybridge synth "$creatures/biped.creature" "$tasks/direction.task" -o walker.muy --clips 16 -j 2
clips walker.muy "biped: synthesis, direction"
muybridge play walker.muy --random 60 -o play.csv -l play.log
hash play.csv "biped: a minute of play"
hash play.log "biped: what was asked and paid in that minute"
muybridge synth "$creatures/horse.creature" "$tasks/direction_torso.task" -o rider.muy --clips 10 -j 2
clips rider.muy "horse: synthesis, direction and torso"

muybridge track walker.muy 1
muybridge play --physics walker.muy 1 -o track.csv
hash track.csv "biped: track by sampling"
muybridge track walker.muy 3 --method lqr
muybridge play --physics walker.muy 2 -o track.csv
hash track.csv "biped: track by window feedback"
muybridge control walker.muy --push 0.26 --walk 20 --trials 4 --seed 5
numbers
hash numbers "biped: control graph, trials"
muybridge play --physics --pushes every:3:0.3 walker.muy "$tasks/turns.script" -o pushed.csv
hash pushed.csv "biped: control graph, pushed"
muybridge track human.muy 1 --method modal --push 100@1
muybridge play --modal human.muy 1 -o modal.csv
hash modal.csv "human: modal control, pushed"
muybridge export human.muy --to bvh -o walk.bvh
muybridge import walk.bvh --build actor.creature -o actor.muy
clips actor.muy "captured motion: import"
muybridge track walk.bvh -o tracked.muy --samples 40
muybridge play --physics tracked.muy 1 -o track.csv
hash track.csv "captured motion: track"
