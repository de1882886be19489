#!/bin/sh
# Control graphs as a person meets them: statuses, texts, what is kept and goes on, pushes, pictures.
. "${srcdir:-.}/tests/cli/expect.sh"

run=$scratch/biped.muy
expect 0 "Usage: muybridge control" $program control --help
expect 0 "Usage: muybridge play --physics --pushes" $program play --pushes 1:1 --help
expect 2 "name a run file" $program control
expect 2 "lqr, guided or ahead, found 'magic'" $program control --teacher magic "$run"
expect 2 "full or compact, found 'round'" $program control --policy round "$run"
expect 2 "biped.muy: error" $program control "$run"
expect 0 "" $program gait "$srcdir/creatures/biped.creature" walk --speed 0.6 -q -o "$run"
expect 2 "no control graph" $program plot control "$run" -o "$scratch/none.svg"
expect 2 "it has no control graph; muybridge control .* learns one" $program export --to policy "$run"
expect 0 "learned by lqr" $program control "$run"
expect 0 "" $program export --to policy "$run" -o "$scratch/policy.npz"
expect 2 "a policy is of one run file (.muy), found several" $program export --to policy "$run" "$run"
expect 2 "have no place in a policy" $program export --to policy "$run" --fps 30
if python3 -c "import numpy, mujoco" 2> /dev/null; then
  expect 0 "stood 5.00 s" python3 "$srcdir/doc/examples/run_policy.py" "$scratch/policy.npz" --seconds 5 --look 0
else
  echo "no python3 with numpy and mujoco here: run_policy.py was not tried"
fi
expect 0 "4 of 4 did not fall" $program control "$run" -w 5 -n 4
expect 0 "4 of 4 did not fall" $program control "$run" -w 5 -n 4 --engine tree
expect 0 "4 of 4 did not fall" $program control "$run" -w 5 -n 4 --engine tree --no-limb-contact
if $program control --engine mujoco --help > /dev/null 2>&1; then
  expect 0 "4 of 4 did not fall" $program control "$run" -w 5 -n 4 --engine mujoco
  expect 0 "it did not fall" $program play --physics --pushes 1:0.15:90 --seconds 3 --engine mujoco "$run"
else
  expect 2 "this build has no mujoco" $program control "$run" --engine mujoco
fi
grep -q "learned by" "$scratch/out" && { echo "FAIL: learned again what was kept"; fails=$((fails + 1)); }
expect 1 "0 of 2 did not fall" $program control "$run" -u 6 -n 2 --seconds 1
expect 2 "is no cycle\|no clip" $program control "$run" --skill swim
expect 1 "needs guided learning: muybridge control --teacher guided" $program plot iterations "$run" \
  -o "$scratch/none.svg"
expect 0 "iteration 1 of 1" $program track "$run" --method guided --iterations 1 --visits 12 --samples 16 --first 16 \
  --measure 1
expect 0 "iteration 2 of 2" $program control "$run" -m guided --iterations 2 --visits 12 --samples 16 --first 16 \
  --measure 1
grep -q "iteration 1 of" "$scratch/out" && { echo "FAIL: the first iteration was done again"; fails=$((fails + 1)); }
expect 0 "guided  iteration 2 of 2" $program control "$run" --list
expect 2 "its newest policies (teacher guided) are compact ones" $program export --to policy "$run"
expect 0 "iteration 1 of 1" $program control "$run" -m ahead --iterations 1 --visits 20 --measure 1
expect 0 "iteration 2 of 2" $program control "$run" -m ahead --iterations 2 --visits 20 --measure 1
grep -q "iteration 1 of" "$scratch/out" && { echo "FAIL: the first iteration was done again"; fails=$((fails + 1)); }
expect 0 "by ahead, 1 pushes" $program play --physics --pushes 1:0.05:90 --seconds 2 --teacher ahead "$run"
expect 2 "found '3'" $program play --physics --pushes 3 "$run"
expect 2 "found '1:0.1:0:tail'" $program play --physics --pushes 1:0.1:0:tail "$run"
expect 0 "it did not fall" $program play --physics --pushes 1:0.15:90 --balls 1.5:3:90:0.01 --seconds 3 "$run" \
  -p "$scratch/push.svg" -o "$scratch/push.csv"
expect 2 "films: muybridge film" $program play --physics --pushes 1:0.1 "$run" -o "$scratch/push.gif"
expect 2 "found 'soon'" $program film --pushes soon "$run" -o "$scratch/push.gif"
expect 0 "1 push, 1 ball: it did not fall" $program film --pushes 0.5:0.15:90 --balls 0.7:3:90:0.01 --seconds 1.2 \
  "$run" --size 90 \
  --fps 10 --forces -o "$scratch/push.gif"
expect 0 "" $program film --pushes 0.5:0.15:90 --seconds 0.8 "$run" --size 90 --fps 10 -q -o "$scratch/push-film.svg"
[ -s "$scratch/push.gif" ] && [ -s "$scratch/push-film.svg" ] || { echo "FAIL: a film is missing"; \
  fails=$((fails + 1)); }
expect 1 "then lay limp" $program play --physics --pushes 1:4:90 --seconds 3 "$run"
[ -s "$scratch/push.svg" ] && [ -s "$scratch/push.csv" ] || { echo "FAIL: a file is missing"; fails=$((fails + 1)); }
expect 0 "drew" $program plot portrait "$run" -o "$scratch/portrait.svg"
expect 0 "drew" $program plot iterations "$run" -o "$scratch/iterations.svg"
finish
