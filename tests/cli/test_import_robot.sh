#!/bin/sh
# Robots as a person meets them: to a creature file, or printed; what is said; what is refused.
. "${srcdir:-.}/tests/cli/expect.sh"
robots=$srcdir/tests/robots/good

expect 0 "ROBOT.urdf" $program import --help
expect 0 "13 limbs (6 pairs), 12 joints, 4 feet, 12.25 kg" $program import "$robots/dog.xml" -o "$scratch/dog.creature"
expect 0 "not symmetric: limb 'trunk': y of its centre of mass is 0.001 m" $program import "$robots/dog.xml" \
  -o "$scratch/dog.creature"
expect 0 "trot" $program check "$scratch/dog.creature"
expect 0 "" $program import "$robots/dog.xml" -q --symmetric -o "$scratch/dog.creature"
expect 0 "wrote" $program import "$robots/walker.urdf" -o "$scratch/walker.creature"
expect 0 "^limb thigh" $program import "$robots/walker.urdf"
sed 's/"revolute"/"prismatic"/' "$robots/walker.urdf" > "$scratch/slide.urdf"
expect 2 "slide.urdf:[0-9]*: error: joint 'left_hip_roll' is prismatic" $program import "$scratch/slide.urdf"
expect 2 "one robot at a time" $program import "$robots/walker.urdf" "$robots/dog.xml"
expect 2 "none.xml: error: cannot be read" $program import "$scratch/none.xml" -o "$scratch/none.creature"
expect 1 "cannot be written" $program import "$robots/dog.xml" -o "$scratch/no/dog.creature"
finish
