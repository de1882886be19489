#!/bin/sh
# Creatures, styles, tasks and scripts by name, from anywhere: uninstalled from an empty folder, installed under two
# prefixes, moved, by MUYBRIDGE_PATH; the order of the places; the exact text when there is none.
. "${srcdir:-.}/tests/cli/expect.sh"
case $program in /*) ;; *) program=$PWD/$program ;; esac
case $srcdir in /*) ;; *) srcdir=$PWD/$srcdir ;; esac
unset MUYBRIDGE_PATH MAKEFLAGS MFLAGS MAKELEVEL

is() { # WHAT FOUND EXPECTED
  checks=$((checks + 1))
  [ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"
}
first() { head -1 "$scratch/out"; } # line of the last output

# ---- uninstalled: beside the program ----
mkdir "$scratch/empty" "$scratch/beside"
cp "$program" "$scratch/beside/muybridge"
cp -r "$srcdir/creatures" "$srcdir/tasks" "$scratch/beside"
chmod -R u+w "$scratch/beside"
cd "$scratch/empty" || exit 99
here=$scratch/beside
expect 0 "degrees of freedom" "$program" check horse
expect 0 "degrees of freedom" "$here/muybridge" check horse
is "beside the program" "$(first)" "horse ($here/creatures/horse.creature)"
expect 0 "kept as clip" "$here/muybridge" gait biped walk -o run.muy
expect 0 "controller" "$here/muybridge" policy run.muy direction
expect 0 "" "$here/muybridge" play run.muy turns -o play.csv --quiet
expect 0 "" "$here/muybridge" film run.muy --play turns -o play.gif --seconds 0.2 --quiet
expect 0 "" "$here/muybridge" export horse -o horse.xml

# ---- what is nowhere: all places, in their order ----
cat > expected << TEXT
hores: error: there is no creature of this name; looked for hores.creature in
  .
  creatures
  $here
  $here/creatures
  $scratch/listed
  $scratch/listed/creatures
  $scratch/share/muybridge
  $scratch/share/muybridge/creatures
TEXT
# (the last place, where this build would be installed, depends on configure)
MUYBRIDGE_PATH=$scratch/listed "$here/muybridge" check hores > found 2>&1
is "status" $? 2
is "text" "$(head -9 found)" "$(cat expected)"
is "the installed folder comes last" "$(tail -1 found | grep -c '^  /.*/creatures$')" 1
for command in "synth biped hores -o new.muy" "policy run.muy hores"; do
  expect 2 "^hores: error: there is no task of this name; looked for hores.task in$" "$here/muybridge" $command
done
for command in "play run.muy hores" "film run.muy --play hores -o x.gif" "plot play run.muy --play hores -o x.svg"; do
  expect 2 "^hores: error: there is no script of this name; looked for hores.script in$" "$here/muybridge" $command
done
for command in "gait hores walk -o x.muy" "synth hores direction -o x.muy" "export hores" \
  "plot creature hores -o x.svg"; do
  expect 2 "^hores: error: there is no creature of this name" "$here/muybridge" $command
done
# a path is a path, and is not looked for
expect 2 "^elsewhere/horse: error: cannot read this file" "$here/muybridge" check elsewhere/horse
expect 2 "^horse.creature: error: cannot read this file" "$here/muybridge" check horse.creature

# ---- installed, under two prefixes, and moved as a whole ----
cd - > /dev/null || exit 99
for prefix in "$scratch/one" "$scratch/two/deep"; do
  ${MAKE:-make} -s install-binPROGRAMS install-dist_creaturesDATA install-dist_stylesDATA \
    install-dist_tasksDATA prefix="$prefix" > "$scratch/log" 2>&1 ||
    { fail "make install prefix=$prefix"; cat "$scratch/log"; }
done
cd "$scratch/empty" || exit 99
for prefix in "$scratch/one" "$scratch/two/deep"; do
  expect 0 "degrees of freedom" "$prefix/bin/muybridge" check horse
  is "installed" "$(first)" "horse ($prefix/share/muybridge/creatures/horse.creature)"
done
mv "$scratch/two/deep" "$scratch/moved"
expect 0 "degrees of freedom" "$scratch/moved/bin/muybridge" check horse
is "moved" "$(first)" "horse ($scratch/moved/share/muybridge/creatures/horse.creature)"
expect 0 "  style: tired" "$scratch/moved/bin/muybridge" check horse --style tired
expect 0 "" "$scratch/moved/bin/muybridge" play run.muy turns -o play.csv --quiet
expect 0 "controller" "$scratch/moved/bin/muybridge" policy run.muy direction

# ---- the order: working folder, beside the program, MUYBRIDGE_PATH, installed ----
installed=$scratch/moved/bin
mkdir -p "$scratch/a/creatures" "$scratch/b" creatures "$installed/creatures"
for to in "$scratch/a/creatures" "$scratch/b" creatures . "$installed/creatures"; do
  cp "$srcdir/creatures/horse.creature" "$to/horse.creature"
  chmod u+w "$to/horse.creature"
done
MUYBRIDGE_PATH=$scratch/nothing::$scratch/a:$scratch/b
export MUYBRIDGE_PATH
for place in horse.creature creatures/horse.creature "$installed/creatures/horse.creature" \
  "$scratch/a/creatures/horse.creature" "$scratch/b/horse.creature" \
  "$scratch/moved/share/muybridge/creatures/horse.creature"; do
  expect 0 "degrees of freedom" "$installed/muybridge" check horse
  is "order" "$(first)" "horse ($place)"
  rm "$place"
done
expect 2 "there is no creature of this name" "$installed/muybridge" check horse

# ---- another prefix rebuilds what knows it ----
cd - > /dev/null || exit 99
${MAKE:-make} -n -W Makefile src/base/folders.stamp prefix=/another 2>&1 | grep \
  -q 'INSTALLED_DATA "/another/share/muybridge"'
is "the header follows configure" $? 0
${MAKE:-make} -n -W src/base/folders.h muybridge > "$scratch/log" 2>&1
is "find.c follows the header" "$(grep -c 'src/cli/find\.c' "$scratch/log")" 1
finish
