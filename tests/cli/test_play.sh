#!/bin/sh
# Controllers as a person meets them: from clips by `policy`, played by `play`; statuses, texts, files, and that nothing
# is written after an error.
. "${srcdir:-.}/tests/cli/expect.sh"
spoil=${MUYBRIDGE_SPOIL:-./tests/cli/spoil_run}
expect_line() { # PATTERN: a line of the last output
  checks=$((checks + 1))
  grep -q -- "$1" "$scratch/out" || { echo "FAIL: no line matches '$1'"; cat "$scratch/out"; fails=$((fails + 1)); }
}
expect_absent() { # FILE
  checks=$((checks + 1))
  [ ! -e "$1" ] || { echo "FAIL: $1 was written"; fails=$((fails + 1)); }
}
expect_lines() { # FILE NUMBER
  checks=$((checks + 1))
  n=$(wc -l < "$1")
  [ "$n" -eq "$2" ] || { echo "FAIL: $1 has $n lines, not $2"; fails=$((fails + 1)); }
}

run=$scratch/biped.muy
task=$srcdir/tasks/direction.task
script=$srcdir/tasks/turns.script

expect 0 "Usage: muybridge policy" $program policy --help
expect 0 "Usage: muybridge play" $program play --help
expect 2 "name a run file and a task" $program policy "$run"
expect 2 "wrong option" $program policy --frobnicate "$run" "$task"
expect 2 "name a run file and a script, or --random SECONDS" $program play "$run"
expect 2 "with --random there is no script" $program play "$run" "$script" --random 5
expect 2 "expected a number from 0.1 to 100000, found 'soon'" $program play "$run" --random soon
expect 2 "must end in .csv, .npz, .*, .glb, .usda, found 'a.mp3'" $program play "$run" "$script" -o a.mp3
expect 2 "biped.muy: error" $program policy "$run" "$task"
expect 2 "biped.muy: error" $program play "$run" "$script"
expect_absent "$run"

# a walk and two turns to the left
expect 0 "" $program gait "$srcdir/creatures/biped.creature" walk --speed 0.6 -q -o "$run"
expect 0 "" $program transition -q -t 90 -f 64 "$run" walk:23 walk:23
expect 0 "" $program transition -q -t 30 -f 64 "$run" walk:7 walk:7
expect 2 "there are no controllers" $program play "$run" "$script"

# tasks that are wrong or too large
printf 'parameter directoin { }\n' > "$scratch/bad.task"
expect 2 "bad.task:1: error: .*directoin.*did you mean 'direction'" $program policy "$run" "$scratch/bad.task"
expect 2 "needs .* MB and 0.1 MB are allowed; .* would fit" $program policy "$run" "$task" --memory 0.1 \
  -o "$scratch/none.play"
expect_absent "$scratch/none.play"
expect 2 "no-such.task" $program policy "$run" "$scratch/no-such.task"
expect 2 "there are no controllers" $program play "$run" "$script"
expect 2 "is a run file and would be lost" $program policy "$run" "$task" -o "$run"

# a controller that can only turn to the left, then one with mirror images
expect 0 "kept as controller 1 of .*biped.muy, .* for task 1" $program policy "$run" "$task"
expect_line "a controller for 'direction', of 3 clips of biped"
expect_line "2 nodes, 4 segments; grid 72"
expect_line "cost of a frame 0\.[0-9]*, for certain from 0\.[0-9]* to 0\.[0-9]*; [0-9]* sweeps"
expect 0 "2 mirror images added" $program policy "$run" "$task" --mirror -o "$scratch/biped.play"
expect_line "kept as controller 2 of .*biped.muy, .* for task 1"
expect_line "wrote .*biped.play"
expect_line "   5  walk-turn-mirror "
checks=$((checks + 1))
[ "$(head -c 7 "$scratch/biped.play")" = MUYPLAY ] || { echo "FAIL: biped.play is no controller file"; \
  fails=$((fails + 1)); }
expect 0 "" $program policy -q "$run" "$task" --mirror
expect 0 "5 clips of biped" $program list "$run"
expect 0 "5 pass, 0 miss a bar" $program verify "$run"
expect 1 "cannot write .*none/biped.play" $program policy "$run" "$task" -o "$scratch/none/biped.play"

# play
expect 0 "biped, 'direction', controller 4: 15.99 s, 1331 frames" $program play "$run" "$script" -o "$scratch/a.csv" \
  -o "$scratch/a.bvh" -o "$scratch/a.glb" -l "$scratch/log.csv"
expect_line "     2.00  direction  90 degrees  *[0-9.]* s  *[0-9.]* degrees  *[0-9.]* degrees"
expect_line "    12.00  direction  0 degrees  *[0-9.]* s"
expect_line "cost of a frame 0\.[0-9]* (0\.[0-9]* in the long run"
expect_line "root force residual at frames .*  ok$"
expect_line "wrote .*a.bvh"
expect_line "wrote .*a.glb"
expect_lines "$scratch/log.csv" 1334
checks=$((checks + 1))
[ "$(grep -vc '^#' "$scratch/a.csv")" -eq 1332 ] || { echo "FAIL: a.csv has not a line for each frame"; \
  fails=$((fails + 1)); }
expect 0 "" $program play -q "$run" "$script"
expect 0 "controller 1: .* s, .* frames" $program play "$run" "$script" -c 1
expect 0 "controller 4: 29.99 s, 2495 frames" $program play "$run" -r 30
cp "$scratch/out" "$scratch/first"
expect 0 "controller 4: 29.99 s, 2495 frames" $program play "$run" -r 30 --seed 1
checks=$((checks + 1))
cmp -s "$scratch/out" "$scratch/first" || { echo "FAIL: the same seed, not the same play"; fails=$((fails + 1)); }
expect 0 "controller 4: 29.99 s, 2495 frames" $program play "$run" -r 30 --seed 2
checks=$((checks + 1))
cmp -s "$scratch/out" "$scratch/first" && { echo "FAIL: another seed, the same play"; fails=$((fails + 1)); }
expect 0 "drew" $program play "$run" "$script" -p "$scratch/a.png" --start 1

printf 'at 2 { direction = 90 }\nat 3 { gait = trot }\n' > "$scratch/bad.script"
expect 2 "bad.script:2: error: .*the task 'direction' has no such parameter" $program play "$run" \
  "$scratch/bad.script" -o "$scratch/none.csv"
expect_absent "$scratch/none.csv"
expect 2 "there is no node 9 to begin at, nodes are 0 to 3" $program play "$run" "$script" --start 9
expect 2 "there is no controller 17" $program play "$run" "$script" --controller 17
expect 1 "cannot write .*none/a.csv" $program play "$run" "$script" -o "$scratch/none/a.csv"

# a motion that no ground could give
expect 0 "" $spoil "$run"
expect 1 "MISSED" $program play "$run" "$script"
expect 1 "misses a bar of the verification" $program play -q "$run" "$script"
expect 0 "" $program play -q "$run" "$script" --no-verify

finish
