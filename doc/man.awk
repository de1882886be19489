# A page of the manual from what a command prints with --help: awk -v command=gait -v version=0.2.0 -v summary=... .
# Paragraphs before the first option are its description, those after it notes; blanks and a dash begin an option, whose
# text stands in a column of its own and may go on in the next lines.
function quoted(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); sub(/^[.']/, "\\\\\\&&", text); return text }
function add(part, text) { parts[part] = parts[part] text "\n"; fresh = 0 }
/^(Usage:| +or:| +muybridge )/ {
  sub(/^(Usage:| +or:) */, ""); sub(/^ */, "")
  add("SYNOPSIS", quoted($0) "\n.br")
  next
}
/^Exit status: / { at = "EXIT STATUS"; sub(/^Exit status: /, ""); add(at, quoted($0)); next }
/^ *$/ { if (at && at != "OPTIONS" && !fresh) add(at, ".PP"); fresh = 1; next }
/^ ? ? ? ? ? ? -/ {
  at = "OPTIONS"
  line = $0; sub(/^ */, "", line)
  split(line, part, /  +/)
  option = part[1]
  text = substr(line, length(option) + 1); sub(/^ */, "", text)
  add(at, ".TP\n\\fB" quoted(option) "\\fR" (text == "" ? "" : "\n" quoted(text)))
  next
}
/^  / && at == "OPTIONS" { # each value of a list on a line
  sub(/^ */, "")
  add(at, ($0 ~ /^[a-z-]+: / ? ".br\n" : "") quoted($0))
  next
}
{
  if (at != "EXIT STATUS") at = at == "OPTIONS" || at == "NOTES" ? "NOTES" : "DESCRIPTION"
  sub(/^ */, "")
  add(at, quoted($0))
}
END {
  printf ".\\\" Made from muybridge %s --help by doc/man.awk.\n", command
  printf ".TH MUYBRIDGE-%s 1 \"\" \"muybridge %s\" \"User Commands\"\n", toupper(command), version
  print ".SH NAME\n" quoted("muybridge-" command) " \\- " quoted(summary)
  n = split("SYNOPSIS:DESCRIPTION:OPTIONS:NOTES:EXIT STATUS", order, ":")
  for (i = 1; i <= n; i++) {
    sub(/(\.PP\n)+$/, "", parts[order[i]])
    if (parts[order[i]] != "") printf ".SH %s\n%s", order[i], parts[order[i]]
  }
  print ".SH SEE ALSO\n\\fBmuybridge\\fR(1)"
}
