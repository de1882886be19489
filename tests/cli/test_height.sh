#!/bin/sh
# A kind of parameter that is one file: a biped that walks low or tall, from the task file to what it does. Quick: a few
# clips of one gait.
. "${srcdir:-.}/tests/cli/expect.sh"
run=$scratch/low.muy

expect 0 "clips, .* decision nodes" $program synth "$srcdir/creatures/biped.creature" "$srcdir/tasks/height.task" \
  -o "$run" --clips 4 --jobs 1
printf 'at 0 { height = 100%% }\nat 3 { height = 0%% }\nat 7 { height = 100%% }\nend = 11\n' > "$scratch/bow.script"
expect 0 "3.00  height     0.3907 m" $program play "$run" "$scratch/bow.script" -l "$scratch/log.csv"
expect 0 "" sh -c "! grep -q 'not reached' $scratch/out"

# what was asked, what it says it did, and where the root was: the means of seconds 5 to 7 and 9 to 11
awk -F, '/^#/ { next }
  !column { for (i = 1; i <= NF; i++) name[$i] = i; column = name["height"]; asked = name["asked.height"]; next }
  $1 >= 5 && $1 < 7 { low += $column; n_low++; want_low = $asked }
  $1 >= 9 && $1 < 11 { tall += $column; n_tall++; want_tall = $asked }
  END { low /= n_low; tall /= n_tall; printf "low %.4f of %.4f, tall %.4f of %.4f\n", low, want_low, tall, want_tall
        off = low > want_low ? low - want_low : want_low - low
        off_tall = tall > want_tall ? tall - want_tall : want_tall - tall
        exit !(off < 0.015 && off_tall < 0.015 && tall - low > 0.05) }' "$scratch/log.csv" ||
  fail "it did not go low and tall"
checks=$((checks + 1))
finish
