#!/bin/sh
# Films and figures as a person meets them: options, statuses, texts, files, and that nothing is written after an error.
. "${srcdir:-.}/tests/cli/expect.sh"
expect_files() { # FOLDER NUMBER
  checks=$((checks + 1))
  n=$(ls "$1" 2>/dev/null | wc -l)
  [ "$n" -eq "$2" ] || { echo "FAIL: $1 has $n files, not $2"; fails=$((fails + 1)); }
}

run=$scratch/strider.muy
films=$scratch/films
mkdir "$films"
expect 0 '' "$program" gait "$srcdir/creatures/strider.creature" run -q -o "$run"
expect 0 '' "$program" gait "$srcdir/creatures/strider.creature" walk -q -o "$run"

# films: what is written, and what is said about it
expect 0 '^filmed .*: [0-9]* pictures of 160 x [0-9]*, [0-9.]* s, no seam' "$program" film "$run" --size 160 \
  -o "$films/a.gif"
expect 0 'strider walk at 1' "$program" film "$run:walk" --size 120 --fps 20 --forces --ghosts=2 --view front \
  -o "$films/b.gif"
expect 0 '' "$program" film "$run:2" -q --size 120x90 --fps 10 --speed 0.5 --view top --paper -o "$films/c.svg"
expect 0 'pictures of 200 x 100' "$program" film "$run:1" "$run:walk" --size 200x100 --fps 10 --title both \
  -o "$films/d.gif"
expect 0 '' "$program" film "$run" -q --size 64 --fps 10 -o "$films/frames/"
expect_files "$films" 5
expect_files "$films/frames" 7
expect 2 'at most 20000 are possible' "$program" film "$run:walk" --speed 0.001 --fps 50 -o "$films/x.gif"

# refusals
expect 2 '^Try .muybridge film --help' "$program" film
expect 2 'cannot open this run file' "$program" film "$scratch/none.muy" -o "$films/x.gif"
expect 2 'this is no run file' "$program" film "$srcdir/creatures/horse.creature" -o "$films/x.gif"
expect 2 "no clip" "$program" film "$run:gallop" -o "$films/x.gif"
expect 2 "view: must be side, front, top or three-quarter, found 'left'" "$program" film "$run" --view left
expect 2 "size: expected WIDTH, WIDTHxHEIGHT or xHEIGHT, each from 32 to 4096, found '9'" "$program" film "$run" \
  --size 9
expect 2 "found '640x'" "$program" film "$run" --size 640x
expect 2 "found '640x360x'" "$program" film "$run" --size 640x360x
expect 2 "fps: expected a number from 1 to 50, found '60'" "$program" film "$run" --fps 60
expect 2 "ghosts: expected a number" "$program" film "$run" --ghosts=many
expect 2 'one of them' "$program" film --play turns --random 5 "$run"
expect 2 'controller' "$program" film --play turns "$run" -o "$films/x.gif"
expect 2 'one of them' "$program" film --track 1 --random 5 "$run"
expect 2 'no tracks' "$program" film --track 0 "$run" -o "$films/x.gif"
expect 2 'goes without --pushes' "$program" film --track 1 --pushes 1:0.1 "$run"
expect 2 'name one run file' "$program" film --pushes 1:0.1 "$run" "$run"
expect 2 'would be lost' "$program" film "$run" -o "$run"
expect 1 'must end in .gif or .svg, or be that of a folder' "$program" film "$run" --size 64 -o "$films/x.mpeg"
expect 1 'cannot write' "$program" film "$run" --size 64 -o "$scratch/no/such/x.gif"
expect_files "$films" 5
expect 0 'ok' "$program" verify "$run"

# figures: size, title, all
expect 0 '^drew' "$program" plot plate "$run" --size 300x200 --title "A title" -o "$films/plate.png"
expect 0 '' "$program" plot all "$run" -q --size 200 --dark --format svg -o "$films/all"
expect_files "$films/all" 18
expect 0 'no graph: it needs a controller' "$program" plot all "$run" --size 100 -o "$films/all"
expect_files "$films/all" 36
expect 0 'no filmstrip: it needs a clip' "$program" plot all "$srcdir/creatures/biped.creature" -o "$films/one"
expect_files "$films/one" 1
expect 2 "format: must be png, svg or pdf, found 'gif'" "$program" plot all "$run" --format gif -o "$films/x"
expect 2 'this run has no steps of a synthesis' "$program" plot cost "$run" -o "$films/x.png"
expect 2 'controller' "$program" plot frames "$run" -o "$films/x.png"
expect 1 'cannot make this folder' "$program" plot all "$run" -o "$scratch/no/such"
expect 2 "each from 32 to 14400" "$program" plot gait "$run" --size 20000 -o "$films/x.png"
checks=$((checks + 1))
kinds=$("$program" plot --list | wc -l)
[ "$kinds" -ge 17 ] || { echo "FAIL: $kinds kinds of figures"; fails=$((fails + 1)); }
checks=$((checks + 1))
long=$("$program" plot --list | awk 'length > 100 || NF < 4' | wc -l)
[ "$long" -eq 0 ] || { echo "FAIL: $long kinds without one short line"; fails=$((fails + 1)); }

finish
