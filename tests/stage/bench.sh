#!/bin/sh
# How large, how quick and with how much to spare the page is, and how soon an edited creature moves (bench.mjs says
# what is measured): make bench-stage. Controllers are made in bench-stage/ of the build folder, which takes some
# minutes, and are used again; remove them after a change. CREATURES, CLIPS: other ones.
set -eu
srcdir=${srcdir:-.}
node=${NODE:-node}
chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
test -n "$chromium" || { echo "there is no chromium: the page was not measured"; exit 0; }
command -v "$node" > /dev/null || { echo "there is no node: the page was not measured"; exit 0; }
mkdir -p bench-stage
export OPENBLAS_NUM_THREADS=1
pages=
for name in ${CREATURES:-biped horse human dog}; do
  run=bench-stage/$name.muy
  if [ ! -f "$run" ]; then
    ./muybridge synth "$srcdir/creatures/$name.creature" "$srcdir/tasks/direction.task" --clips "${CLIPS:-16}" -q \
      -o "$run"
    ./muybridge control -q "$run"
  fi
  ./muybridge view -q "$run" -o "bench-stage/$name.html"
  pages="$pages $name=bench-stage/$name.html"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
zoo=$srcdir/creatures
# shellcheck disable=SC2086
"$node" --no-warnings "$srcdir/tests/stage/bench.mjs" "$chromium" "$work" $pages biped=watch:"$zoo"/biped.creature \
  horse=watch:"$zoo"/horse.creature dog=watch:"$zoo"/dog.creature human=watch:"$zoo"/human.creature \
  controller=watch:"$zoo"/biped.creature:"$srcdir"/tasks/direction.task
