/* A page of HTML that needs nothing but itself: words escaped, tables, pictures inside of it. */
#ifndef MUYBRIDGE_CLI_HTML_H
#define MUYBRIDGE_CLI_HTML_H

#include <stddef.h>
#include <stdio.h>

struct html {
  FILE *out;                    /* of the caller, who asks it for errors at the end */
};

void html_begin(struct html *h, const char *title);
void html_end(struct html *h);

/* Tags, as they are. */
void html_tags(struct html *h, const char *tags);

/* Words as printf() makes them: escaped, control characters as spaces, and what is no UTF-8 as U+FFFD. */
void html_say(struct html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same as a whole element, a paragraph say: html_element(h, "p", "%d clips", n). */
void html_element(struct html *h, const char *tag, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A link to a file beside the page or anywhere: a path, whose odd characters are escaped. */
void html_link(struct html *h, const char *path, const char *words);

/* A table. heads are separated by |, those of columns of numbers begin with >. */
void html_table(struct html *h, const char *heads);
void html_table_end(struct html *h);
void html_row(struct html *h);
void html_row_end(struct html *h);
void html_cell(struct html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
void html_number(struct html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A row of two: what it is, and what is to be said of it. */
void html_fact(struct html *h, const char *what, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A picture of a type such as image/png. The words are for who cannot see it. */
void html_picture(struct html *h, const char *type, const void *bytes, size_t n, const char *words);

#endif
