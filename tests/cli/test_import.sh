#!/bin/sh
# Captured motion as a person meets it: our own clips out and in again, creatures that are built, and what is said of
# files that are wrong.
. "${srcdir:-.}/tests/cli/expect.sh"
expect_absent() { # FILE
  checks=$((checks + 1))
  [ ! -e "$1" ] || { echo "FAIL: $1 was written"; fails=$((fails + 1)); }
}

expect 0 "Usage: muybridge import" $program import --help
expect 2 "name a motion file" $program import
expect 2 "wrong option" $program import --frobnicate
expect 2 "expected a number from 1 to 10000, found 'often'" $program import --rate often a.bvh
expect 2 "none.bvh: error: cannot be read" $program import "$scratch/none.bvh"

# what is wrong is told with its line, several faults a run, and nothing is written
printf 'HIERARCHY\nROOT a\n{\nOFFSET 0 0\nCHANNELS 2 Xrotation Yrotatoin\n}\nMOTION\nFrames: 0\n' > "$scratch/bad.bvh"
expect 2 "bad.bvh:4: error: OFFSET of joint 'a' needs 3 numbers, found 2" $program import "$scratch/bad.bvh" \
  -o "$scratch/bad.muy"
expect 2 "bad.bvh:5: error: there is no channel 'Yrotatoin'; did you mean 'Yrotation'?" $program import \
  "$scratch/bad.bvh" -o "$scratch/bad.muy"
expect 2 "bad.bvh:8: error: Frames:" $program import "$scratch/bad.bvh" -o "$scratch/bad.muy"
expect_absent "$scratch/bad.muy"

# a walk of our own, out and in and out again: the same numbers
human=$srcdir/creatures/human.creature
expect 0 "kept as clip 1" $program gait "$human" sprint --frames 50 -o "$scratch/human.muy"
expect 0 "" $program export "$scratch/human.muy" --to bvh -o "$scratch/sprint.bvh"
expect 0 "poses as they are" $program import "$scratch/sprint.bvh" -C "$human" -o "$scratch/back.muy"
expect 0 "" $program export "$scratch/back.muy" --to bvh -o "$scratch/again.bvh"
checks=$((checks + 1))
paste -d ' ' "$scratch/sprint.bvh" "$scratch/again.bvh" | awk '
  { half = NF / 2
    for (i = 1; i <= half; i++) { d = $i - $(i + half); if (d < 0) d = -d; if (d > worst) worst = d; n++ } }
  END { if (!(n > 1000 && worst < 1e-5)) { print "FAIL: numbers differ by " worst " of " n; exit \
    1 } }' || fails=$((fails + 1))
expect 0 "sprint  *50 " $program list "$scratch/back.muy"
expect 0 "drew" $program plot zmp "$scratch/back.muy" -o "$scratch/zmp.png"
expect 2 "no joint looks like\|has no limb" $program import "$scratch/sprint.bvh" \
  -C "$srcdir/creatures/horse.creature" -o "$scratch/horse.muy"

# the same file as somebody else's motion: a creature of that size is built, is a good one, and moves
expect 0 "kept as clip 1" $program import "$scratch/sprint.bvh" --build "$scratch/actor.creature" --mass 70 \
  -o "$scratch/actor.muy" -p "$scratch/actor.png"
expect 0 "70 kg" $program check "$scratch/actor.creature"
expect 0 "" $program check --quiet "$scratch/actor.creature"
expect 2 "no end of this skeleton can be a foot" sh -c "
  printf 'HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 3\nFrame Time: 1\n1\n2\n3\n' \
    > '$scratch/rod.bvh'
  $program import '$scratch/rod.bvh' --build '$scratch/rod.creature'"
expect_absent "$scratch/rod.creature"

# a walk of the biped as an unknown skeleton: limbs from its bones
expect 0 "kept as clip 1" $program gait "$srcdir/creatures/biped.creature" walk --frames 32 -o "$scratch/biped.muy"
expect 0 "" $program export "$scratch/biped.muy" --to bvh -o "$scratch/walk.bvh"
expect 0 "poses as they are" $program import "$scratch/walk.bvh" --build "$scratch/bones.creature" \
  -o "$scratch/bones.muy"
expect 0 "contact points" $program check "$scratch/bones.creature"

finish
