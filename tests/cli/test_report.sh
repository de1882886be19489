#!/bin/sh
# The report as a person meets it: one page that is well formed, needs no other file, and says what the run file holds;
# statuses, texts, and that nothing is left behind.
. "${srcdir:-.}/tests/cli/expect.sh"
spoil=${MUYBRIDGE_SPOIL:-./tests/cli/spoil_run}
mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp
export TMPDIR
expect_absent() { # FILE
  checks=$((checks + 1))
  [ ! -e "$1" ] || fail "$1 was written"
}
expect_in() { # PAGE TEXT: literally
  checks=$((checks + 1))
  grep -qF -- "$2" "$1" || fail "$(basename "$1") does not say '$2'"
}
expect_not_in() { # PAGE TEXT
  checks=$((checks + 1))
  ! grep -qF -- "$2" "$1" || fail "$(basename "$1") says '$2'"
}

# well_formed PAGE: every tag is closed in order, ampersands begin names, ids are there once and links lead to them,
# pictures are inside of the page
well_formed() {
  checks=$((checks + 1))
  sed 's/src="data:image\/[a-z+]*;base64,[A-Za-z0-9+\/]*=*"/src="inside"/g' "$1" | awk '
    function wrong(what) { print "line " NR ": " what; bad = 1 }
    NR == 1 { if ($0 != "<!DOCTYPE html>") wrong("no DOCTYPE"); next }
    /<style>/ { style = 1 }
    style { if (/<\/style>/) style = 0; next }
    {
      line = $0
      if (line ~ /&/) { t = line; gsub(/&(amp|lt|gt|quot);/, "", t); if (t ~ /&/) wrong("a bare &") }
      while (match(line, /<[^>]*>/)) {
        text = substr(line, 1, RSTART - 1); tag = substr(line, RSTART + 1, RLENGTH - 2); line = substr(line, RSTART + \
          RLENGTH)
        if (text ~ />/) wrong("a bare >")
        name = tag; sub(/[ \/].*/, "", name)
        if (match(tag, /src="[^"]*"/) && substr(tag, RSTART, RLENGTH) != "src=\"inside\"") wrong("a picture outside: \
          " tag)
        if (match(tag, / id="[^"]*"/)) { id = substr(tag, RSTART + 5, RLENGTH - 6); if (id in ids) wrong("id " id " \
          twice"); ids[id] = 1 }
        if (match(tag, / href="[^"]*"/)) links[substr(tag, RSTART + 7, RLENGTH - 8)] = 1
        if (tag ~ /^\//) { name = substr(tag, 2); if (depth < 1 || open[depth] != name) wrong("</" name "> where <" \
          open[depth] "> is open"); depth-- }
        else if (name == "script" || name == "link" || name == "iframe") wrong("<" name ">")
        else if (name == "img") { images++; if (tag !~ /alt="[^"]+"/) wrong("a picture without words") }
        else if (name != "meta") open[++depth] = name
        if (name == "tr" && tag !~ /^\//) cells = 0
        if (name == "table" && tag !~ /^\//) heads = 0
        if (tag ~ /^(td|th)/) { cells++ }
        if (tag == "/tr") { if (!heads) heads = cells; else if (cells != heads) wrong(cells " cells below " heads \
          " heads") }
      }
      if (line ~ /[<>]/) wrong("a bare < or >")
    }
    END {
      if (depth) { print open[depth] " is not closed"; bad = 1 }
      for (l in links) if (l !~ /^#/ || !(substr(l, 2) in ids)) { print "nothing at " l; bad = 1 }
      exit bad
    }' > "$scratch/faults" || { fail "$(basename "$1") is not well formed:"; head -5 "$scratch/faults"; }
}

# pictures PAGE NUMBER: so many, each of them a whole PNG or SVG file
pictures() {
  checks=$((checks + 1))
  grep -o 'src="data:image/[a-z+]*;base64,[^"]*"' "$1" | sed 's/.*base64,//; s/"$//' > "$scratch/pictures"
  n=0 bad=0
  while read -r line; do
    n=$((n + 1))
    printf '%s' "$line" | base64 -d > "$scratch/picture" 2> /dev/null || bad=$((bad + 1))
    { head -c 4 "$scratch/picture" | grep -q PNG && tail -c 8 "$scratch/picture" | grep -q IEND; } ||
      { head -c 5 "$scratch/picture" | grep -q '<?xml' && tail -c 8 "$scratch/picture" | grep -q '</svg>'; } \
        || bad=$((bad + 1))
  done < "$scratch/pictures"
  [ "$n" -eq "$2" ] || fail "$(basename "$1") has $n pictures, not $2"
  [ "$bad" -eq 0 ] || fail "$bad pictures of $(basename "$1") are broken"
}

run=$scratch/run.muy
page=$scratch/page.html
biped=$srcdir/creatures/biped.creature
task=$srcdir/tasks/direction.task

expect 0 "Usage: muybridge report" $program report --help
expect 2 "name one run file, found 0" $program report
expect 2 "wrong option" $program report --frobnicate "$run"
expect 2 "run.muy: error" $program report "$run" -o "$page"
expect_absent "$page"
expect_absent "$run"

# a night of three clips, and another to compare it with
expect 0 "" $program synth -q -j 1 --clips 3 "$biped" "$task" -o "$run"
expect 0 "" $program synth -q -j 1 --clips 3 --strategy uniform --seed 2 "$biped" "$task" -o "$scratch/other.muy"
expect 0 "wrote .*page.html" $program report "$run" -o "$page" --baseline "$scratch/other.muy"
expect 0 "" $program report -q "$run" -o "$scratch/again.html" -b "$scratch/other.muy"
checks=$((checks + 1))
cmp -s "$page" "$scratch/again.html" || fail "the same run, not the same page"
well_formed "$page"
pictures "$page" 10
expect_in "$page" "<title>biped: direction</title>"
expect_in "$page" "guided, 1</td>"
expect_in "$page" ": muybridge synth "
expect_in "$page" "The baseline, $scratch/other.muy, ended at"
expect_in "$page" "3 of 3 clips keep every bar"
expect_in "$page" "keeps every bar."
expect_in "$page" "direction by 180 degrees</td>"
expect_in "$page" "solving and verifying</td>"
checks=$((checks + 1))
[ "$(wc -c < "$page")" -lt 5000000 ] || fail "the page has more than 5 MB"
checks=$((checks + 1))
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"

# the same numbers as the run file's
expect 0 "steps" $program status "$run"
failed=$(sed -n 's/.* \([0-9]*\) failed$/\1/p' "$scratch/out" | head -1)
all=$(sed -n 's/.* \([0-9]*\) attempts: .*/\1/p' "$scratch/out")
cost=$(awk '$1 == "1" && NF == 4 { print $3 }' "$scratch/out")
expect_in "$page" "$failed of $all attempts gave no clip."
expect_in "$page" "<td class=\"n\">$cost</td>"
expect_in "$page" "with the first graph, $cost with the last"
checks=$((checks + 1))
rows=$(sed -n '/<h2 id="failures"/,/<h2 id="time"/p' "$page" | sed '1,/<h3>/d' | grep -c '^<tr><td')
[ "$rows" -eq "$failed" ] || fail "$rows failures in the table, not $failed"
families=$(sed -n '/<h2 id="failures"/,/<h2 id="time"/p' "$page" | sed '/<h3>/,$d' | grep '^<tr><td')
checks=$((checks + 1))
sum=$(echo "$families" | sed 's/^<tr><td class="n">\([0-9]*\)<.*/\1/' | awk '{ s += $1 } END { print s + 0 }')
[ "$sum" -eq "$failed" ] || fail "families of $sum failures, not $failed"
checks=$((checks + 1))
if echo "$families" | sed 's/.*<td>//' | grep -q '[0-9()]'; then fail "a family with numbers or brackets: $families"; fi

# without a baseline; what cannot be compared
expect 0 "" $program report -q "$run" -o "$page"
well_formed "$page"
pictures "$page" 10
expect_not_in "$page" "The baseline"
expect 0 "" $program synth -q -j 1 --clips 1 "$biped" "$srcdir/tasks/speed.task" -o "$scratch/speed.muy"
rm -f "$page"
expect 2 "another creature or another task" $program report "$run" -o "$page" -b "$scratch/speed.muy"
expect 2 "no-such.muy: error" $program report "$run" -o "$page" -b "$scratch/no-such.muy"
expect_absent "$page"

# clips made one by one, of a task whose name wants to be HTML
hand=$scratch/hand.muy
expect 0 "" $program gait "$biped" walk --speed 0.6 -q -o "$hand"
expect 2 "there are no controllers" $program report "$hand" -o "$page"
expect_absent "$page"
expect 0 "" $program transition -q -t 90 -f 64 "$hand" walk:23 walk:23
sed 's/^name .*/name = "<b>turn \& go<\/b>"/; s/^summary .*/summary = "a > b"/' "$task" > "$scratch/odd.task"
expect 0 "" $program policy -q "$hand" "$scratch/odd.task"
expect 2 "no synthesis" $program report "$run" -o "$page" -b "$hand"
expect 2 "no synthesis" $program report "$hand" -o "$page" -b "$run"
expect 0 "" $program report -q "$hand" -o "$page"
well_formed "$page"
pictures "$page" 8
expect_in "$page" "&lt;b&gt;turn &amp; go&lt;/b&gt;: a &gt; b"
expect_not_in "$page" "<b>turn"
expect_in "$page" "This run has no synthesis"
expect_not_in "$page" "id=\"cost\""
expect_not_in "$page" "id=\"failures\""
expect_in "$page" "2 of 2 clips keep every bar"

# places that cannot be written to
rm -f "$page"
expect 1 "no place for pictures" env TMPDIR="$scratch/none" $program report "$hand" -o "$page"
expect_absent "$page"
expect 1 "cannot write .*none/page.html" $program report "$hand" -o "$scratch/none/page.html"
expect 2 "is a run file and would be lost" $program report "$hand" -o "$run"
checks=$((checks + 1))
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"

# a motion that no ground could give is told, and where
expect 0 "" $spoil "$hand"
expect 0 "" $program report -q "$hand" -o "$page"
well_formed "$page"
expect_in "$page" "the motion MISSES a bar"
expect_in "$page" "2 of 2 clips keep every bar"
if command -v sqlite3 > /dev/null; then
  expect 0 "" sqlite3 "$hand" "UPDATE clip SET force = zeroblob(length(force)) WHERE id = 2"
  expect 0 "" $program report -q "$hand" -o "$page"
  well_formed "$page"
  expect_in "$page" "1 of 2 clips keep every bar"
  expect_in "$page" "MISSES A BAR"
  expect_in "$page" "<td>MISSED</td><td>2 (walk-turn)</td>"
else
  echo "without sqlite3 no clip can be spoilt: five checks are left out"
fi

finish
