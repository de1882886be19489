/* Names for limbs and axes: those of the robot without what every one has ("_link"), and without the side of a pair, of
 * which there is one name ("FL_thigh" and "FR_thigh" are left and right of "front_thigh"). */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "robots/limbs.h"

#define LONGEST 40              /* with a side before and a number behind, within the 60 of a creature file */

const char *limbs_clean(struct arena *arena, const char *text)
{
  char *out = arena_printf(arena, "%.*s", LONGEST, text);
  for (char *s = out; *s; s++)
    if ((unsigned char)*s >= 0x80 || !(isalnum((unsigned char)*s) || *s == '_'))
      *s = '_';
  return (unsigned char)*out < 0x80 && isalpha((unsigned char)*out) ? out : arena_printf(arena, "part_%s", out);
}

/* Without "_link" and its like at the end. */
static const char *trim(struct arena *arena, const char *name)
{
  static const char *const ends[] = {"_link", "_Link", "_body", "_LINK"};
  size_t n = strlen(name);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (n > strlen(ends[i]) + 1 && !strcmp(name + n - strlen(ends[i]), ends[i]))
      return arena_printf(arena, "%.*s", (int)(n - strlen(ends[i])), name);
  return name;
}

/* What a word of a name says besides its side: "FL" is front; "left" nothing. */
static const char *word_without_side(const char *left, size_t n, const char *right, size_t m)
{
  static const struct { const char *left, *right, *rest; } words[] = {
    {"left", "right", ""},  {"l", "r", ""},          {"lf", "rf", "front"}, {"fl", "fr", "front"}, {"lh", "rh", "hind"},
    {"hl", "hr", "hind"},   {"rl", "rr", "rear"},    {"bl", "br", "back"},  {"lr", "rr", "rear"},  {"lb", "rb", "back"},
    {"ml", "mr", "middle"}, {"lm", "rm", "middle"}};
  char a[8] = "", b[8] = "";
  for (size_t i = 0; i < n && i < 7; i++)
    a[i] = (char)tolower((unsigned char)left[i]);
  for (size_t i = 0; i < m && i < 7; i++)
    b[i] = (char)tolower((unsigned char)right[i]);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (n < 8 && m < 8 && !strcmp(a, words[i].left) && !strcmp(b, words[i].right))
      return words[i].rest;
  return NULL;
}

/* "FL_thigh", "FR_thigh": "front_thigh". Words are between underscores; NULL if they differ otherwise. */
static const char *name_of_pair(struct arena *arena, const char *left, const char *right)
{
  char name[3 * LONGEST] = "";
  size_t at = 0;
  while (*left && *right) {
    size_t n = strcspn(left, "_"), m = strcspn(right, "_"), rest;
    int same = n == m && !strncmp(left, right, n);
    const char *word = same ? left : word_without_side(left, n, right, m);
    if (!word)
      return NULL;
    rest = same ? n : strlen(word);
    if (at + rest + 2 > sizeof name)
      return NULL;
    if (at > 0 && rest > 0)
      name[at++] = '_';
    memcpy(name + at, word, rest);
    name[at += rest] = '\0';
    left += n, right += m;
    left += *left == '_', right += *right == '_';
  }
  return at > 0 && !*left && !*right && isalpha((unsigned char)name[0]) ? arena_strdup(arena, name) : NULL;
}

static int is_image_of(const char *a, const char *b) /* "left_b" of "b" */
{
  return (!strncmp(a, "left_", 5) && !strcmp(a + 5, b)) || (!strncmp(a, "right_", 6) && !strcmp(a + 6, b));
}

static int is_taken(const struct limbs *k, const char *name, int i)
{
  for (int j = 0; j < i; j++) {
    const char *other = k->limb[j].name;
    if (!other || (k->limb[j].mirror >= 0 && k->limb[j].mirror != j && !k->limb[j].left))
      continue;
    if (!strcmp(other, name) || is_image_of(other, name) || is_image_of(name, other))
      return 1;
  }
  return 0;
}

static void name_axes(struct limbs *k, struct limb *l)
{
  static const char *const names[] = {"roll", "pitch", "yaw"};
  for (int a = 0; a < l->n_axes; a++) {
    const double *about = l->axes[a].about;
    int most = 0, same = 0;
    for (int x = 1; x < 3; x++)
      if (fabs(about[x]) > fabs(about[most]) + 1e-6)
        most = x;
    for (int b = 0; b < a; b++)
      same += !strncmp(l->axes[b].name, names[most], strlen(names[most]));
    l->axes[a].name = same ? arena_printf(k->arena, "%s%d", names[most], same + 1) : names[most];
  }
}

void limbs_name(struct limbs *k)
{
  for (int i = 0; i < k->n; i++) {
    struct limb *l = &k->limb[i];
    name_axes(k, l);
    const char *own = limbs_clean(k->arena, trim(k->arena, l->body->name)), *name = own;
    if (l->left) {
      const char *image = limbs_clean(k->arena, trim(k->arena, k->limb[l->mirror].body->name));
      const char *both = name_of_pair(k->arena, own, image);
      name = both ? both : own;
    }
    const char *first = name;
    for (int n = 2; is_taken(k, name, i); n++)
      name = arena_printf(k->arena, "%s_%d", first, n);
    l->name = name;
  }
  for (int i = 0; i < k->n; i++) /* both images have one name */
    if (k->limb[i].left)
      k->limb[k->limb[i].mirror].name = k->limb[i].name;
}
