#!/bin/sh
# Styles as a person meets them: by name and by file, several at once, kept in the run file for all that follows.
. "${srcdir:-.}/tests/cli/expect.sh"
expect_line() { # PATTERN: a line of the last output
  checks=$((checks + 1))
  cat "$scratch/out" "$scratch/err" | grep -q -- "$1" ||
    { fail "no line matches '$1'"; cat "$scratch/out" "$scratch/err"; }
}
biped=$srcdir/creatures/biped.creature
task=$srcdir/tasks/direction.task
run=$scratch/biped.muy
MUYBRIDGE_PATH=$srcdir
export MUYBRIDGE_PATH

# ---- the command line ----
expect 0 "^  style: laden$" $program check "$biped" --style laden
expect_line "13.78 kg"
expect_line "^  pack  "
expect 0 "^  style: tired, laden$" $program check "$biped" --style tired --style "$srcdir/styles/laden.style"
expect 0 '"styles": \["sneaky"\]' $program check --json "$biped" --style sneaky
expect 0 "not symmetric: style of gait 'walk': the effort of 'left_thigh.flexion' is" \
  $program check "$biped" --style limping
expect 2 "^merry: error: there is no style of this name; looked for merry.style in" $program check "$biped" \
  --style merry
expect 2 "^merry: error: there is no style" $program gait "$biped" walk --style merry -o "$run"
expect 2 "^merry: error: there is no style" $program synth "$biped" "$task" --style merry -o "$run"
expect 2 "merry.style: error: cannot read this file" $program check "$biped" --style "$scratch/merry.style"
printf 'crouch = 0.1\njoints a { of = wings }\n' > "$scratch/bad.style"
expect 2 "bad.style:1: error: crouch of style 'bad': must be at least 0.7, found 0.1" \
  $program gait "$biped" walk --style "$scratch/bad.style" -o "$run"
expect_line "bad.style:2: error: joints 'a' of style 'bad': there is no limb or group 'wings'; allowed are legs"
expect 2 "style 'laden' is already described" $program check "$biped" --style laden --style laden
checks=$((checks + 1))
[ ! -e "$run" ] || fail "a wrong style made a run file"
expect 0 '<body name="pack"\|name="pack"' $program export "$biped" --style laden

# ---- a run has its style: gait, verify, transition, and no clips in another ----
printf 'clearance = 1.5 # a style of one own\nload hat { limb = head  mass = 5%% }' > "$scratch/hat.style"
expect 0 "" $program gait "$biped" walk -q --style tired --style "$scratch/hat.style" -o "$run"
expect 0 "ok" $program verify "$run"
rm "$scratch/hat.style"
expect 0 "" $program transition "$run" 1 1 --turn 15 -q
expect 0 "ok" $program verify "$run"
expect 0 "2 clips of biped (16 dofs, 11.13 kg)" $program list "$run"
expect 2 "this run file has clips of another creature" $program gait "$biped" run --style proud -o "$run"
expect 2 "this run file has clips of another creature" $program gait "$biped" run -o "$run"

# ---- a synthesis, and its resumption ----
synth=$scratch/synth.muy
expect 0 "a controller\|cost of a frame" $program synth "$biped" "$task" --style tired --clips 1 -j 1 -o "$synth"
expect 2 "this was set by muybridge synth and cannot be changed" $program resume "$synth" --style proud
expect 0 "cost of a frame" $program resume "$synth" --clips 3 -j 1
expect 0 "ok" $program verify "$synth"
finish
