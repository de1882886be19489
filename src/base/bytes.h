/* Things as bytes, for other processes and for the run file: little-endian, numbers of 4 and 8 bytes, texts and arrays
 * after their lengths.
 *
 * What is read is believed only after a look: a length must fit into the bytes that are left before anything of that
 * length is allocated. The first thing that is wrong makes all that follows read as zero. */
#ifndef MUYBRIDGE_BYTES_H
#define MUYBRIDGE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Counts while bytes is NULL, then writes the same again: see bytes_pack(). */
struct bytes_writer {
  unsigned char *bytes;
  size_t n;
};
void bytes_put(struct bytes_writer *w, const void *x, size_t n);
void bytes_put_bits(struct bytes_writer *w, uint64_t bits, size_t n); /* the lowest n bytes of them */
void bytes_put_int(struct bytes_writer *w, int x);
void bytes_put_real(struct bytes_writer *w, double x);
void bytes_put_reals(struct bytes_writer *w, const double *x, size_t n);
void bytes_put_ints(struct bytes_writer *w, const int *x, size_t n);
void bytes_put_text(struct bytes_writer *w, const char *x);          /* NULL is fine, and read as such */

/* What put() writes of a thing; in the arena, *n of them. */
const void *bytes_pack(struct arena *arena, void (*put)(struct bytes_writer *w, const void *what), const void *what,
                       size_t *n);

/* Numbers of 8 bytes, one after the other; in the arena, 8 n bytes. */
const unsigned char *bytes_of_reals(struct arena *arena, const double *x, size_t n);

struct bytes_reader {
  const unsigned char *at;
  size_t left;
  int bad;                        /* something was wrong                                      */
  struct arena *arena;            /* for what is read; nothing of it points into the bytes    */
};
void bytes_need(struct bytes_reader *r, uint64_t n);                 /* bad if fewer are left; counts in 64 bits,
                                                                        so that products fit on any machine         */
const unsigned char *bytes_take(struct bytes_reader *r, size_t n);   /* the next n; NULL if there are fewer       */
void bytes_get(struct bytes_reader *r, void *x, size_t n);           /* zeros if there are fewer                  */
uint64_t bytes_get_bits(struct bytes_reader *r, size_t n);
int bytes_get_int(struct bytes_reader *r);
int bytes_get_within(struct bytes_reader *r, int least, int most);   /* anything else is bad, and least           */
double bytes_get_real(struct bytes_reader *r);
int bytes_get_count(struct bytes_reader *r);                         /* a real that counts something, up to 1e7;
                                                                        -1 if it does not                          */
int *bytes_get_ints(struct bytes_reader *r, size_t n);               /* NULL if there are fewer                   */
double *bytes_get_reals(struct bytes_reader *r, size_t n);           /* NULL if there are fewer                   */
void *bytes_get_array(struct bytes_reader *r, size_t n, size_t size); /* as in memory; NULL likewise              */
const char *bytes_get_text(struct bytes_reader *r);                  /* NULL, or one that ends in 0               */
const char *bytes_get_name(struct bytes_reader *r);                  /* a text that must be there; "" if it is not */

/* ---- structs, field by field ---- */

/* One table of a struct's fields serves for writing and for reading, so that the two cannot differ, and the bytes do
 * not depend on sizes of pointers, padding or the order in memory:
 *   static const struct bytes_field foot_fields[] = {
 *     BYTES_NAME(struct foot, name), BYTES_INTS(struct foot, limb), BYTES_REALS(struct foot, leg_length), BYTES_END};
 * INTS are an int, an enum or an array of them; REALS a double or an array of them. */
enum bytes_kind { BYTES_KIND_END, BYTES_KIND_INTS, BYTES_KIND_REALS, BYTES_KIND_NAME, BYTES_KIND_TEXT };
struct bytes_field { enum bytes_kind kind; size_t offset, n; };
#define BYTES_ARRAY(kind, type, field, item) {kind, offsetof(type, field), sizeof((type *)0)->field / sizeof(item)}
#define BYTES_INTS(type, field)  BYTES_ARRAY(BYTES_KIND_INTS, type, field, int)
#define BYTES_REALS(type, field) BYTES_ARRAY(BYTES_KIND_REALS, type, field, double)
#define BYTES_NAME(type, field)  {BYTES_KIND_NAME, offsetof(type, field), 1}  /* const char *, must be there */
#define BYTES_TEXT(type, field)  {BYTES_KIND_TEXT, offsetof(type, field), 1}  /* const char *, may be NULL   */
#define BYTES_END                {BYTES_KIND_END, 0, 0}

void bytes_put_fields(struct bytes_writer *w, const struct bytes_field *fields, const void *x);
void bytes_get_fields(struct bytes_reader *r, const struct bytes_field *fields, void *x);
size_t bytes_least(const struct bytes_field *fields);  /* bytes that such a struct has at least */

#endif
