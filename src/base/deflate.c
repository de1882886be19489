/* See deflate.h. Earlier occurrences are found by chains of positions whose three bytes hash alike; a match waits one
 * byte for a longer one to begin there (lazy matching). Each block gets Huffman codes of its own or, where they do not
 * pay, is stored as it is. Section numbers are those of RFC 1951. */
#include "base/deflate.h"

#include <stdint.h>
#include <string.h>

enum {
  WINDOW = 32768,               /* how far back a match may begin                                          */
  LEAST_MATCH = 3, MOST_MATCH = 258,
  HASH_BITS = 15,
  CHAIN = 96,                   /* earlier places that are looked at: more gain less than a thousandth      */
  FAR_FOR_LEAST = 4096,         /* from farther, a match of three bytes takes more bits than they do        */
  GOOD_MATCH = 64,              /* so long a match does not wait for a longer one                           */
  BLOCK_TOKENS = 32768,
  N_LITERALS = 286, N_DISTANCES = 30, N_LENGTHS = 19, /* symbols of the three alphabets, section 3.2.7     */
  END_OF_BLOCK = 256,
  MOST_BITS = 15, MOST_LENGTH_BITS = 7, /* of a code                                                       */
  STORED_MOST = 65535           /* bytes of a stored block                                                  */
};

/* ---- lengths and distances as symbols: section 3.2.5 ---- */

static const uint16_t length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                         2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

static int deflate_length_symbol(int length)
{
  int s = 28;
  while (length_base[s] > length)
    s--;
  return s;
}

/* Symbols 2 e + 2 and 2 e + 3 are followed by e bits. */
static int deflate_distance_extra(int symbol)
{
  return symbol < 4 ? 0 : symbol / 2 - 1;
}

static int deflate_distance_base(int symbol)
{
  int extra = deflate_distance_extra(symbol);
  return symbol < 4 ? symbol + 1 : (((2 + (symbol & 1)) << extra) + 1);
}

static int deflate_distance_symbol(int distance)
{
  int s = N_DISTANCES - 1;
  while (deflate_distance_base(s) > distance)
    s--;
  return s;
}

/* ---- bits: the lowest first ---- */

struct bit_writer {
  unsigned char *bytes;         /* zeroed  */
  size_t n_bits;
};

static void bits_put(struct bit_writer *w, uint32_t bits, int n)
{
  for (int i = 0; i < n; i++, w->n_bits++)
    w->bytes[w->n_bits >> 3] |= (unsigned char)((bits >> i & 1) << (w->n_bits & 7));
}

/* ---- Huffman codes: section 3.2.2 ---- */

struct code { uint8_t bits[N_LITERALS]; uint16_t word[N_LITERALS]; }; /* words with their first bit lowest */

/* Depths of the leaves of the tree that joins the two rarest again and again; the largest is returned. */
static int code_depths(const uint32_t *count, int n, uint8_t *depth)
{
  uint32_t weight[2 * N_LITERALS];
  int parent[2 * N_LITERALS], n_nodes = n, deepest = 0;
  for (int i = 0; i < n; i++)
    weight[i] = count[i], parent[i] = -1;
  for (;;) {
    int a = -1, b = -1;         /* the rarest, and the next */
    for (int i = 0; i < n_nodes; i++)
      if (weight[i] && parent[i] < 0) {
        if (a < 0 || weight[i] < weight[a])
          b = a, a = i;
        else if (b < 0 || weight[i] < weight[b])
          b = i;
      }
    if (b < 0)
      break;
    weight[n_nodes] = weight[a] + weight[b];
    parent[n_nodes] = -1;
    parent[a] = parent[b] = n_nodes++;
  }
  for (int i = 0; i < n; i++) {
    depth[i] = 0;
    for (int k = i; count[i] && parent[k] >= 0; k = parent[k])
      depth[i]++;
    deepest = depth[i] > deepest ? depth[i] : deepest;
  }
  return deepest;
}

/* A code for what is counted, no word of which is longer than most: counts are flattened until that is so. At least two
 * symbols get words, as some readers want codes to be complete. */
static void code_make(struct code *c, const uint32_t *given, int n, int most)
{
  uint32_t count[N_LITERALS];
  int n_used = 0, next[MOST_BITS + 2] = {0}, used[MOST_BITS + 1] = {0};
  memcpy(count, given, (size_t)n * sizeof *count);
  for (int i = 0; i < n; i++)
    n_used += count[i] > 0;
  for (int i = 0; n_used < 2; i++)
    if (!count[i])
      count[i] = 1, n_used++;
  while (code_depths(count, n, c->bits) > most)
    for (int i = 0; i < n; i++)
      count[i] = (count[i] + 1) / 2;
  for (int i = 0; i < n; i++)
    used[c->bits[i]]++;
  used[0] = 0;
  for (int b = 1; b <= MOST_BITS; b++)
    next[b + 1] = (next[b] + used[b]) << 1;
  for (int i = 0; i < n; i++) {
    int word = c->bits[i] ? next[c->bits[i]]++ : 0, turned = 0;
    for (int b = 0; b < c->bits[i]; b++)
      turned |= (word >> b & 1) << (c->bits[i] - 1 - b);
    c->word[i] = (uint16_t)turned;
  }
}

/* ---- the lengths of both codes, in a code of their own: section 3.2.7 ---- */

struct run_length { uint8_t symbol, extra, bits; }; /* extra: so many bits of them */

/* 16: the last length 3 to 6 times more, 17: 3 to 10 zeros, 18: 11 to 138 zeros. The number of symbols. */
static int lengths_shorten(const uint8_t *bits, int n, struct run_length *out)
{
  int n_out = 0;
  for (int i = 0, run; i < n; i += run) {
    for (run = 1; i + run < n && bits[i + run] == bits[i]; run++) {}
    if (!bits[i] && run >= 11) {
      run = run > 138 ? 138 : run;
      out[n_out++] = (struct run_length){18, (uint8_t)(run - 11), 7};
    } else if (!bits[i] && run >= 3) {
      out[n_out++] = (struct run_length){17, (uint8_t)(run - 3), 3};
    } else if (i && bits[i] == bits[i - 1] && run >= 3) {
      run = run > 6 ? 6 : run;
      out[n_out++] = (struct run_length){16, (uint8_t)(run - 3), 2};
    } else {
      run = 1;
      out[n_out++] = (struct run_length){bits[i], 0, 0};
    }
  }
  return n_out;
}

struct tables {                 /* all that a block's header says */
  struct code literals, distances, lengths;
  int n_literals, n_distances, n_lengths, n_runs;
  struct run_length runs[N_LITERALS + N_DISTANCES];
};

static const uint8_t length_order[N_LENGTHS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

static void tables_make(struct tables *t, const uint32_t *literals, const uint32_t *distances)
{
  uint8_t bits[N_LITERALS + N_DISTANCES];
  uint32_t count[N_LENGTHS] = {0};
  code_make(&t->literals, literals, N_LITERALS, MOST_BITS);
  code_make(&t->distances, distances, N_DISTANCES, MOST_BITS);
  for (t->n_literals = N_LITERALS; t->n_literals > 257 && !t->literals.bits[t->n_literals - 1];)
    t->n_literals--;
  for (t->n_distances = N_DISTANCES; t->n_distances > 1 && !t->distances.bits[t->n_distances - 1];)
    t->n_distances--;
  memcpy(bits, t->literals.bits, (size_t)t->n_literals);
  memcpy(bits + t->n_literals, t->distances.bits, (size_t)t->n_distances);
  t->n_runs = lengths_shorten(bits, t->n_literals + t->n_distances, t->runs);
  for (int i = 0; i < t->n_runs; i++)
    count[t->runs[i].symbol]++;
  code_make(&t->lengths, count, N_LENGTHS, MOST_LENGTH_BITS);
  for (t->n_lengths = N_LENGTHS; t->n_lengths > 4 && !t->lengths.bits[length_order[t->n_lengths - 1]];)
    t->n_lengths--;
}

static void tables_put(struct bit_writer *w, const struct tables *t)
{
  bits_put(w, (uint32_t)t->n_literals - 257, 5);
  bits_put(w, (uint32_t)t->n_distances - 1, 5);
  bits_put(w, (uint32_t)t->n_lengths - 4, 4);
  for (int i = 0; i < t->n_lengths; i++)
    bits_put(w, t->lengths.bits[length_order[i]], 3);
  for (int i = 0; i < t->n_runs; i++) {
    const struct run_length *r = &t->runs[i];
    bits_put(w, t->lengths.word[r->symbol], t->lengths.bits[r->symbol]);
    bits_put(w, r->extra, r->bits);
  }
}

/* ---- blocks ---- */

struct token { uint16_t length, distance; }; /* distance 0: the byte `length` */

struct block {
  struct token tokens[BLOCK_TOKENS];
  int n_tokens;
  uint32_t literals[N_LITERALS], distances[N_DISTANCES]; /* how often each symbol comes */
  const unsigned char *from;    /* the bytes that it stands for */
  size_t n_bytes;
  struct tables tables;
};

static void block_begin(struct block *b, const unsigned char *from)
{
  b->n_tokens = 0;
  b->n_bytes = 0;
  b->from = from;
  memset(b->literals, 0, sizeof b->literals);
  memset(b->distances, 0, sizeof b->distances);
  b->literals[END_OF_BLOCK] = 1;
}

static void block_add(struct block *b, int length, int distance)
{
  b->tokens[b->n_tokens++] = (struct token){(uint16_t)length, (uint16_t)distance};
  b->n_bytes += distance ? (size_t)length : 1;
  if (!distance) {
    b->literals[length]++;
    return;
  }
  b->literals[257 + deflate_length_symbol(length)]++;
  b->distances[deflate_distance_symbol(distance)]++;
}

static size_t block_bits(const struct block *b)
{
  const struct tables *t = &b->tables;
  size_t bits = 17 + 3 * (size_t)t->n_lengths;
  for (int i = 0; i < t->n_runs; i++)
    bits += (size_t)t->lengths.bits[t->runs[i].symbol] + t->runs[i].bits;
  for (int i = 0; i < N_LITERALS; i++)
    bits += b->literals[i] * (size_t)(t->literals.bits[i] + (i > 256 ? length_extra[i - 257] : 0));
  for (int i = 0; i < N_DISTANCES; i++)
    bits += b->distances[i] * (size_t)(t->distances.bits[i] + deflate_distance_extra(i));
  return bits;
}

static void block_store(struct bit_writer *w, const struct block *b, int is_last)
{
  size_t done = 0;
  do {
    size_t n = b->n_bytes - done < STORED_MOST ? b->n_bytes - done : STORED_MOST;
    bits_put(w, is_last && done + n == b->n_bytes, 3); /* and two zeros: stored */
    w->n_bits = (w->n_bits + 7) & ~(size_t)7;
    bits_put(w, (uint32_t)n, 16);
    bits_put(w, ~(uint32_t)n, 16);
    memcpy(w->bytes + (w->n_bits >> 3), b->from + done, n);
    w->n_bits += 8 * n;
    done += n;
  } while (done < b->n_bytes);
}

static void block_put(struct bit_writer *w, struct block *b, int is_last)
{
  const struct tables *t = &b->tables;
  tables_make(&b->tables, b->literals, b->distances);
  if (block_bits(b) >= 8 * b->n_bytes + 40) {
    block_store(w, b, is_last);
    return;
  }
  bits_put(w, (uint32_t)(is_last | 2 << 1), 3);
  tables_put(w, t);
  for (int i = 0; i < b->n_tokens; i++) {
    struct token k = b->tokens[i];
    if (!k.distance) {
      bits_put(w, t->literals.word[k.length], t->literals.bits[k.length]);
      continue;
    }
    int l = deflate_length_symbol(k.length), d = deflate_distance_symbol(k.distance);
    bits_put(w, t->literals.word[257 + l], t->literals.bits[257 + l]);
    bits_put(w, (uint32_t)(k.length - length_base[l]), length_extra[l]);
    bits_put(w, t->distances.word[d], t->distances.bits[d]);
    bits_put(w, (uint32_t)(k.distance - deflate_distance_base(d)), deflate_distance_extra(d));
  }
  bits_put(w, t->literals.word[END_OF_BLOCK], t->literals.bits[END_OF_BLOCK]);
}

/* ---- matches ---- */

struct matcher {
  const unsigned char *data;
  size_t n;
  size_t head[1 << HASH_BITS];  /* the last place of a hash, and one: 0 is none    */
  size_t before[WINDOW];        /* the place before with the hash of this one, likewise */
};

static uint32_t matcher_hash(const unsigned char *at)
{
  uint32_t three = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
  return three * 2654435761u >> (32 - HASH_BITS);
}

static void matcher_pass(struct matcher *m, size_t at)
{
  if (at + LEAST_MATCH > m->n)
    return;
  size_t *head = &m->head[matcher_hash(m->data + at)];
  m->before[at % WINDOW] = *head;
  *head = at + 1;
}

/* The longest match of what begins at a place, its distance in *distance; 0: there is none. */
static int matcher_find(const struct matcher *m, size_t at, int *distance)
{
  int longest = LEAST_MATCH - 1, most = m->n - at < MOST_MATCH ? (int)(m->n - at) : MOST_MATCH;
  if (most < LEAST_MATCH)
    return 0;
  size_t place = m->head[matcher_hash(m->data + at)];
  for (int i = 0; i < CHAIN && place && at - (place - 1) < WINDOW && longest < most; i++) {
    const unsigned char *a = m->data + at, *b = m->data + place - 1;
    int n = 0;
    if (a[longest] == b[longest])
      while (n < most && a[n] == b[n])
        n++;
    if (n > longest)
      longest = n, *distance = (int)(at - (place - 1));
    place = m->before[(place - 1) % WINDOW];
  }
  int pays = longest > LEAST_MATCH || (longest == LEAST_MATCH && *distance <= FAR_FOR_LEAST);
  return pays ? longest : 0;
}

const unsigned char *deflate_bytes(struct arena *arena, const void *data, size_t n, size_t *length)
{
  /* a block of bytes as they are takes 5 more, and at least BLOCK_TOKENS of them make a block */
  struct bit_writer w = {ARENA_NEW(arena, n + n / 1000 + 64, unsigned char), 0};
  struct arena *work = arena_new();
  struct matcher *m = ARENA_NEW(work, 1, struct matcher);
  struct block *b = ARENA_NEW(work, 1, struct block);
  int waiting = 0, distance_waiting = 0; /* a match at the byte before */
  m->data = data;
  m->n = n;
  block_begin(b, data);
  for (size_t at = 0; at < n;) {
    int distance = 0, found = waiting >= GOOD_MATCH ? 0 : matcher_find(m, at, &distance);
    if (waiting && waiting >= found) { /* it was the better one; its first byte has been passed */
      block_add(b, waiting, distance_waiting);
      for (int i = 1; i < waiting; i++)
        matcher_pass(m, at++);
      waiting = 0;
    } else {
      if (waiting) /* the byte before it alone */
        block_add(b, m->data[at - 1], 0);
      if (!found)
        block_add(b, m->data[at], 0);
      waiting = found, distance_waiting = distance;
      matcher_pass(m, at++);
    }
    if (b->n_tokens >= BLOCK_TOKENS - MOST_MATCH && !waiting) { /* matches that wait get longer, so not for long */
      block_put(&w, b, 0);
      block_begin(b, m->data + at);
    }
  }
  block_put(&w, b, 1); /* nothing waits: a match has three bytes, so there was one more to look at */
  arena_free(work);
  *length = (w.n_bits + 7) / 8;
  return w.bytes;
}
