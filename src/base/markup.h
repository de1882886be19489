/* Texts inside of XML, HTML and SVG. */
#ifndef MUYBRIDGE_BASE_MARKUP_H
#define MUYBRIDGE_BASE_MARKUP_H

#include <stdio.h>

/* Writes a text so that it may stand between tags and in an attribute's double quotes: & < > " as entities, control
 * characters (XML has none) as spaces, what is no valid UTF-8 or no character of XML as U+FFFD. NULL: nothing. */
void markup_put_text(FILE *out, const char *text);

#endif
