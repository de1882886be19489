#!/bin/sh
# The site: a folder that any static host can serve. An index with live pages (muybridge view), the zoo, the gallery and
# the manual. Usage: build.sh PROGRAM SOURCES FOLDER [RUN.muy]...   FOLDER is replaced when all of it is there.
# Each run file becomes a live page; a few gaits are solved and shown in one more.
set -eu
program=$1 sources=$2 folder=$3
shift 3
here=$sources/doc/site work=$folder.part
case $program in */*) ;; *) program=./$program ;; esac
rm -rf "$work"
mkdir -p "$work/live" "$work/zoo"
cp "$here/style.css" "$work"
cp -r "$sources/doc/gallery" "$work/gallery"
top='<nav><a href="index.html">Muybridge</a> <a href="index.html#live">live</a> <a href="index.html#zoo">zoo</a>
<a href="gallery.html">gallery</a> <a href="README.html">read me</a> <a href="manual.html">manual</a></nav>'
escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'; }
head_of() { # TITLE: a page up to its contents
  printf '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
  printf '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>%s</title>\n' "$1"
  printf '<link rel="stylesheet" href="style.css">\n</head>\n<body>\n%s\n<main>\n' "$top"
}
foot='</main>
</body>
</html>'

# ---- the manual ----
for text in "$sources"/README.md "$sources"/CONTRIBUTING.md "$sources"/doc/*.md; do
  name=$(basename "$text" .md)
  title=$(sed -n 's/^# //p' "$text" | head -1)
  awk -v title="${title:-$name}" -v top="$top" -f "$here/page.awk" "$text" > "$work/$name.html"
done
{
  head_of 'The commands of muybridge'
  echo '<h1>Commands</h1><pre>'
  "$program" --help | escape
  echo '</pre>'
  "$program" --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p' | while read -r command; do
    printf '<h2 id="%s">%s</h2><pre>' "$command" "$command"
    "$program" "$command" --help | escape
    echo '</pre>'
  done
  echo "$foot"
} > "$work/commands.html"
{
  head_of 'Manual'
  echo '<h1>Manual</h1><ul><li><a href="commands.html">All commands and their options</a></li>'
  for text in "$sources"/doc/*.md "$sources"/CONTRIBUTING.md; do
    name=$(basename "$text" .md)
    printf '<li><a href="%s.html">%s</a></li>\n' "$name" "$(sed -n 's/^# //p' "$text" | head -1 | escape)"
  done
  printf '</ul>\n%s\n' "$foot"
} > "$work/manual.html"

# ---- live pages ----
for walk in biped:walk horse:gallop human:walk dog:trot kangaroo:hop; do
  "$program" gait "$sources/creatures/${walk%:*}.creature" "${walk#*:}" -q -o "$work/live/${walk%:*}.muy"
done
"$program" view -q --title 'Gaits of the zoo' "$work"/live/*.muy -o "$work/live/gaits.html"
rm -f "$work"/live/*.muy
for run in "$@"; do
  "$program" view -q "$run" -o "$work/live/$(basename "$run" .muy).html"
done

# ---- the index ----
{
  head_of 'Muybridge: creatures that move'
  echo '<h1>Muybridge</h1>'
  sed -n '3,/^$/p' "$sources/README.md" | escape | sed '1s/^/<p>/; $s/$/<\/p>/'
  echo '<h2 id="live">Live</h2><ul class="cards">'
  for page in "$work"/live/*.html; do
    name=$(basename "$page" .html | escape)
    printf '<li class="card"><a class="live" href="live/%s.html">%s</a></li>\n' "$name" "$name"
  done
  echo '</ul><p><img src="gallery/zoo.gif" alt="Creatures of the zoo in motion"></p>'
  echo '<h2 id="zoo">The zoo</h2><ul class="cards">'
  for file in "$sources"/creatures/*.creature; do
    name=$(basename "$file" .creature)
    "$program" check --quiet "$file" -o "$work/zoo/$name.svg" >&2
    cp "$file" "$work/zoo/$name.creature"
    printf '<li class="card"><a href="zoo/%s.creature"><img loading="lazy" src="zoo/%s.svg" alt=""><br>%s</a></li>\n' \
      "$name" "$name" "$name"
  done
  printf '</ul>\n<p><a href="gallery.html">Gallery</a>, <a href="manual.html">manual</a>.</p>\n%s\n' "$foot"
} > "$work/index.html"

# ---- files that pages link to, and whether all links lead somewhere ----
links() {
  cat "$work"/*.html | grep -o '\(href\|src\)="[^"#]*' | sed 's/^[a-z]*="//' | grep -v '^[a-z]*:\|^$' | sort -u
}
for link in $(links); do
  for from in "$sources/$link" "$sources/doc/$link"; do
    if [ ! -e "$work/$link" ] && [ -f "$from" ]; then
      mkdir -p "$(dirname "$work/$link")"
      cp "$from" "$work/$link"
    fi
  done
  [ -e "$work/$link" ] || { echo "site: a page links to '$link', which is not there" >&2; exit 1; }
done
chmod -R u+w "$work"
rm -rf "$folder"
mv "$work" "$folder"
