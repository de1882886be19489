#!/bin/sh
# glTF files of the program before Khronos' validator: no error, no warning, nothing to say at all; and a file that it
# must complain of. Needs node and, where node finds it (NODE_PATH), npm's gltf-validator; skipped without.
. "${srcdir:-.}/tests/cli/expect.sh"
check=$srcdir/tests/exchange/validate_gltf.cjs
if ! node -e 'require("gltf-validator")' > /dev/null 2>&1; then
  echo "skipped: no node with gltf-validator (npm install gltf-validator; NODE_PATH=.../node_modules)"
  exit 77
fi
run=$scratch/biped.muy
expect 0 "kept as clip 1" $program gait "$srcdir/creatures/biped.creature" walk -o "$run"
expect 0 "kept as clip 2" $program transition "$run" walk:3 walk:10 --turn 30
expect 0 "" $program export "$run" --to gltf -o "$scratch/all.gltf"
expect 0 "" $program export "$run" --to gltf -o "$scratch/all.glb"
expect 0 "" $program export "$run" --to glb --in-place --fps 24 -o "$scratch/place.glb"
expect 0 "" $program export "$run" --to gltf --clip 2 -o "$scratch/turn.gltf"
expect 0 "" node "$check" "$scratch/all.gltf" "$scratch/all.glb" "$scratch/place.glb" "$scratch/turn.gltf"
sed 's/"count": [0-9]*/"count": 1000000/' "$scratch/all.gltf" > "$scratch/bad.gltf"
expect 1 "ACCESSOR_TOO_LONG" node "$check" "$scratch/bad.gltf"
finish
