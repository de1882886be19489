#!/bin/sh
# Pages of the site: Markdown as the documentation uses it, and that nothing of a text becomes HTML of its own.
. "${srcdir:-.}/tests/cli/expect.sh"
cat > "$scratch/in.md" << 'TEXT'
# A `name` & more

Words <b>, **bold**, *slanted*, `a <b> *c*`
and f[i](s).

[A link](doc/solid.md#part), [another](https://example.org/x_y).

- one
  goes on
- two

1. first

| a | b |
|---|---|
| `x` | 1 < 2 |

    code & "more"

      indented

![picture](gallery/a.png)
TEXT
cat > "$scratch/expected" << 'TEXT'
<h1 id="a-name--more">A <code>name</code> &amp; more</h1>
<p>Words &lt;b&gt;, <b>bold</b>, <i>slanted</i>, <code>a &lt;b&gt; *c*</code> and f[i](s).</p>
<p><a href="solid.html#part">A link</a>, <a href="https://example.org/x_y">another</a>.</p>
<ul>
<li>one goes on</li>
<li>two</li>
</ul>
<ol>
<li>first</li>
</ol>
<div class="table"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>
<tr><td><code>x</code></td><td>1 &lt; 2</td></tr>
</tbody></table></div>
<pre>code &amp; &quot;more&quot;

  indented
</pre>
<p><img src="gallery/a.png" alt="picture"></p>
TEXT
checks=$((checks + 1))
awk -v title='T & t' -v top=TOP -f "$srcdir/doc/site/page.awk" "$scratch/in.md" > "$scratch/page.html"
sed '1,/^<main>/d; /^<\/main>/,$d' "$scratch/page.html" | diff "$scratch/expected" - || fail 'another page'
expect 0 '^<title>T &amp; t</title>$' cat "$scratch/page.html"
for text in "$srcdir"/README.md "$srcdir"/doc/*.md; do # all tags that are opened are closed
  checks=$((checks + 1))
  awk -v title=x -f "$srcdir/doc/site/page.awk" "$text" > "$scratch/page.html"
  for tag in p ul ol li pre table code b i; do
    opened=$(grep -o "<$tag>" "$scratch/page.html" | wc -l)
    closed=$(grep -o "</$tag>" "$scratch/page.html" | wc -l)
    [ "$opened" -eq "$closed" ] || fail "$text: $opened <$tag>, $closed </$tag>"
  done
done
finish
