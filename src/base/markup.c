/* See markup.h. */
#include "base/markup.h"

#include <string.h>

#include "base/utf8.h"

void markup_put_text(FILE *out, const char *text)
{
  for (const char *s = text ? text : ""; *s;) {
    int n = utf8_length(s);
    if (n == 0 || (n == 3 && (!memcmp(s, "\xef\xbf\xbe", 3) || !memcmp(s, "\xef\xbf\xbf", 3)))) { /* U+FFFE, U+FFFF */
      fputs(UTF8_REPLACEMENT, out);
      s += n ? n : 1;
      continue;
    }
    switch (*s) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    default:
      if (n == 1 && ((unsigned char)*s < 0x20 || *s == 0x7f))
        putc(' ', out);
      else
        fwrite(s, 1, (size_t)n, out);
    }
    s += n;
  }
}
