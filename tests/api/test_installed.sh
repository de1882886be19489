#!/bin/sh
# What make install gives to a programmer: libraries that export their own names only, headers, pkg-config files, and
# examples that compile against these and nothing else.
srcdir=${srcdir:-.}
fails=0
fail() { echo "FAIL: $*"; fails=1; }
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
source=$(cd "$srcdir" && pwd)
cc=${CC:-cc}

# Names that a library exports and that do not begin as they should.
foreign_names() { nm -D --defined-only "$1" | awk -v prefix="$2" '$3 !~ "^" prefix {print $3}'; }

# The tests themselves can fail: a name that is not ours is found.
printf 'int muy_fine(void);\nint muy_fine(void) { return 1; }\nint stray(void);\nint stray(void) { return 2; }\n' \
  > "$scratch/stray.c"
$cc -shared -fPIC -o "$scratch/stray.so" "$scratch/stray.c" || fail "no shared library can be made here"
[ "$(foreign_names "$scratch/stray.so" muy_)" = stray ] || fail "a stray name was not found"

MAKEFLAGS= MFLAGS= make -s install-libLTLIBRARIES install-libLIBRARIES install-includeHEADERS install-pkgconfigDATA \
  prefix="$scratch/usr" > "$scratch/install.log" 2>&1 || { cat "$scratch/install.log"; fail "make install"; exit 1; }
lib=$scratch/usr/lib
for name in muybridge muybridge-player; do
  [ -e "$lib/lib$name.so" ] || fail "lib$name.so is not installed"
  names=$(foreign_names "$lib/lib$name.so" muy_)
  [ -z "$names" ] || fail "lib$name.so exports" $names
  [ -n "$(nm -D --defined-only "$lib/lib$name.so")" ] || fail "lib$name.so exports nothing"
done
[ -f "$lib/libmuybridge-player.a" ] || fail "no static library of the player"
needs=$(objdump -p "$lib/libmuybridge-player.so" | awk '/NEEDED/ && $2 !~ /^lib(c|m|asan|ubsan)\.so/ {print $2}')
[ -z "$needs" ] || fail "the player needs $needs"

# flags of an installed package; what pkg-config wrote is taken as it is
flags() { PKG_CONFIG_PATH="$lib/pkgconfig" ${PKG_CONFIG:-pkg-config} --define-prefix "$@"; }
san=$(sed -n 's/^MUY_CFLAGS = .*\(-fsanitize=[^ ]*\).*/\1/p' Makefile)
cd "$scratch" || exit 99

# a game: the player alone, shared and static
$cc $san $(flags --cflags muybridge-player) -o steer "$source/doc/examples/steer.c" $(flags --libs muybridge-player) \
  -lm \
  || fail "steer.c does not compile against the installed player"
LD_LIBRARY_PATH=$lib ./steer nothing.play 2> words && fail "steer plays a file that there is not"
grep -q nothing.play words || fail "steer does not name the file: $(cat words)"
$cc $san $(flags --cflags muybridge-player) -o steer-static "$source/doc/examples/steer.c" \
  "$lib/libmuybridge-player.a" -lm \
  || fail "steer.c does not link with the static player"

# the whole library: as C, and as C++ where there is a compiler for it
printf '#include <muybridge.h>\n#include <stdio.h>\nint main(void) { return puts(muy_version()) < 0; }\n' > version.c
$cc $san $(flags --cflags muybridge) -o version version.c $(flags --libs muybridge) || fail "a program does not link"
[ "$(LD_LIBRARY_PATH=$lib ./version)" = "$(flags --modversion muybridge)" ] || fail "the library tells another version"

# the example, from nothing to pushes, by the installed library alone; the zoo is found by MUYBRIDGE_PATH
$cc $san -Wall -Wextra -Werror -pedantic $(flags --cflags muybridge) -o walk "$source/doc/examples/walk.c" \
  $(flags --libs muybridge) || fail "walk.c does not compile against the installed library"
MUYBRIDGE_PATH=$source LD_LIBRARY_PATH=$lib ./walk biped walk direction biped.muy > said 2> words ||
  { fail "walk.c failed"; cat words; }
grep -q '^biped: played .* 4 of 4 pushes stood$' said || fail "walk.c said: $(cat said)"
printf 'name = bad\nlimb body { mass = 0 }\n' > bad.creature
LD_LIBRARY_PATH=$lib ./walk bad.creature walk direction bad.muy > said 2> words
[ $? = 2 ] || fail "a bad creature is not wrong input"
grep -q '^bad.creature:2: error: ' words || fail "what is wrong with a bad creature: $(cat words)"

if command -v g++ > /dev/null; then
  cp version.c version.cpp
  printf '#include <muybridge-player.h>\n' >> version.cpp
  g++ -Wall -Wextra -Werror -pedantic -fsyntax-only $(flags --cflags muybridge) version.cpp || fail \
    "C++ cannot include it"
else
  echo "no g++ here: C++ was not tried"
fi
exit $fails
