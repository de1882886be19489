#!/bin/sh
# A synthesis as a person meets it: synth, resume and status; statuses, texts, JSON, signals, and that a wrong command
# writes nothing and loses nothing.
. "${srcdir:-.}/tests/cli/expect.sh"
trap 'chattr -i "$scratch/locked.muy" 2> /dev/null; rm -rf "$scratch"' EXIT
expect_line() { # PATTERN: a line of the last output
  checks=$((checks + 1))
  cat "$scratch/out" "$scratch/err" | grep -q -- "$1" ||
    { fail "no line matches '$1'"; cat "$scratch/out" "$scratch/err"; }
}
expect_absent() { # FILE
  checks=$((checks + 1))
  [ ! -e "$1" ] || fail "$1 was written"
}
expect_same() { # FILE FILE
  checks=$((checks + 1))
  cmp "$1" "$2" || fail "$1 and $2 differ"
}

biped=$srcdir/creatures/biped.creature
task=$srcdir/tasks/direction.task
run=$scratch/biped.muy

# ---- the command line ----
for command in synth resume status; do
  expect 0 "Usage: muybridge $command" $program $command --help
  expect_line "Exit status: 0"
  expect 0 "Usage: muybridge $command" $program $command -h
done
expect 0 "  synth " $program --help
expect 2 "a creature and a task are needed" $program synth
expect 2 "a creature and a task are needed" $program synth "$biped" -o "$run"
expect 2 "a creature and a task are needed" $program synth "$biped" "$task" "$task" -o "$run"
expect 2 "--output is needed" $program synth "$biped" "$task"
expect 2 "wrong option" $program synth "$biped" "$task" -o "$run" --frobnicate
expect 2 "--clips: expected a number from 1 to 10000, found '0'" $program synth "$biped" "$task" -o "$run" --clips 0
expect 2 "--clips: expected a number from 1 to 10000, found 'many'" \
  $program synth "$biped" "$task" -o "$run" --clips many
expect 2 "--jobs: expected a number from 1 to 1024, found '-1'" $program synth "$biped" "$task" -o "$run" --jobs -1
expect 2 "--branches: expected a number from 2 to 64, found '1'" $program synth "$biped" "$task" -o "$run" --branches 1
expect 2 "--seed: expected a number from 0 to .*, found 'x'" $program synth "$biped" "$task" -o "$run" --seed x
expect 2 "--target: expected a number" $program synth "$biped" "$task" -o "$run" --target low
for time in soon 0 -3 5x 3hours nan inf; do
  expect 2 "a time such as 90s, 30m or 8h, not '$time'" $program synth "$biped" "$task" -o "$run" --budget "$time"
done
expect 2 "there is no strategy 'best': guided, paper, uniform" $program synth "$biped" "$task" -o "$run" --strategy best
expect 2 "nobody: error: there is no creature of this name" $program synth nobody "$task" -o "$run"
expect 2 "nothing.task: error: cannot read" $program synth "$biped" "$scratch/nothing.task" -o "$run"
expect 2 "a run file is needed" $program resume
expect 2 "a run file is needed" $program resume "$run" "$run"
expect 2 "there is no such file" $program resume "$run"
expect 2 "a run file is needed" $program status
expect 2 "cannot open this run file" $program status "$run"
expect 2 "this is not a run file" $program resume "$biped"
expect 2 "this is not a run file" $program status "$biped"
expect_absent "$run"

# ---- files that are wrong ----
printf 'name = x\nparameter directoin { }\n' > "$scratch/bad.task"
expect 2 "bad.task:2: error: .*directoin.*did you mean 'direction'" \
  $program synth "$biped" "$scratch/bad.task" -o "$run"
printf 'name = x\nlimb body { }\n' > "$scratch/bad.creature"
expect 2 "bad.creature:2: error" $program synth "$scratch/bad.creature" "$task" -o "$run"
expect_absent "$run"
expect 2 "nowhere/biped.muy: error: cannot make this run file" \
  $program synth "$biped" "$task" -o "$scratch/nowhere/biped.muy"

# ---- a small run; every line of JSON is an object of the same names ----
expect 0 "the graph has as many clips as were asked for" $program synth "$biped" "$task" -o "$run" --clips 3 --jobs 1
expect_line "step 0: walk at 0.6 m/s"
expect_line "step 1: 1 clip, cost [0-9.]* (first [0-9.]*), 1 solved, 0 failed; looking for candidates"
expect_line "cost of a frame [0-9.]*, from [0-9.]* of the first graph, in [0-9]* steps; [3-9] clips"
expect_line "kept as controller 1; try: muybridge play"
$program status "$run" > "$scratch/before"
expect 0 "strategy guided, seed 1" $program status "$run"
expect_line "steps, [0-9]* attempts: [0-9]* solved, [0-9]* failed"
expect_line "^     0      1  *[0-9.]*  *0.0000$"
expect_line "last heard of at 20..-..-..T..:..:..Z: step"
expect 0 "pass, 0 miss a bar" $program verify "$run"
expect 0 "clips of biped" $program list "$run"
expect 0 "" sh -c "$program list '$run' | grep 'not verified'; test \$? = 1"
expect 0 "deg" $program play "$run" --random 5

cp "$run" "$scratch/kept.muy"
expect 2 "there is a synthesis in this run file already; muybridge resume goes on with it" \
  $program synth "$biped" "$task" -o "$run"
for option in "--seed 2" "--strategy uniform" "--branches 4" "-o $scratch/other.muy"; do # it is told already
  expect 2 "wrong option\|cannot be" $program resume "$run" $option
done
expect_absent "$scratch/other.muy"
expect_same "$run" "$scratch/kept.muy"

# resume knows what synth was told; more can be asked for
expect 0 "the graph has as many clips as were asked for" $program resume "$run" --jobs 1
$program status "$run" > "$scratch/after"
checks=$((checks + 1))
[ "$(sed -n 2p "$scratch/after")" = "$(sed -n 2p "$scratch/before")" ] ||
  fail "resume went beyond the clips that synth was told"
expect 0 "" $program resume "$run" --quiet --clips 1
expect 0 "{" $program resume "$run" --clips 4 --json
checks=$((checks + 1))
awk -v pair='"[a-z_]+": ("[^"\\\\]*"|-?[0-9.e+-]+)' '
  $0 !~ "^[{]" pair "(, " pair ")*[}]$" { print; bad = 1 }
  END { exit bad || NR < 2 }' "$scratch/out" || fail "not JSON"
expect_line '"step": [1-9].*"clips": [3-9].*"cost": [01]\.[0-9]*.*"first_cost": 1\..*"solved": [1-9].*"failed": [0-9]'
checks=$((checks + 1))
awk -F '[:,]' '
  { for (i = 1; i < NF; i++) if ($i ~ /^ *"cost"$/) cost = $(i + 1); else if ($i ~ /"first_cost"/) first = $(i + 1) }
  END { exit !(cost > 0 && cost < 0.9 * first) }' "$scratch/out" || fail "four clips are hardly better than one"
expect_line '"seconds": [0-9.]*, "now": "'
expect_line '"end": "the graph has as many clips as were asked for"'
expect 0 "the cost that was asked for is reached" $program resume "$run" --clips 40 --target 2

# ---- a run file of other things ----
gaits=$scratch/gaits.muy
expect 0 "" $program gait "$biped" walk -q -o "$gaits"
expect 2 "there is no synthesis in this run file; muybridge synth begins one" $program resume "$gaits"
expect 2 "there is no synthesis in this run file" $program status "$gaits"
expect 2 "clips of another creature, 'biped'" $program synth "$srcdir/creatures/strider.creature" "$task" -o "$gaits"
expect 0 "1 clips\? of biped" $program list "$gaits"

# ---- time that is used up before there is anything ----
early=$scratch/early.muy
expect 1 "the time is used up" $program synth "$biped" "$task" -o "$early" --budget 0.0001
expect_line "muybridge resume .*early.muy"
expect 0 "0 steps, 0 attempts" $program status "$early"

# ---- a file that nobody may write to ----
cp "$run" "$scratch/locked.muy"
chmod 444 "$scratch/locked.muy"
chmod 755 "$scratch"
if [ "$(id -u)" != 0 ]; then
  expect 2 "locked.muy: error: " $program resume "$scratch/locked.muy"
elif chattr +i "$scratch/locked.muy" 2> /dev/null; then
  expect 2 "locked.muy: error: " $program resume "$scratch/locked.muy"
  expect 0 "steps" $program status "$scratch/locked.muy"
  chattr -i "$scratch/locked.muy"
elif command -v setpriv > /dev/null && setpriv --reuid 65534 --clear-groups test -x "$program" 2> /dev/null; then
  expect 2 "locked.muy: error: " setpriv --reuid 65534 --clear-groups "$program" resume "$scratch/locked.muy"
fi
expect_same "$run" "$scratch/locked.muy"

# ---- Ctrl-C, once early and once in the middle; then to the same end as a run that nobody stopped ----
stopped=$scratch/stopped.muy
interrupt() { # WORDS COMMAND...: sends SIGINT when the log has these words; its status in $got
  words=$1; shift
  "$@" > "$scratch/out" 2> "$scratch/err" &
  pid=$!
  for i in $(seq 600); do
    grep -q -- "$words" "$scratch/err" && break
    kill -0 $pid 2> /dev/null || break
    sleep 0.05
  done
  kill -INT $pid 2> /dev/null
  wait $pid
  got=$?
  checks=$((checks + 1))
  [ "$got" = 0 ] || { fail "exit status $got after SIGINT"; cat "$scratch/out" "$scratch/err"; }
}
interrupt "step 0" $program synth "$biped" "$task" -o "$stopped" --clips 3 --jobs 2
expect_line "it was stopped"
expect_line "it can go on: muybridge resume .*stopped.muy"
interrupt "step 1" $program resume "$stopped" --clips 3
expect_line "it was stopped"
expect_line "it can go on: muybridge resume .*stopped.muy"
expect 0 "was stopped" $program status "$stopped"
expect 0 "as many clips as were asked for" $program resume "$stopped" --clips 3
$program status "$stopped" | sed '1d;/last heard/d' > "$scratch/after"
sed '1d;/last heard/d' "$scratch/before" > "$scratch/undisturbed"
expect_same "$scratch/after" "$scratch/undisturbed"

# ---- a body that is not its own mirror image: no mirror images, valid all the same ----
uneven=$scratch/uneven.muy
sed 's/mass = 11.17%/mass = 11.17%  com = {0, 0.002, 0.01}/' "$biped" > "$scratch/uneven.creature"
expect 0 "as many clips as were asked for" $program synth "$scratch/uneven.creature" "$task" -o "$uneven" --clips 4
expect 0 " 0 miss a bar" $program verify "$uneven"
expect 0 "kept as controller 2" $program policy "$uneven" "$task" --mirror
expect_line "warning: no mirror images are added, .* the creature is not symmetric; limb 'pelvis': y of its centre"
expect 0 "verified from positions" $program play "$uneven" --random 10
checks=$((checks + 1))
$program list "$uneven" | grep -q mirror && fail "mirror images of an uneven body"

echo "$checks checks, $fails failed"
[ "$fails" = 0 ]
