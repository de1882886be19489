#!/bin/sh
# gait --near and transition --near: warm starts from clips of a run file, and what is said of clips that are no start.
. "${srcdir:-.}/tests/cli/expect.sh"
sed 's/-0\.259}/-0.272}/' "$srcdir/creatures/biped.creature" > "$scratch/longer.creature"
sed 's/^limb shank/limb shin/; s/limb = shank/limb = shin/' "$srcdir/creatures/biped.creature" \
  > "$scratch/shin.creature"
a=$scratch/a.muy b=$scratch/b.muy
expect 0 '' "$program" gait "$srcdir/creatures/biped.creature" walk -q -o "$a"
expect 0 '' "$program" transition "$a" 1:0 1:20 -q

expect 0 'kept as clip 1' "$program" gait "$scratch/longer.creature" walk --near "$a" -o "$b"
expect 0 'kept as clip 2' "$program" transition "$b" 1:0 1:20 --near "$a:2"
expect 0 'kept as clip 3' "$program" transition "$b" 1:0 1:20 --near "$b:2" # of the file that is written to
expect 0 'ok' "$program" verify "$b"
checks=$((checks + 1))
for run in "$a" "$b"; do
  "$program" export "$run" -t csv -o "$scratch/x.csv" > /dev/null
  wc -l < "$scratch/x.csv"
done | uniq | wc -l | grep -q '^ *1$' || fail 'the number of frames has changed'

expect 2 "a.muy: error: a clip of its 'biped' is no start for 'biped': axis 'left_shank.flexion' is not in the latter" \
  "$program" gait "$scratch/shin.creature" walk --near "$a"
expect 2 "a.muy: error: a clip of its 'biped' is no start for 'horse': axis '.*' is not in the latter" \
  "$program" gait "$srcdir/creatures/horse.creature" walk --near "$a"
expect 2 "a.muy: error: clip 1 is a 'walk': a 'run' cannot start from it" \
  "$program" gait "$srcdir/creatures/biped.creature" run --near "$a"
expect 2 "a.muy: error: clip 2, '.*', is a transition: a gait starts from a cycle" \
  "$program" gait "$srcdir/creatures/biped.creature" walk --near "$a:2"
expect 2 "a.muy: error: clip 1, 'walk', is a cycle: a transition starts from a transition" \
  "$program" transition "$b" 1 1 --near "$a"
expect 2 'a.muy: error: clip 2 has [0-9]* frames: --frames must be the same, or be left out' \
  "$program" transition "$b" 1 1 --near "$a:2" --frames 9
expect 2 'biped.creature: error: this is no run file (.muy)' \
  "$program" gait "$srcdir/creatures/biped.creature" walk --near "$srcdir/creatures/biped.creature"
expect 2 'no clip' "$program" gait "$srcdir/creatures/biped.creature" walk --near "$a:9"
expect 2 'cannot open this run file' "$program" gait "$srcdir/creatures/biped.creature" walk --near "$scratch/no.muy"
finish
