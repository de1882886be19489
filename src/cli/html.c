/* See html.h. */
#include "cli/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/markup.h"
#include "plots/kit.h"

static const char style[] =
    "body{font:16px/1.5 Georgia,'Times New Roman',serif;color:#1d1d1f;background:#fff;max-width:68em;margin:2em auto;"
    "padding:0 1.2em}\n"
    "h1{font-size:2em;line-height:1.2;margin:0 0 .3em}\n"
    "h2{font-size:1.35em;margin:2em 0 .5em;padding-top:.4em;border-top:1px solid #dedbd4;break-after:avoid}\n"
    "h3{font-size:1.05em;margin:1.4em 0 .3em;break-after:avoid}\n"
    "p{max-width:46em;margin:.5em 0}\n"
    "p.short{font-size:1.1em}\n"
    "p.note{color:#63615c;font-size:.9em}\n"
    "p.contents{font:14px/1.6 Verdana,'DejaVu Sans',sans-serif}\n"
    "p.contents a{margin-right:1em;color:#0072b2}\n"
    "table{border-collapse:collapse;margin:.6em 0 1em;font:13px/1.4 Verdana,'DejaVu Sans',sans-serif}\n"
    "th,td{padding:.22em .8em .22em 0;text-align:left;vertical-align:top;border-bottom:1px solid #dedbd4}\n"
    "th{font-weight:bold;vertical-align:bottom}\n"
    "th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "table.facts th{font-weight:normal;color:#63615c;white-space:nowrap}\n"
    "thead{display:table-header-group}\n"
    "tr,img{break-inside:avoid}\n"
    "img{max-width:100%;height:auto;display:block;margin:.6em 0}\n"
    "td img{width:26em;max-width:none;margin:0}\n"
    "@media print{body{font-size:10pt;margin:0;max-width:none;padding:0}p.contents{display:none}table{font-size:7.5pt}"
    "td img{width:60mm}@page{margin:15mm}}\n";

static void say(struct html *h, const char *format, va_list args)
{
  va_list again;
  struct arena *scratch = arena_new();
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = arena_alloc(scratch, n > 0 ? (size_t)n + 1 : 1, 1);
  if (n > 0)
    vsnprintf(text, (size_t)n + 1, format, args);
  markup_put_text(h->out, text);
  arena_free(scratch);
}

void html_say(struct html *h, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  say(h, format, args);
  va_end(args);
}

void html_tags(struct html *h, const char *tags)
{
  fputs(tags, h->out);
}

void html_element(struct html *h, const char *tag, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(h->out, "<%s>", tag);
  say(h, format, args);
  fprintf(h->out, "</%.*s>\n", (int)strcspn(tag, " "), tag);
  va_end(args);
}

void html_link(struct html *h, const char *path, const char *words)
{
  html_tags(h, "<a href=\"");
  if (*path != '/' && *path != '.')
    html_tags(h, "./"); /* a name with a colon is no scheme */
  for (const char *c = path; *c; c++)
    if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr("-._~/", *c))
      fputc(*c, h->out);
    else
      fprintf(h->out, "%%%02X", (unsigned char)*c);
  html_tags(h, "\">");
  html_say(h, "%s", words);
  html_tags(h, "</a>");
}

void html_begin(struct html *h, const char *title)
{
  html_tags(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  html_element(h, "title", "%s", title);
  fprintf(h->out, "<style>\n%s</style>\n</head>\n<body>\n", style);
  html_element(h, "h1", "%s", title);
}

void html_end(struct html *h)
{
  html_tags(h, "</body>\n</html>\n");
}

/* ---- tables ---- */

void html_table(struct html *h, const char *heads)
{
  html_tags(h, "<table>\n<thead><tr>");
  for (const char *s = heads; *s;) {
    int number = *s == '>', length;
    s += number;
    length = (int)strcspn(s, "|");
    html_tags(h, number ? "<th class=\"n\">" : "<th>");
    html_say(h, "%.*s", length, s);
    html_tags(h, "</th>");
    s += length;
    s += *s == '|';
  }
  html_tags(h, "</tr></thead>\n<tbody>\n");
}

void html_table_end(struct html *h)
{
  html_tags(h, "</tbody>\n</table>\n");
}

void html_row(struct html *h)
{
  html_tags(h, "<tr>");
}

void html_row_end(struct html *h)
{
  html_tags(h, "</tr>\n");
}

void html_cell(struct html *h, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  html_tags(h, "<td>");
  say(h, format, args);
  html_tags(h, "</td>");
  va_end(args);
}

void html_number(struct html *h, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  html_tags(h, "<td class=\"n\">");
  say(h, format, args);
  html_tags(h, "</td>");
  va_end(args);
}

void html_fact(struct html *h, const char *what, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  html_tags(h, "<tr><th scope=\"row\">");
  html_say(h, "%s", what);
  html_tags(h, "</th><td>");
  say(h, format, args);
  html_tags(h, "</td></tr>\n");
  va_end(args);
}

/* ---- pictures ---- */

/* Base64, RFC 4648, on one line: an attribute may be as long as it likes. */
static void put_base64(FILE *out, const unsigned char *bytes, size_t n)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned long b = (unsigned long)bytes[i] << 16;
    if (i + 1 < n)
      b |= (unsigned long)bytes[i + 1] << 8;
    if (i + 2 < n)
      b |= bytes[i + 2];
    fputc(digits[b >> 18], out);
    fputc(digits[b >> 12 & 63], out);
    fputc(i + 1 < n ? digits[b >> 6 & 63] : '=', out);
    fputc(i + 2 < n ? digits[b & 63] : '=', out);
  }
}

/* SVG goes in as an image, too, not as elements of the page: names inside of one picture ("glyph-0-1") would be taken
 * for those of another. */
void html_picture(struct html *h, const char *type, const void *bytes, size_t n, const char *words)
{
  html_tags(h, "<img alt=\"");
  html_say(h, "%s", words);
  fprintf(h->out, "\" src=\"data:%s;base64,", type);
  put_base64(h->out, bytes, n);
  html_tags(h, "\">\n");
}
