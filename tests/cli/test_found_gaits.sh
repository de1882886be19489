#!/bin/sh
# synth with a creature that has no gait sections: it finds gaits, tells them, and the run file is like any other, that
# of a creature with such sections; gaits that a run file has already; what cannot be leaves no file.
. "${srcdir:-.}/tests/cli/expect.sh"
biped=$srcdir/creatures/biped.creature task=$srcdir/tasks/direction.task
bare=$scratch/bare.creature run=$scratch/bare.muy
grep -v '^gait' "$biped" > "$bare"
expect_absent() { # FILE
  checks=$((checks + 1))
  [ ! -e "$1" ] || fail "$1 was written"
}
expect_same() { # FILE FILE
  checks=$((checks + 1))
  cmp "$1" "$2" || fail "$1 and $2 differ"
}

# ---- one gait at one speed, for a task that asks for neither ----
expect 0 '^gait walk {' "$program" synth "$bare" "$task" --clips 3 --jobs 2 -o "$run"
cp "$scratch/out" "$scratch/printed"
expect 0 '^biped has no gait sections. Found, [0-9]* s of processor time:' cat "$scratch/printed"
expect 0 '^  contact tip { on = {0, 0\.[56][0-9]*} }' cat "$scratch/printed"
checks=$((checks + 1))
[ "$(grep -c '^gait' "$scratch/printed")" = 1 ] || fail "not one gait"
expect 0 'kept as controller 1' cat "$scratch/printed"
expect 0 '1  walk .* ok' "$program" list "$run"
expect 0 'strategy guided, seed 1' "$program" status "$run"
expect 0 ' 0 miss a bar' "$program" verify "$run"
expect 0 'deg' "$program" play "$run" --random 5
expect 0 'as many clips as were asked for' "$program" resume "$run" --clips 4
expect 0 'kept as controller' "$program" policy "$run" "$task"
expect 0 ' 0 miss a bar' "$program" verify "$run"
# the section is one for the file: with it, the same synthesis
{ cat "$bare"; grep -A3 '^gait' "$scratch/printed"; } > "$scratch/with.creature"
expect 0 '' "$program" synth "$scratch/with.creature" "$task" --clips 3 --jobs 1 -q -o "$scratch/with.muy"
expect 0 '' "$program" resume "$scratch/with.muy" --clips 4 --jobs 1 -q
"$program" list "$scratch/with.muy" | sed 1d > "$scratch/with.list"
"$program" list "$run" | sed 1d > "$scratch/run.list"
expect_same "$scratch/with.list" "$scratch/run.list"

# ---- gaits that muybridge gaits has put into the run file are used, as JSON shows by what it lacks ----
expect 0 '^gait run' "$program" gaits "$bare" -s 1.9 --rounds 0 --rough -q -o "$scratch/given.muy"
expect 0 '"now": "run at 1.9' "$program" synth "$bare" "$task" --clips 1 --json -o "$scratch/given.muy"
checks=$((checks + 1))
grep -q 'searching for gaits' "$scratch/out" && fail "it searched although there were gaits"

# ---- speeds of the task; JSON ----
printf 'name = x\nparameter speed { unit = m/s values = {1.9} }\n' > "$scratch/speed.task"
expect 0 '^{"gait": "run", "words": "run", "slowest": 1.9, .*"section": "gait run {' \
  "$program" synth "$bare" "$scratch/speed.task" --clips 1 --json -o "$scratch/speed.muy"
cp "$scratch/out" "$scratch/json"
expect 0 '"part": 4, "parts": 4, "now": "searching for gaits"' cat "$scratch/json"
checks=$((checks + 1))
grep -vq '^{.*}$' "$scratch/json" && fail "not JSON"
expect 0 '1  run  *.* 1\.9 ' "$program" list "$scratch/speed.muy"

# ---- what cannot be, and leaves nothing ----
printf 'name = x\nparameter speed { unit = m/s values = {40} }\n' > "$scratch/fast.task"
expect 1 'biped has no gait sections, and no gait was found at 40 to 40 m/s; at 40 m/s: ' \
  "$program" synth "$bare" "$scratch/fast.task" -o "$scratch/none.muy"
expect_absent "$scratch/none.muy"
sed '/^foot/d' "$bare" > "$scratch/footless.creature"
expect 2 'no foot to stand on' "$program" synth "$scratch/footless.creature" "$task" -o "$scratch/none.muy"
expect_absent "$scratch/none.muy"
expect 0 '' "$program" gait "$bare" stand -q -o "$scratch/stand.muy"
expect 2 'the run file holds 1 clip of a creature without those' \
  "$program" synth "$bare" "$task" -o "$scratch/stand.muy"
expect 0 '1  stand' "$program" list "$scratch/stand.muy"
expect 2 'has no gait to show; muybridge gaits .* finds' "$program" watch "$bare" --no-open

# ---- Ctrl-C while it searches ----
"$program" synth "$bare" "$task" -o "$scratch/none.muy" > "$scratch/said" 2>&1 &
pid=$!
for i in $(seq 600); do
  grep -q 'searching for gaits' "$scratch/said" && break
  sleep 0.05
done
kill -INT $pid
wait $pid
got=$?
checks=$((checks + 1))
[ "$got" = 1 ] || fail "exit status $got after SIGINT"
expect 0 'stopped before gaits were found' cat "$scratch/said"
expect_absent "$scratch/none.muy"
finish
