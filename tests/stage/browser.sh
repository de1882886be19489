#!/bin/sh
# The stage in a real browser: a page with a small controller of the biped, made by `muybridge view`, loaded from disk
# by chromium without a screen. What is checked is in browser.mjs. Skipped where there is no chromium or no node.
# CHROMIUM, NODE: other programs. PAGE: a page that is there already. SHOTS: a folder for pictures to look at.
# MUYBRIDGE_BROWSER=no skips it: .ci/run has it once, by itself.
set -eu
test "${MUYBRIDGE_BROWSER:-}" != no || { echo "MUYBRIDGE_BROWSER=no: the page was not opened"; exit 77; }
srcdir=${srcdir:-.}
node=${NODE:-node}
chromium=${CHROMIUM:-}
for name in chromium chromium-browser google-chrome; do
  test -n "$chromium" || chromium=$(command -v $name || true)
done
test -n "$chromium" || { echo "there is no chromium: the page was not opened"; exit 77; }
command -v "$node" > /dev/null || { echo "there is no node: the page was not opened"; exit 77; }
work=$(mktemp -d)
# the browser's helper processes may outlive it for a moment and write to its folder, which then is not empty
remove() {
  for _ in 1 2 3 4 5; do rm -rf "$work" 2> /dev/null && return; sleep 1; done
  true
}
trap remove EXIT
all=$work/all.html # a page with every kind of parameter, played back
OPENBLAS_NUM_THREADS=1 ./muybridge synth biped everything --clips 4 -q -o "$work/all.muy"
./muybridge view -q "$work/all.muy" -o "$all"
page=${PAGE:-}
if [ -z "$page" ]; then
  page=$work/page.html
  OPENBLAS_NUM_THREADS=1 ./muybridge synth biped direction --clips 16 -q -o "$work/biped.muy"
  OPENBLAS_NUM_THREADS=1 ./muybridge control -q "$work/biped.muy"
  ./muybridge view -q "$work/biped.muy" -o "$page"
fi
"$node" --no-warnings "$srcdir/tests/stage/browser.mjs" "$chromium" "$page" "$work" "$all" ${SHOTS:+"$SHOTS"}
