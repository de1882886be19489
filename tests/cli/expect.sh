# What all tests of the command line begin with: . "${srcdir:-.}/tests/cli/expect.sh"
# Gives srcdir, program, an empty folder $scratch that is gone at the end, the counts $checks and $fails, and:
srcdir=${srcdir:-.}
program=${MUYBRIDGE:-./muybridge}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
checks=0 fails=0

fail() { echo "FAIL: $*"; fails=$((fails + 1)); }

# expect STATUS PATTERN COMMAND...: the status, and a line of output (either stream) that matches; an empty pattern
# wants no output
expect() {
  status=$1 pattern=$2; shift 2
  checks=$((checks + 1))
  "$@" > "$scratch/out" 2> "$scratch/err"
  got=$?
  if [ "$got" != "$status" ]; then
    fail "exit status $got instead of $status: $*"; cat "$scratch/out" "$scratch/err"
  elif [ -z "$pattern" ] && [ -s "$scratch/out" -o -s "$scratch/err" ]; then
    fail "output although none was expected: $*"; cat "$scratch/out" "$scratch/err"
  elif [ -n "$pattern" ] && ! cat "$scratch/out" "$scratch/err" | grep -q -- "$pattern"; then
    fail "no line matches '$pattern': $*"; cat "$scratch/out" "$scratch/err"
  fi
}

# finish: what a test ends with
finish() {
  echo "$checks checks, $fails failed"
  [ "$fails" -eq 0 ]
}
