#!/bin/sh
# A page of the manual for every command, made from its help; and completion of commands, options and creatures in bash.
. "${srcdir:-.}/tests/cli/expect.sh"
$program --help | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1 \2/p' > "$scratch/commands"
while read -r command summary; do
  checks=$((checks + 1))
  page=doc/man/muybridge-$command.1
  [ -f "$page" ] || { fail "no page for $command: it is missing in COMMANDS of Makefile.am"; continue; }
  grep -q "^muybridge..$command .. " "$page" || fail "$page does not tell its name"
  for part in NAME SYNOPSIS DESCRIPTION OPTIONS; do
    [ "$(grep -c "^\.SH $part\$" "$page")" = 1 ] || fail "$page has not one $part"
  done
  if command -v groff > /dev/null; then
    words=$(groff -man -Tutf8 -ww "$page" 2>&1 > /dev/null)
    [ -z "$words" ] || fail "$page: $words"
  fi
  # every option that the help has at the start of a line
  $program "$command" --help | sed -n 's/^ \{2,6\}\(-[^ ,]*\).*/\1/p' | sed 's/-/\\\\-/g' > "$scratch/options"
  while read -r option; do
    grep -qF -- "$(printf '%s' "$option" | sed 's/\\\\/\\/g')" "$page" || fail "$page lacks $option"
  done < "$scratch/options"
done < "$scratch/commands"
[ "$(wc -l < "$scratch/commands")" -gt 15 ] || fail "the help lists $(wc -l < "$scratch/commands") commands"

if command -v bash > /dev/null; then
  cat > "$scratch/complete" <<'EOF'
. "$1/completion/muybridge"
shift
compopt() { :; } # only where bash itself completes
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_muybridge
printf '%s\n' "${COMPREPLY[@]}" | sort -u | tr '\n' ' '
EOF
  completes() { # WANTED WORD...: the completions are exactly that
    wanted=$1; shift
    checks=$((checks + 1))
    found=$(MUYBRIDGE_PATH=$srcdir bash "$scratch/complete" "$srcdir" "$program" "$@")
    [ "$found" = "$wanted " ] || fail "completed '$*' with '$found' instead of '$wanted'"
  }
  completes "gait gaits" ga
  completes "--help" --h
  completes "--seconds --slope --speed --strafe --style" gait --s
  completes "mjcf mjcf-free mot" export --to m
  completes "mujoco" track --engine m
  completes "limping" gait horse walk --style li
  completes "horse" check hors
else
  echo "no bash here: completion was not tried"
fi
finish
