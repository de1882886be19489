#!/bin/sh
# The program as a person meets it: exit statuses, where output goes, and that nothing is written after an error.
. "${srcdir:-.}/tests/cli/expect.sh"
expect_empty() { # FILE DESCRIPTION
  checks=$((checks + 1))
  [ ! -s "$1" ] || { echo "FAIL: $2"; cat "$1"; fails=$((fails + 1)); }
}
expect_absent() { # FILE
  checks=$((checks + 1))
  [ ! -e "$1" ] || { echo "FAIL: $1 was written"; fails=$((fails + 1)); }
}

zoo=$srcdir/creatures
horse=$zoo/horse.creature
expect 2 "Usage: muybridge COMMAND" $program
expect 0 "Usage: muybridge COMMAND" $program --help
expect 0 "^muybridge [0-9]" $program --version
expect 2 "there is no command 'chekc'" $program chekc
expect 0 "Usage: muybridge check" $program check --help
expect 2 "name at least one creature file" $program check
expect 2 "wrong option" $program check --frobnicate

expect 0 "33 degrees of freedom" $program check "$horse"
expect_empty "$scratch/err" "check of a good file wrote to standard error"
expect 0 "" $program check --quiet "$zoo"/*.creature
expect 0 '"dofs": 33' $program check --json "$horse"
# symmetric, or what makes it not so
expect 0 "  symmetric: left and right are mirror images" $program check "$horse"
expect 0 '"symmetric": true, *$' $program check --json "$horse"
sed 's/com = {0, 0, 0}/com = {0, 0.002, 0}/' "$zoo/hyq.creature" > "$scratch/uneven.creature"
expect 0 "  not symmetric: limb 'trunk': y of its centre of mass is 0.002 m, but -0.002 m in the mirror" \
  $program check "$scratch/uneven.creature"
expect 0 '"symmetric": false, "asymmetry": {"kind": "limb", "part": "trunk", "what": "y of its centre of mass is ' \
  $program check --json "$scratch/uneven.creature"
# names that would end a string or open a tag: JSON and XML stay valid
sed 's/^name *=.*/name = "bi\\"ped <\&"/' "$zoo/biped.creature" > "$scratch/odd.creature"
expect 0 'bi\\"ped <&' $program check --json "$scratch/odd.creature"
cp "$scratch/out" "$scratch/odd.json"
expect 0 "" tests/base/test_json "$scratch/odd.json"
expect 0 'model="bi&quot;ped &lt;&amp;"' $program export "$scratch/odd.creature" --to mjcf
(cd "$srcdir" && pwd) > "$scratch/where"
expect 0 "33 degrees of freedom" sh -c "cd '$(cat "$scratch/where")' && '$(pwd)/muybridge' check horse"

printf 'limb body { mass = 10kg }\nlimb leg { parent = bdy }\n' > "$scratch/bad.creature"
expect 2 "bad.creature:1: error: .*'10kg'" $program check "$scratch/bad.creature" -o "$scratch/bad.png"
expect_absent "$scratch/bad.png"
expect_empty "$scratch/out" "errors went to standard output"
expect 2 "bad.creature:2: error: .*'bdy'" $program check "$scratch/bad.creature"
expect 2 "33 degrees of freedom" $program check "$scratch/bad.creature" "$horse"
expect 2 "none.creature" $program check "$scratch/none.creature"
expect 2 "error" $program check "$scratch"

for format in png svg pdf; do
  expect 0 "drew" $program check "$horse" -o "$scratch/horse.$format"
  expect 0 "drew" $program check "$zoo"/*.creature -o "$scratch/zoo.$format"
  checks=$((checks + 1))
  [ -s "$scratch/horse.$format" ] && [ -s "$scratch/zoo.$format" ] || { echo "FAIL: no $format"; fails=$((fails + 1)); }
done
expect 1 "jpg" $program check "$horse" -o "$scratch/horse.jpg"
expect_absent "$scratch/horse.jpg"
expect 1 "nowhere" $program check "$horse" -o "$scratch/nowhere/horse.png"

expect 0 "<mujoco" $program export "$horse"
expect 0 "" $program export "$horse" -o "$scratch/horse.xml"
expect 2 "unknown format 'obj'" $program export --to obj "$horse"
expect 2 "name one creature" $program export
expect 1 "cannot write" $program export "$horse" -o "$scratch/nowhere/horse.xml"
expect 2 "bad.creature:1" $program export "$scratch/bad.creature" -o "$scratch/bad.xml"
expect_absent "$scratch/bad.xml"
if [ -e /dev/full ]; then
  expect 1 "cannot write" sh -c "$program check '$horse' > /dev/full"
  expect 1 "cannot write" sh -c "$program export '$horse' > /dev/full"
fi

# ---- solving: a walk, a way back into it, what is in the file, figures, exports ----
run=$scratch/biped.muy
biped=$zoo/biped.creature
expect 2 "name a creature and one of its gaits" $program gait "$biped"
expect 2 "did you mean 'walk'" $program gait "$biped" wakl
expect 2 "expected a number from 0 to" $program gait "$biped" walk --speed fast
expect 1 "spans" $program gait "$biped" walk --speed 9 -o "$run"
expect 1 "too many iterations" $program gait "$biped" walk --iterations 2 -o "$run"
expect 0 "kept as clip 1" $program gait "$biped" walk --speed 0.6 -o "$run" -p "$scratch/walk.png"
expect 0 "kept as clip 2" $program gait "$biped" run -o "$run"
expect 0 "" $program gait "$biped" walk --quiet --frames 24
expect 2 "biped.muy" $program gait "$horse" walk -o "$run"
expect 1 "nowhere" sh -c "$program gait '$biped' walk -o '$scratch/nowhere/x.muy'; test \$? = 2 && exit 1"
expect 0 "kept as clip 3" $program transition "$run" walk:3 walk:10 --turn 30
expect 0 "kept as clip 4" $program transition "$run" 1:0 "$run" run --frames 60
mkdir "$scratch/away"; cp "$biped" "$scratch/away/lost.creature"
expect 0 "kept as clip 1" sh \
  -c "p=\$(realpath $program) && cd '$scratch/away' && \$p gait lost.creature walk -o lost.muy && rm lost.creature"
expect 0 "kept as clip 1" $program transition "$scratch/away/lost.muy" walk:0 walk:5 --turn 20 -o "$scratch/other.muy"
expect 2 "has frames 0 to" $program transition "$run" walk:999 walk
expect 2 "after the colon" $program transition "$run" walk:x walk
expect 2 "jump" $program transition "$run" jump walk
# a length that no animal would choose is made longer by a cycle, unless it was asked for: then it is said
hasty=$scratch/triped.muy
expect 0 "kept as clip 1" $program gait "$zoo/triped.creature" walk -o "$hasty"
cycle=$(sed -n 's/^  period .* in \([0-9]*\) frames.*/\1/p' "$scratch/out")
expect 0 " in $((2 * cycle + 2)) frames," $program transition "$hasty" walk:0 walk:0 --turn 53
checks=$((checks + 1))
grep -q "no animal" "$scratch/out" && fail "a transition that took its time is called haste"
expect 0 " in $((cycle + 2)) frames," $program transition "$hasty" walk:0 walk:0 --turn 53 --frames $((cycle + 2))
checks=$((checks + 1))
grep -q "^  no animal would choose it: trunk, neck or head lean .* is 0\.[0-9]*, controllers allow 0\.349; give it more\
 --frames or turn less$" "$scratch/out" || fail "haste is not said"
expect 0 "" $program transition "$hasty" walk:0 walk:0 --turn 53 --frames $((cycle + 2)) --quiet
expect 0 "4 clips of" $program list "$run"
expect 0 "4 clips of .*: 4 pass, 0 miss a bar" $program verify "$run"
expect 0 "junction with the clip it leaves" $program verify "$run" --clip 3
expect 2 "nothing.muy" $program verify "$scratch/nothing.muy"
expect 2 "muybridge policy makes one" $program plot graph "$run"
expect 0 "kept as controller 1" $program policy "$run" "${srcdir:-.}/tasks/direction.task"
expect 2 "no tracks" $program plot tracked "$run"
expect 2 "no tracks" $program plot torque-squares "$run"
expect 0 "tracked by samcon" $program track "$run" walk -c 1
expect 0 "filmstrip" $program plot --list
# all other kinds have something to show, but those of test_control.sh and test_modal.sh
expect 2 "no steps of a synthesis" $program plot cost "$run" -o "$scratch/cost.svg"
for kind in \
  $($program plot --list | awk '$1 != "cost" && $1 !~ /^(push|iterations|control|portrait|modal-run)$/ {print $1}'); do
  expect 0 "drew" $program plot "$kind" "$run" -o "$scratch/$kind.svg"
done
expect 2 "no figure 'flimstrip'" $program plot flimstrip "$run"
expect 2 "needs" $program plot filmstrip "$biped"
expect 0 "torque" $program export "$run" --to csv --clip walk
expect 0 "HIERARCHY" $program export "$run" --to bvh
expect 0 "NUMPY" $program export "$run" --to npz --fps 60
expect 0 "endheader" $program export "$run" --to mot
expect 0 "_moment" $program export "$run" --to sto --clip run
expect 0 "timeSamples" $program export "$run" --to usda
expect 0 "<robot" $program export "$horse" --to urdf
expect 0 "<freejoint" $program export "$horse" --to mjcf-free
expect 0 "<mujoco" $program export "$run" --to mjcf
expect 2 "99" $program export "$run" --to csv --clip 99
expect 0 '"name": "run"' $program export "$run" --to gltf
expect 0 "" $program export "$run" "$run" --to gltf --in-place --fps 30 -o "$scratch/two.glb"
checks=$((checks + 1))
[ "$(head -c 4 "$scratch/two.glb")" = glTF ] || fail "the ending .glb does not make bytes of gltf"
checks=$((checks + 1))
grep -aq '"name": "walk 5"' "$scratch/two.glb" || fail "two run files are not in one glTF file"
expect 0 "Frame Time: 0.033333333" $program export "$run" --to bvh --fps 30
expect 2 "it is of another creature ('triped') than .*biped.muy ('biped'); a file has one" \
  $program export "$run" "$hasty" --to gltf
expect 2 "a file of bvh is of one run file or creature, found 2" $program export "$run" "$run" --to bvh
expect 2 "mjcf has no frames; --fps is for csv, npz, mot, sto, bvh, gltf, glb, usda" $program export "$run" --fps 30
expect 2 "\-\-in-place is for gltf and glb, not for bvh" $program export "$run" --to bvh --in-place
expect 2 "expected a number from 1 to 1000" $program export "$run" --to bvh --fps 0
expect 2 "glb is of a clip: name a run file" $program export "$biped" --to glb
expect 2 "run file" $program export "$biped" --to csv

echo "$checks checks, $fails failed"
[ "$fails" = 0 ]
