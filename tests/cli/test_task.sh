#!/bin/sh
# muybridge task: a model of a user from logs, that policy and synth read; and what it says of logs that are wrong.
. "${srcdir:-.}/tests/cli/expect.sh"

log() { # NAME SECONDS: what follows "# seconds", of a walk round the block: left turns, and a little of this and that
  { printf '# muybridge log 1\n# task direction creature biped\n# seconds %s\n0,direction,0\n' "$2"
    awk -v end="$2" 'BEGIN { a = 0
      for (t = 2; t < end; t += 2) {
        a = int(t / 2) % 4 == 3 ? a + 3 : a + 90
        printf "%g,direction,%g\n", t, (a + 180) % 360 - 180 } }'; } > "$scratch/$1"
}
log monday.csv 300
log tuesday.csv 200
expect 2 "say what to do: --learn LOG" $program task
expect 2 "name a log, as the page of muybridge view saves it" $program task --learn
expect 2 "expected a number from 0 to 60, found 'long'" $program task --learn --settle long "$scratch/monday.csv"
expect 0 "Usage: muybridge task --learn" $program task --help
expect 2 "nothing.csv: error: cannot read this file: No such file" $program task --learn "$scratch/nothing.csv"
: > "$scratch/empty.csv"
printf '# muybridge log 1\n# task mambo creature biped\n# seconds 5\n0,mambo,1\n' > "$scratch/mambo.csv"
printf '# muybridge log 1\n# task direction creature unicorn\n# seconds 5\n0,direction,1\n' > "$scratch/unicorn.csv"
printf '# muybridge log 1\n# task direction and gait creature horse\n# seconds 5\n0,direction,1\n0,gait,trot\n' \
  > "$scratch/horse.csv"
expect 2 "empty.csv: error: the log is empty; a log begins with '# muybridge log 1'" \
  $program task --learn "$scratch/monday.csv" "$scratch/empty.csv"
expect 2 "mambo.csv: error: there is no file of the task 'mambo' that it is of; name it: --task FILE" \
  $program task --learn "$scratch/mambo.csv"
expect 2 "unicorn.csv: error: there is no file of the creature 'unicorn' that it is of; name it: --creature FILE" \
  $program task --learn "$scratch/unicorn.csv"
expect 2 "mambo.csv: error: it is a log of task 'mambo', not of 'direction'" \
  $program task --learn --task "$srcdir/tasks/direction.task" "$scratch/mambo.csv"
expect 2 "horse.csv: error: it is a log of creature 'horse', not of 'biped'" \
  $program task --learn "$scratch/monday.csv" "$scratch/horse.csv"
expect 0 'name    = "direction and gait"' $program task --learn "$scratch/horse.csv"

# a file with comments, the same bytes each time; --quiet says nothing
expect 0 "direction' of biped, learned from 2 logs, 500 s" \
  $program task --learn "$scratch/monday.csv" "$scratch/tuesday.csv" -o "$scratch/block.task"
expect 0 "most to a turn of 90 degrees (9[0-9] %)" \
  $program task --learn "$scratch/monday.csv" "$scratch/tuesday.csv" -o "$scratch/block.task"
expect 0 "" $program task -lq "$scratch/monday.csv" "$scratch/tuesday.csv" -o "$scratch/again.task"
expect 0 "" cmp "$scratch/block.task" "$scratch/again.task"
expect 0 "^#   300 s, 150 lines: .*monday.csv" cat "$scratch/block.task"
expect 0 "^  jump_weights = {" cat "$scratch/block.task"
expect 1 "cannot write" $program task -l "$scratch/monday.csv" -o "$scratch/nowhere/x.task"

# a controller for that user, another than that for the task's own
run=$scratch/biped.muy
expect 0 "" $program gait "$srcdir/creatures/biped.creature" walk --speed 0.6 -q -o "$run"
expect 0 "" $program transition -q -t 90 -f 64 "$run" walk:23 walk:23
expect 0 "kept as controller 1" $program policy "$run" "$srcdir/tasks/direction.task"
expect 0 "kept as controller 2" $program policy "$run" "$scratch/block.task"
expect 0 "cost of a frame" $program play "$run" --random 20
expect 2 "is a run file and would be lost" $program task -l "$scratch/monday.csv" -o "$run"

# learned again from more: the learned task is of the same name
log friday.csv 100
expect 0 "learned from 1 log, 100 s" \
  $program task -l --task "$scratch/block.task" "$scratch/friday.csv" -o "$scratch/more.task"
finish
