#!/bin/sh
# Examples of the player in other languages put the bones of a small controller where the C library puts them: Python
# (ctypes), WebAssembly with the binding for three.js, and the extension for Godot compiles. Each is tried where there
# is what it needs.
srcdir=${srcdir:-.}
fails=0 tried=0
fail() { echo "FAIL: $*"; fails=1; }
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cc=${CC:-cc}
player=$srcdir/src/player examples=$srcdir/doc/examples turtle=$scratch/turtle.play
tests/player/write_turtle "$turtle" > "$scratch/expected" || fail "no turtle"
[ "$(wc -l < "$scratch/expected")" = 3 ] || fail "the turtle has $(cat "$scratch/expected")"
same() { diff "$scratch/expected" "$scratch/found" || fail "$1 has the bones elsewhere"; tried=$((tried + 1)); }

$cc -o "$scratch/steer" -I "$player" "$examples/steer.c" "$player"/muybridge-player*.c -lm || fail "steer.c"
"$scratch/steer" "$turtle" > "$scratch/steered" || fail "steer cannot steer the turtle"
$cc -o "$scratch/chase" -I "$player" "$examples/chase.c" "$player"/muybridge-player*.c -lm || fail "chase.c"
"$scratch/chase" "$turtle" > "$scratch/chase.svg" || fail "chase does not play the turtle"
# 30 pictures from above and from the side, of the two limbs that have a shape
drawn=$(grep -c '<path' "$scratch/chase.svg")
[ "$drawn" = 120 ] || fail "chase.svg has $drawn limbs"
"$scratch/chase" "$srcdir/NEWS" > /dev/null 2> "$scratch/words" && fail "chase plays NEWS"
grep -q "NEWS: this is not a controller file" "$scratch/words" || fail "chase says $(cat "$scratch/words")"

if command -v python3 > /dev/null && $cc -shared -fPIC -o "$scratch/player.so" -I "$player" \
  "$player"/muybridge-player*.c -lm; then
  python() { MUYBRIDGE_PLAYER=$scratch/player.so PYTHONPATH=$srcdir/python PYTHONDONTWRITEBYTECODE=1 python3 "$@"; }
  python "$srcdir/tests/player/bones.py" "$turtle" > "$scratch/found" || fail "bones.py"
  same Python
  python "$srcdir/python/muybridge_player.py" "$turtle" > "$scratch/found" || fail "muybridge_player.py"
  diff "$scratch/steered" "$scratch/found" || fail "Python steers otherwise than steer.c"
  python "$srcdir/python/muybridge_player.py" "$srcdir/NEWS" > /dev/null 2> "$scratch/words" && fail "Python plays NEWS"
  grep -q "NEWS: this is not a controller file" "$scratch/words" || fail "Python says $(cat "$scratch/words")"
else
  echo "no python3 here: the Python module was not tried"
fi

if command -v node > /dev/null && clang --target=wasm32-wasi -O2 -nostartfiles -Wl,--no-entry -Wl,--gc-sections \
  -Wl,--strip-all -I "$player" "$examples/three/player_module.c" "$player"/muybridge-player*.c \
  "$srcdir/src/stage/no_system.c" -o "$scratch/player.wasm" 2> "$scratch/words"; then
  node "$srcdir/tests/player/bones.mjs" "$examples/three/player.mjs" "$scratch/player.wasm" "$turtle" \
    > "$scratch/found" || fail "bones.mjs"
  same WebAssembly
else
  echo "no node, or no clang with wasi-libc, here: the module for three.js was not tried"
fi

if command -v g++ > /dev/null && [ -n "${GODOT_CPP:-}" ]; then
  g++ -std=c++17 -fsyntax-only -I "$player" -I "$GODOT_CPP/include" -I "$GODOT_CPP/gen/include" \
    -I "$GODOT_CPP/gdextension" "$examples/godot/creature.cpp" || fail "the extension for Godot does not compile"
else
  echo "no g++, or no GODOT_CPP (the folder of godot-cpp), here: the extension for Godot was not tried"
fi
[ $fails = 0 ] || exit 1
[ $tried -gt 0 ] || exit 77
