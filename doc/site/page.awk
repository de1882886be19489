# Markdown as the documentation uses it, as one page of HTML: headings, paragraphs, lists, tables, code, links, pictures.
# awk -v title=TITLE -v top=LINKS -f page.awk FILE.md; links to FILE.md become FILE.html. What is between backquotes is
# shown as it is, and no HTML of the text comes through.
function escape(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); gsub(/"/, "\\&quot;", s); return s }
function target(u) {
  if (u !~ /^[a-z]+:/) {
    sub(/^\.\.\//, "", u); sub(/^doc\//, "", u); sub(/\.md$/, ".html", u); sub(/\.md#/, ".html#", u)
  }
  return u
}
# words with their marks; code is taken out first and put back last
function inline(s,   n, code, i, t, u) {
  n = 0
  while (match(s, /`[^`]+`/)) {
    code[++n] = "<code>" escape(substr(s, RSTART + 1, RLENGTH - 2)) "</code>"
    s = substr(s, 1, RSTART - 1) "\001" n "\002" substr(s, RSTART + RLENGTH)
  }
  s = escape(s)
  while (match(s, /!?\[[^\]]*\]\([^) ]*[.#\/][^) ]*\)/)) { # a file, a place: x[i](s) is none
    t = substr(s, RSTART, RLENGTH); u = t
    sub(/^!?\[[^\]]*\]\(/, "", u); sub(/\)$/, "", u); u = target(u)
    i = t ~ /^!/
    sub(/^!?\[/, "", t); sub(/\]\([^)]*\)$/, "", t)
    s = substr(s, 1, RSTART - 1) (i ? "<img src=\"" u "\" alt=\"" t "\">" : "<a href=\"" u "\">" t "</a>") \
      substr(s, RSTART + RLENGTH)
  }
  while (match(s, /\*\*[^*]+\*\*/))
    s = substr(s, 1, RSTART - 1) "<b>" substr(s, RSTART + 2, RLENGTH - 4) "</b>" substr(s, RSTART + RLENGTH)
  while (match(s, /\*[^* ][^*]*\*/))
    s = substr(s, 1, RSTART - 1) "<i>" substr(s, RSTART + 1, RLENGTH - 2) "</i>" substr(s, RSTART + RLENGTH)
  for (i = 1; i <= n; i++) { gsub(/&/, "\\\\&", code[i]); sub("\001" i "\002", code[i], s) }
  return s
}
function close_text() {
  if (text != "") print (item ? "<li>" inline(text) "</li>" : "<p>" inline(text) "</p>")
  text = ""; item = 0
}
function close_list() { close_text(); if (list != "") print "</" list ">"; list = "" }
function close_table() { if (table) print "</tbody></table></div>"; table = 0 }
function close_all() { close_list(); close_table() }
function slug(s) { s = tolower(s); gsub(/`/, "", s); gsub(/[^a-z0-9 _-]/, "", s); gsub(/ /, "-", s); return s }
function row(line, tag,   n, cells, i, out) {
  sub(/^ *\|/, "", line); sub(/\| *$/, "", line)
  n = split(line, cells, "|")
  for (i = 1; i <= n; i++) { gsub(/^ +| +$/, "", cells[i]); out = out "<" tag ">" inline(cells[i]) "</" tag ">" }
  return "<tr>" out "</tr>"
}
BEGIN {
  print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
  print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
  print "<title>" escape(title) "</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n" top "\n<main>"
}
/^```/ { close_all(); fence = !fence; print (fence ? "<pre>" : "</pre>"); next }
fence { print escape($0); next }
/^    / && text == "" && list == "" { # code, up to the next line that is not
  close_table()
  if (!code_open) { printf "<pre>"; code_open = 1 }
  while (blanks-- > 0) print ""
  blanks = 0
  print escape(substr($0, 5)); next
}
code_open && /^ *$/ { blanks++; next }
code_open { print "</pre>"; code_open = 0; blanks = 0 }
/^ *$/ { close_text(); if (list == "") close_table(); was_blank = 1; next }
/^#+ / {
  close_all(); level = index($0, " ") - 1; words = substr($0, level + 2)
  print "<h" level " id=\"" slug(words) "\">" inline(words) "</h" level ">"; next
}
/^ *\|/ {
  close_list()
  if (!table) { print "<div class=\"table\"><table><thead>" row($0, "th") "</thead><tbody>"; table = 1 }
  else if ($0 !~ /^ *\|[ :|-]+\|? *$/) print row($0, "td")
  was_blank = 0; next
}
/^ *- / || /^ *[0-9]+\. / {
  close_table(); close_text(); kind = $0 ~ /^ *- / ? "ul" : "ol"
  if (list != kind) { close_list(); print "<" kind ">"; list = kind }
  sub(/^ *(- |[0-9]+\. )/, ""); text = $0; item = 1; was_blank = 0; next
}
{
  if (list != "" && was_blank && $0 !~ /^ /) close_list()
  close_table(); sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; was_blank = 0
}
END { if (code_open) print "</pre>"; close_all(); print "</main>\n</body>\n</html>" }
