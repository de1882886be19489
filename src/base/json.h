/* Writes JSON (RFC 8259) that is always valid: texts are escaped and made valid UTF-8, numbers that are none become
 * null, commas are set by themselves.
 *
 *   struct json j = json_to(out);
 *   json_object(&j, NULL);
 *   json_text(&j, "name", creature->name);
 *   json_array(&j, "masses");
 *   json_number(&j, NULL, mass, 6);
 *   json_end(&j);
 *   json_end(&j);                    {"name": "bi\"ped", "masses": [4.2]} and the end of the line
 *
 * Every function takes a key, which must be given inside of an object and NULL elsewhere; that, and that all is ended,
 * is for the caller to see to (asserted). Errors of writing stay with the stream: ferror(). */
#ifndef MUYBRIDGE_BASE_JSON_H
#define MUYBRIDGE_BASE_JSON_H

#include <stdio.h>

#define JSON_DEPTH 16 /* objects and arrays within each other */

struct json {
  FILE *out;
  int depth;              /* how many are open */
  char close[JSON_DEPTH]; /* what ends each of them */
  char items[JSON_DEPTH]; /* has it any?            */
  char broken;            /* json_break() was called */
};

struct json json_to(FILE *out);

void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
void json_end(struct json *j); /* of the last one opened; the outermost ends its line */

void json_text(struct json *j, const char *key, const char *text);       /* NULL: null */
void json_number(struct json *j, const char *key, double x, int digits); /* not finite: null; 17 digits read back as
                                                                            were */
void json_integer(struct json *j, const char *key, long long x);
void json_unsigned(struct json *j, const char *key, unsigned long long x);
void json_truth(struct json *j, const char *key, int x);                    /* true or false              */
void json_numbers(struct json *j, const char *key, int n, const double *x, int digits); /* an array */

void json_break(struct json *j); /* the next item begins a new line: for people who look at it */

#endif
