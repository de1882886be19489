# Makes the page's template, one file, of its parts: awk -v folder=stage -f assemble.awk stage/index.html > page.html
# A line <!-- stage:style FILE... --> becomes a <style> with these files, <!-- stage:script FILE... --> a <script> in
# which they share one function scope (modules cannot be used in pages that are opened as files).
function whole(file,   line, status) {
  while ((status = (getline line < (folder "/" file))) > 0) print line
  if (status < 0) { print "assemble.awk: cannot read " folder "/" file > "/dev/stderr"; failed = 1; exit 1 }
  close(folder "/" file)
}
/^<!-- stage:style / { print "<style>"; for (i = 3; i < NF; i++) whole($i); print "</style>"; next }
/^<!-- stage:script / {
  print "<script>\n\"use strict\";\n(() => {"
  for (i = 3; i < NF; i++) whole($i)
  print "})();\n</script>"
  next
}
{ print }
END { exit failed }
