#!/bin/sh
# stage/page.html, the template that the program puts pages together from: it must be what its parts give (`make stage`
# makes it), have the one line that `view` replaces, load nothing from anywhere, and fit the house's columns. Where
# there is a node, the script must also be one that it can read.
set -eu
srcdir=${srcdir:-.}
stage=$srcdir/stage
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "$1"; failed=1; }

awk -v folder="$stage" -f "$stage/assemble.awk" "$stage/index.html" > "$work/page.html"
cmp -s "$work/page.html" "$stage/page.html" || fail "stage/page.html is not what its parts give: run make stage"
test "$(grep -c '^<script type="application/json" id="stage-data">{}</script>$' "$stage/page.html")" = 1 ||
  fail "stage/page.html must have one empty line of data"
# each script is named in index.html, and what is named is there (assemble.awk fails else)
for file in "$stage"/*.js; do
  name=${file##*/}
  grep -q "^<!-- stage:script.* $name .*-->$" "$stage/index.html" || fail "stage/index.html does not name $name"
done
! awk -v folder="$work" -f "$stage/assemble.awk" "$stage/index.html" > "$work/without" 2> "$work/why" ||
  fail "assemble.awk must fail where a part is missing"
grep -q "cannot read $work/style.css" "$work/why" || fail "assemble.awk must say what it cannot read"
# nothing from anywhere: no address but that of SVG's names; nothing of a file is ever read as HTML
! grep -n 'https\{0,1\}://' "$stage/page.html" | grep -v 'http://www.w3.org/2000/svg' || fail "an address in the page"
! grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(' "$stage"/*.js || fail "text read as HTML"
! grep -nE '<(link|img|iframe)|(src|href)="' "$stage/index.html" || fail "the page loads something"
LC_ALL=C awk '{ line = $0; gsub(/[\200-\277]/, "", line) } length(line) > 120 {
  print FILENAME ":" FNR ": " length(line) " columns"; bad = 1 } END { exit bad }' \
  "$stage"/*.js "$stage"/*.css "$stage"/*.awk "$srcdir"/tests/stage/*.mjs || failed=1
if command -v "${NODE:-node}" > /dev/null; then
  awk '/^<script>$/ { on = 1; next } /^<\/script>$/ { on = 0 } on' "$stage/page.html" > "$work/page.js"
  "${NODE:-node}" --check "$work/page.js" || fail "the page's script has errors"
fi
exit $failed
