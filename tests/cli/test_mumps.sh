#!/bin/sh
# MUMPS is one switch away, and solves the same clips: every number of a clip (angles, positions, forces, torques)
# agrees
# to 1e-7 (1 + its size). Both solvers take the same steps; measured on seven gaits of six creatures: 4e-9 at most.
. "${srcdir:-.}/tests/cli/expect.sh"

differ() { # A B: the largest difference of two tables; "none" if they cannot be compared
  paste -d '\n' "$1" "$2" | awk -F, '
    /^[-0-9]/ && n++ % 2 == 0 { count = split($0, a, ",") }
    /^[-0-9]/ && n % 2 == 0 {
      if (NF != count) bad = 1
      for (i = 1; i <= NF; i++) {
        size = a[i] < 0 ? -a[i] : a[i]; d = ($i - a[i]) / (1 + size); d = d < 0 ? -d : d
        if ($i !~ /^[-+.0-9eE]+$/ || a[i] !~ /^[-+.0-9eE]+$/) bad = 1
        if (d > most) most = d
      }
    }
    END { if (bad || !n) print "none"; else printf "%.3g\n", most }'
}
near() { # DIFFERENCE: 1 if it is a number up to 1e-7
  awk -v d="$1" 'BEGIN { print (d != "none" && d + 0 <= 1e-7) ? 1 : 0 }'
}

is() { # WHAT FOUND EXPECTED
  checks=$((checks + 1))
  [ "$2" = "$3" ] || fail "$1: $2 instead of $3"
}

for gait in "biped walk" "triped gallop" "horse walk"; do
  set -- $gait
  creature=$srcdir/creatures/$1.creature
  expect 0 "kept as clip 1" "$program" gait "$creature" "$2" -o "$scratch/ours.muy"
  expect 0 "kept as clip 1" env MUYBRIDGE_MUMPS=1 "$program" gait "$creature" "$2" -o "$scratch/mumps.muy"
  for who in ours mumps; do
    expect 0 "" "$program" export "$scratch/$who.muy" --to csv --clip 1 -o "$scratch/$who.csv"
    rm "$scratch/$who.muy"
  done
  difference=$(differ "$scratch/ours.csv" "$scratch/mumps.csv")
  is "$gait: near, difference $difference" "$(near "$difference")" 1
  is "$gait: solved by the same solver" "$(cmp -s "$scratch/ours.csv" "$scratch/mumps.csv" && echo 1 || echo 0)" 0
done
# the comparison can fail: by one number of a table, and by what is no number
awk -F, -v OFS=, '/^[-0-9]/ && !done { $2 += 1e-6; done = 1 } { print }' "$scratch/ours.csv" > "$scratch/spoiled.csv"
is "one number changed" "$(near "$(differ "$scratch/ours.csv" "$scratch/spoiled.csv")")" 0
sed 's/^\([-0-9][^,]*\),[^,]*/\1,nan/' "$scratch/ours.csv" > "$scratch/spoiled.csv"
is "not a number" "$(differ "$scratch/ours.csv" "$scratch/spoiled.csv")" none
finish
