/* See arrays.h. Formats: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html, version 1.0, and
 * PKWARE's APPNOTE.TXT, without the extensions for archives of 4 GB and more. */
#include "exchange/arrays.h"

#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/utf8.h"

#define LOCAL_FILE   0x04034b50u  /* what a zip archive begins its records with */
#define CENTRAL_FILE 0x02014b50u
#define CENTRAL_END  0x06054b50u
#define ZIP_VERSION  20
#define ZIP_DAY      0x21         /* 1 January 1980: files carry no time of their own */
#define NPY_ALIGN    64           /* numbers begin at a multiple of it within the file */

struct array {
  struct array *next;
  const char *file;               /* "name.npy"                            */
  const unsigned char *bytes;     /* of the file                     (n)   */
  size_t n;
  uint32_t crc;
  size_t at;                      /* of its record in the archive          */
};

struct arrays {
  struct arena *arena;
  struct array *first, **last;
};

struct arrays *arrays_new(struct arena *arena)
{
  struct arrays *a = ARENA_NEW(arena, 1, struct arrays);
  *a = (struct arrays){arena, NULL, NULL};
  return a;
}

static size_t count_of(struct arrays_shape shape)
{
  size_t n = 1;
  for (int i = 0; i < shape.n; i++)
    n *= shape.size[i];
  return n;
}

static uint32_t checksum(const unsigned char *bytes, size_t n) /* CRC-32 */
{
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < n; i++) {
    crc ^= bytes[i];
    for (int k = 0; k < 8; k++)
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

/* ---- one array ---- */

/* "(3, 4)", "(3,)", "()" */
static const char *shape_text(struct arena *arena, struct arrays_shape shape)
{
  const char *text = "";
  for (int i = 0; i < shape.n; i++)
    text = arena_printf(arena, "%s%zu%s", text, shape.size[i], i + 1 < shape.n ? ", " : shape.n == 1 ? "," : "");
  return arena_printf(arena, "(%s)", text);
}

/* Room for the file of an array, its head written; the caller puts the numbers (size bytes). */
static struct bytes_writer begin(struct arrays *a, const char *name, const char *type, struct arrays_shape shape,
                                 size_t size)
{
  struct array *x = ARENA_NEW(a->arena, 1, struct array);
  const char *words = arena_printf(a->arena, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type,
                                   shape_text(a->arena, shape));
  size_t said = strlen(words), head = (10 + said + 1 + NPY_ALIGN - 1) / NPY_ALIGN * NPY_ALIGN;
  unsigned char *bytes = arena_alloc(a->arena, head + size, 1);
  struct bytes_writer w = {bytes, 0};
  *x = (struct array){.file = arena_printf(a->arena, "%s.npy", name), .bytes = bytes, .n = head + size};
  if (a->last)
    *a->last = x;
  else
    a->first = x;
  a->last = &x->next;
  bytes_put(&w, "\x93NUMPY\x01", 8); /* and a 0: version 1.0 */
  bytes_put_bits(&w, head - 10, 2);
  bytes_put(&w, words, said);
  while (w.n < head - 1)
    bytes_put(&w, " ", 1);
  bytes_put(&w, "\n", 1);
  return w;
}

void arrays_add_reals(struct arrays *a, const char *name, struct arrays_shape shape, const double *x)
{
  size_t n = count_of(shape);
  struct bytes_writer w = begin(a, name, "<f8", shape, 8 * n);
  bytes_put_reals(&w, x, n);
}

void arrays_add_ints(struct arrays *a, const char *name, struct arrays_shape shape, const int *x)
{
  size_t n = count_of(shape);
  struct bytes_writer w = begin(a, name, "<i4", shape, 4 * n);
  for (size_t i = 0; i < n; i++)
    bytes_put_bits(&w, (uint32_t)x[i], 4);
}

void arrays_add_flags(struct arrays *a, const char *name, struct arrays_shape shape, const unsigned char *x)
{
  size_t n = count_of(shape);
  struct bytes_writer w = begin(a, name, "|b1", shape, n);
  for (size_t i = 0; i < n; i++)
    bytes_put_bits(&w, x[i] != 0, 1);
}

/* The character at *s, which moves on; a byte that is no part of one stands for itself. */
static uint32_t next_character(const char **s)
{
  int n = utf8_length(*s);
  uint32_t c = (unsigned char)*(*s)++;
  if (n > 1)
    c &= 0x7fu >> n;
  for (int i = 1; i < n; i++)
    c = c << 6 | ((unsigned char)*(*s)++ & 0x3f);
  return c;
}

static size_t characters(const char *s)
{
  size_t n = 0;
  for (; *s; n++)
    next_character(&s);
  return n;
}

/* Four bytes a character, all texts as long as the longest. */
static void add_texts(struct arrays *a, const char *name, struct arrays_shape shape, const char *const *x)
{
  size_t n = count_of(shape), width = 1;
  for (size_t i = 0; i < n; i++)
    width = characters(x[i]) > width ? characters(x[i]) : width;
  struct bytes_writer w = begin(a, name, arena_printf(a->arena, "<U%zu", width), shape, 4 * width * n);
  for (size_t i = 0; i < n; i++) {
    const char *s = x[i];
    for (size_t k = 0; k < width; k++)
      bytes_put_bits(&w, *s ? next_character(&s) : 0, 4);
  }
}

void arrays_add_texts(struct arrays *a, const char *name, size_t n, const char *const *x)
{
  add_texts(a, name, (struct arrays_shape){1, {n}}, x);
}

void arrays_add_real(struct arrays *a, const char *name, double x)
{
  arrays_add_reals(a, name, (struct arrays_shape){0, {0}}, &x);
}

void arrays_add_int(struct arrays *a, const char *name, int x)
{
  arrays_add_ints(a, name, (struct arrays_shape){0, {0}}, &x);
}

void arrays_add_text(struct arrays *a, const char *name, const char *x)
{
  add_texts(a, name, (struct arrays_shape){0, {0}}, &x);
}

/* ---- the archive ---- */

/* What a file's record and its line in the directory at the end have in common. */
static void put_facts(struct bytes_writer *w, const struct array *x)
{
  bytes_put_bits(w, ZIP_VERSION, 2);
  bytes_put_bits(w, 0, 2); /* flags   */
  bytes_put_bits(w, 0, 2); /* method: stored */
  bytes_put_bits(w, 0, 2); /* time    */
  bytes_put_bits(w, ZIP_DAY, 2);
  bytes_put_bits(w, x->crc, 4);
  bytes_put_bits(w, x->n, 4);
  bytes_put_bits(w, x->n, 4);
  bytes_put_bits(w, strlen(x->file), 2);
  bytes_put_bits(w, 0, 2); /* no more fields */
}

static void put_record(struct bytes_writer *w, const struct array *x)
{
  bytes_put_bits(w, LOCAL_FILE, 4);
  put_facts(w, x);
  bytes_put(w, x->file, strlen(x->file));
}

static void put_directory(struct bytes_writer *w, const struct array *x)
{
  bytes_put_bits(w, CENTRAL_FILE, 4);
  bytes_put_bits(w, ZIP_VERSION, 2);
  put_facts(w, x);
  bytes_put_bits(w, 0, 2); /* no comment   */
  bytes_put_bits(w, 0, 2); /* disk 0       */
  bytes_put_bits(w, 0, 2); /* attributes   */
  bytes_put_bits(w, 0, 4);
  bytes_put_bits(w, x->at, 4);
  bytes_put(w, x->file, strlen(x->file));
}

int arrays_write(const struct arrays *a, FILE *out)
{
  unsigned char room[512];
  size_t at = 0, n = 0, directory = 0;
  for (struct array *x = a->first; x; x = x->next, n++) {
    struct bytes_writer w = {room, 0};
    x->crc = checksum(x->bytes, x->n);
    x->at = at;
    put_record(&w, x);
    fwrite(room, 1, w.n, out);
    fwrite(x->bytes, 1, x->n, out);
    at += w.n + x->n;
  }
  for (const struct array *x = a->first; x; x = x->next) {
    struct bytes_writer w = {room, 0};
    put_directory(&w, x);
    fwrite(room, 1, w.n, out);
    directory += w.n;
  }
  struct bytes_writer w = {room, 0};
  bytes_put_bits(&w, CENTRAL_END, 4);
  bytes_put_bits(&w, 0, 4); /* disks */
  bytes_put_bits(&w, n, 2);
  bytes_put_bits(&w, n, 2);
  bytes_put_bits(&w, directory, 4);
  bytes_put_bits(&w, at, 4);
  bytes_put_bits(&w, 0, 2); /* no comment */
  fwrite(room, 1, w.n, out);
  return fflush(out) != 0 || ferror(out) != 0;
}
