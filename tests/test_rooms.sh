#!/bin/sh
# src/README.md is true: every room has a row, the headers of its row are there, and so is every file and function that
# it names. On a copy with a wrong name, file and row this must be seen.
set -u
srcdir=${srcdir:-.}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

check() { # README: prints what is wrong with it
  for room in "$srcdir"/src/*/; do
    room=$(basename "$room")
    [ ! -f "$srcdir/src/$room/sources.am" ] || grep -q "^| \`$room\` " "$1" || echo "no row: $room"
  done
  sed -n 's/^| `\([^`]*\)` .*| \(.*\) |$/\1 \2/p' "$1" | tr -d '`,' | while read -r room headers; do
    for header in $headers; do
      [ -f "$srcdir/src/$room/$header" ] || echo "no header: $room/$header"
    done
  done
  grep -o '`[a-z_]*/[a-z_.]*\.[ch]`' "$1" | tr -d '`' | sort -u | while read -r file; do
    [ -f "$srcdir/src/$file" ] || echo "no file: $file"
  done
  grep -o '`[a-z_]*()`' "$1" | tr -d '`()' | sort -u | while read -r name; do
    grep -rqE "^[a-z].*[ *]$name\(" "$srcdir/src" --include=*.c || echo "no function: $name"
  done
}

failed=0
found=$(check "$srcdir/src/README.md")
[ -z "$found" ] || { echo "$found"; failed=1; }
sed -e "s/^| .farm. .*//" -e "s/\`nlp.h\`/\`mlp.h\`/" -e "s/world_torques()/world_talks()/" \
  -e "s,follow/judge.c,follow/jury.c," "$srcdir/src/README.md" > "$scratch/wrong.md"
expected='no row: farm
no header: nlp/mlp.h
no file: follow/jury.c
no function: world_talks'
found=$(check "$scratch/wrong.md")
[ "$found" = "$expected" ] || { echo "of a wrong copy it said: $found"; failed=1; }
exit $failed
