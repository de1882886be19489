/* See bytes.h. */
#include "base/bytes.h"

#include <math.h>
#include <string.h>

#define NO_TEXT UINT32_MAX       /* length of a text that is NULL */

/* ---- writing ---- */

void bytes_put(struct bytes_writer *w, const void *x, size_t n)
{
  if (w->bytes && n)
    memcpy(w->bytes + w->n, x, n);
  w->n += n;
}

void bytes_put_bits(struct bytes_writer *w, uint64_t bits, size_t n)
{
  unsigned char out[8];
  for (size_t i = 0; i < n; i++)
    out[i] = (unsigned char)(bits >> (8 * i));
  bytes_put(w, out, n);
}

void bytes_put_int(struct bytes_writer *w, int x)
{
  bytes_put_bits(w, (uint32_t)x, 4);
}

void bytes_put_ints(struct bytes_writer *w, const int *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    bytes_put_int(w, x[i]);
}

void bytes_put_reals(struct bytes_writer *w, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    bytes_put_bits(w, bits, 8);
  }
}

void bytes_put_real(struct bytes_writer *w, double x)
{
  bytes_put_reals(w, &x, 1);
}

void bytes_put_text(struct bytes_writer *w, const char *x)
{
  size_t n = x ? strlen(x) : 0;
  bytes_put_bits(w, x ? n : NO_TEXT, 4);
  bytes_put(w, x, n);
}

const void *bytes_pack(struct arena *arena, void (*put)(struct bytes_writer *w, const void *what), const void *what,
                       size_t *n)
{
  struct bytes_writer w = {NULL, 0};
  put(&w, what);
  w.bytes = arena_alloc(arena, w.n, 1);
  *n = w.n;
  w.n = 0;
  put(&w, what);
  return w.bytes;
}

const unsigned char *bytes_of_reals(struct arena *arena, const double *x, size_t n)
{
  struct bytes_writer w = {arena_alloc(arena, n, 8), 0};
  bytes_put_reals(&w, x, n);
  return w.bytes;
}

/* ---- reading ---- */

void bytes_need(struct bytes_reader *r, uint64_t n)
{
  r->bad |= n > r->left;
}

const unsigned char *bytes_take(struct bytes_reader *r, size_t n)
{
  const unsigned char *x = r->at;
  if (r->bad || n > r->left) {
    r->bad = 1;
    return NULL;
  }
  r->at += n;
  r->left -= n;
  return x;
}

void bytes_get(struct bytes_reader *r, void *x, size_t n)
{
  const unsigned char *from = bytes_take(r, n);
  if (from)
    memcpy(x, from, n);
  else
    memset(x, 0, n);
}

uint64_t bytes_get_bits(struct bytes_reader *r, size_t n)
{
  const unsigned char *x = bytes_take(r, n);
  uint64_t bits = 0;
  for (size_t i = 0; x && i < n; i++)
    bits |= (uint64_t)x[i] << (8 * i);
  return bits;
}

int bytes_get_int(struct bytes_reader *r)
{
  uint32_t bits = (uint32_t)bytes_get_bits(r, 4);
  int32_t x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

int bytes_get_within(struct bytes_reader *r, int least, int most)
{
  int x = bytes_get_int(r);
  if (x >= least && x <= most)
    return x;
  r->bad = 1;
  return least;
}

double bytes_get_real(struct bytes_reader *r)
{
  uint64_t bits = bytes_get_bits(r, 8);
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

int *bytes_get_ints(struct bytes_reader *r, size_t n)
{
  if (r->bad || n > r->left / 4) {
    r->bad = 1;
    return NULL;
  }
  int *x = ARENA_NEW(r->arena, n, int);
  for (size_t i = 0; i < n; i++)
    x[i] = bytes_get_int(r);
  return x;
}

int bytes_get_count(struct bytes_reader *r)
{
  double x = bytes_get_real(r);
  return x >= 0 && x <= 1e7 && floor(x) == x ? (int)x : -1;
}

double *bytes_get_reals(struct bytes_reader *r, size_t n)
{
  if (r->bad || n > r->left / 8) {
    r->bad = 1;
    return NULL;
  }
  double *x = ARENA_NEW(r->arena, n, double);
  for (size_t i = 0; i < n; i++)
    x[i] = bytes_get_real(r);
  return x;
}

void *bytes_get_array(struct bytes_reader *r, size_t n, size_t size)
{
  if (r->bad || n > r->left / size) {
    r->bad = 1;
    return NULL;
  }
  void *x = arena_alloc(r->arena, n, size);
  bytes_get(r, x, n * size);
  return x;
}

const char *bytes_get_text(struct bytes_reader *r)
{
  uint32_t n = (uint32_t)bytes_get_bits(r, 4);
  const unsigned char *x = n == NO_TEXT ? NULL : bytes_take(r, n);
  if (!x)
    return NULL;
  char *text = arena_alloc(r->arena, (size_t)n + 1, 1);
  memcpy(text, x, n);
  r->bad |= strlen(text) != n; /* a 0 in its middle */
  return text;
}

const char *bytes_get_name(struct bytes_reader *r)
{
  const char *text = bytes_get_text(r);
  r->bad |= !text;
  return text ? text : "";
}

/* ---- structs ---- */

void bytes_put_fields(struct bytes_writer *w, const struct bytes_field *fields, const void *x)
{
  for (const struct bytes_field *f = fields; f->kind != BYTES_KIND_END; f++) {
    const char *at = (const char *)x + f->offset;
    if (f->kind == BYTES_KIND_INTS)
      bytes_put_ints(w, (const int *)(const void *)at, f->n);
    else if (f->kind == BYTES_KIND_REALS)
      bytes_put_reals(w, (const double *)(const void *)at, f->n);
    else
      bytes_put_text(w, *(const char *const *)(const void *)at);
  }
}

void bytes_get_fields(struct bytes_reader *r, const struct bytes_field *fields, void *x)
{
  for (const struct bytes_field *f = fields; f->kind != BYTES_KIND_END; f++) {
    char *at = (char *)x + f->offset;
    for (size_t i = 0; f->kind == BYTES_KIND_INTS && i < f->n; i++)
      ((int *)(void *)at)[i] = bytes_get_int(r);
    for (size_t i = 0; f->kind == BYTES_KIND_REALS && i < f->n; i++)
      ((double *)(void *)at)[i] = bytes_get_real(r);
    if (f->kind == BYTES_KIND_NAME)
      *(const char **)(void *)at = bytes_get_name(r);
    else if (f->kind == BYTES_KIND_TEXT)
      *(const char **)(void *)at = bytes_get_text(r);
  }
}

size_t bytes_least(const struct bytes_field *fields)
{
  size_t n = 0;
  for (const struct bytes_field *f = fields; f->kind != BYTES_KIND_END; f++)
    n += f->n * (f->kind == BYTES_KIND_REALS ? 8 : 4); /* a text has at least its length */
  return n;
}
