# A page of the manual from what a command prints with --help: awk -v command=gait -v version=0.2.0 -v summary=... .
# Paragraphs before the first option are its description; blanks and a dash begin an option, whose text stands in a
# column of its own and may go on in the next lines.
function quoted(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); sub(/^[.']/, "\\\\\\&&", text); return text }
function section(name) { if (at != name) print ".SH " name; at = name; fresh = 1 }
BEGIN {
  printf ".\\\" Made from muybridge %s --help by doc/man.awk.\n.TH MUYBRIDGE-%s 1 \"\" \"muybridge %s\" \"User Commands\"\n",
         command, toupper(command), version
  section("NAME")
  print quoted("muybridge-" command) " \\- " quoted(summary)
}
/^(Usage:|   or:|       muybridge)/ {
  section("SYNOPSIS")
  sub(/^(Usage:|   or:) */, ""); sub(/^ */, "")
  print quoted($0) "\n.br"
  next
}
/^Exit status: / { section("EXIT STATUS"); sub(/^Exit status: /, ""); print quoted($0); next }
/^ *$/ { if (at != "SYNOPSIS" && !fresh) print ".PP"; fresh = 1; next }
/^ ? ? ? ? ? ? -/ {
  section("OPTIONS")
  line = $0; sub(/^ */, "", line)
  split(line, part, /  +/)
  option = part[1]
  text = substr(line, length(option) + 1); sub(/^ */, "", text)
  print ".TP\n\\fB" quoted(option) "\\fR"
  if (text != "") print quoted(text)
  fresh = 0
  next
}
/^  / && at == "OPTIONS" { # each value of a list on a line
  sub(/^ */, "")
  if ($0 ~ /^[a-z-]+: /) print ".br"
  print quoted($0); fresh = 0
  next
}
{
  if (at != "EXIT STATUS") section(at == "OPTIONS" ? "NOTES" : at == "NOTES" ? "NOTES" : "DESCRIPTION")
  sub(/^ */, "")
  print quoted($0); fresh = 0
}
END { print ".SH SEE ALSO\n\\fBmuybridge\\fR(1)" }
