#!/bin/sh
# The README's commands, in their order, in an empty folder: each succeeds, and none but these makes a file that a later
# one needs. `make check` leaves out those that take long and what needs their files; `make check-long` sets
# MUYBRIDGE_README=all and runs every one, with a synthesis of 20 s instead of 8 hours.
. "${srcdir:-.}/tests/cli/expect.sh"
case $program in /*) ;; *) program=$PWD/$program ;; esac
case $srcdir in /*) ;; *) srcdir=$PWD/$srcdir ;; esac
all=${MUYBRIDGE_README:-}
mkdir "$scratch/bin" "$scratch/empty"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" > "$scratch/bin/muybridge"
chmod +x "$scratch/bin/muybridge"
PATH=$scratch/bin:$PATH
MUYBRIDGE_PATH=$srcdir
export PATH MUYBRIDGE_PATH
cd "$scratch/empty" || exit 99

# the creature that the README shows is saved as it says
awk '/^Save this as/ { on = 1 } /^and look at it/ { exit } on && /^    / { print substr($0, 5) }' "$srcdir/README.md" \
  > hopper.creature
sed -n 's/^    \(muybridge .*\)/\1/p' "$srcdir/README.md" | sed 's/ *#.*//' > "$scratch/commands"
[ "$(wc -l < "$scratch/commands")" -ge 30 ] || fail \
  "only $(wc -l < "$scratch/commands") commands were found in README.md"

while read -r command; do
  case $command in
    *\ view\ *) [ -e "$srcdir/stage/page.html" ] || continue ;; # 'make stage' was not run
  esac
  if [ -z "$all" ]; then
    case $command in
      *\ synth\ *|*\ report\ *|*\ status\ *|*\ control\ *|*--pushes*|*modal*|*actor*|*--play*|*--random*|*human*) \
        continue ;;
      *\ transition\ horse*|*--path*|*\ gaits\ *|*\ repertoire\ *) continue ;;
    esac
  fi
  command=$(echo "$command" | sed 's/--budget 8h/--budget 20/')
  checks=$((checks + 1))
  sh -c "$command" > "$scratch/out" 2>&1 < /dev/null || { fail "$command"; tail -5 "$scratch/out"; break; }
done < "$scratch/commands"
finish
