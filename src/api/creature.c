/* Creatures of muybridge.h. */
#include "api/api.h"
#include "exchange/exchange.h"

muy_creature *api_creature_new(struct arena *arena, const struct creature *c, const char *text, size_t length)
{
  muy_creature *out = ARENA_NEW(arena, 1, muy_creature);
  atomic_init(&out->users, 1);
  out->arena = arena;
  out->c = c;
  out->text = text;
  out->length = length;
  return out;
}

muy_creature *api_creature_share(const muy_creature *c)
{
  muy_creature *shared = (muy_creature *)c; /* counting users changes nothing that a caller sees */
  atomic_fetch_add(&shared->users, 1);
  return shared;
}

void muy_creature_free(muy_creature *c)
{
  if (c && atomic_fetch_sub(&c->users, 1) == 1)
    arena_free(c->arena);
}

muy_status muy_creature_load(const char *name, muy_messages *m, muy_creature **out)
{
  return muy_creature_load_styled(name, NULL, 0, m, out);
}

muy_status muy_creature_load_styled(const char *name, const char *const *styles, int n_styles, muy_messages *m,
                                    muy_creature **out)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  int n = n_styles > 0 ? n_styles : 0, found = 1;
  const char *path = api_find(arena, name, FIND_CREATURE, d), **files = ARENA_NEW(arena, (size_t)n + 1, const char *);
  for (int i = 0; i < n; i++) {
    files[i] = api_find(arena, styles[i], FIND_STYLE, d);
    found &= files[i] != NULL;
  }
  const struct creature *c = path && found ? creature_load_styled(arena, path, files, n, d) : NULL;
  *out = c ? api_creature_new(arena, c, NULL, 0) : NULL;
  if (!c)
    arena_free(arena);
  api_diag_close(&messages);
  return c ? MUY_OK : MUY_WRONG_INPUT;
}

muy_status muy_creature_parse(const char *file, const char *text, size_t length, muy_messages *m, muy_creature **out)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  const struct creature *c = creature_parse(arena, file ? file : "creature", text, length, d);
  *out = NULL;
  if (c) {
    char *copy = arena_alloc(arena, length + 1, 1);
    for (size_t i = 0; i < length; i++)
      copy[i] = text[i];
    *out = api_creature_new(arena, c, copy, length);
  } else {
    arena_free(arena);
  }
  api_diag_close(&messages);
  return c ? MUY_OK : MUY_WRONG_INPUT;
}

const char *muy_creature_name(const muy_creature *c)
{
  return c->c->name;
}

double muy_creature_mass(const muy_creature *c)
{
  return c->c->mass;
}

double muy_creature_height(const muy_creature *c)
{
  return c->c->height;
}

int muy_creature_is_symmetric(const muy_creature *c)
{
  return creature_is_symmetric(c->c, NULL);
}

int muy_creature_n_dofs(const muy_creature *c)
{
  return c->c->n_dofs;
}

int muy_creature_n_points(const muy_creature *c)
{
  return c->c->n_points;
}

int muy_creature_n_gaits(const muy_creature *c)
{
  return c->c->n_gaits;
}

int muy_creature_n_styles(const muy_creature *c)
{
  return c->c->n_styles;
}

const char *muy_creature_style_name(const muy_creature *c, int i)
{
  return i >= 0 && i < c->c->n_styles ? c->c->styles[i].name : NULL;
}

const char *muy_creature_dof_name(const muy_creature *c, int i)
{
  return i >= 0 && i < c->c->n_dofs ? c->c->dofs[i].name : NULL;
}

const char *muy_creature_point_name(const muy_creature *c, int i)
{
  return i >= 0 && i < c->c->n_points ? c->c->points[i].name : NULL;
}

const char *muy_creature_gait_name(const muy_creature *c, int i)
{
  return i >= 0 && i < c->c->n_gaits ? c->c->gaits[i].name : NULL;
}

muy_status muy_creature_write_mjcf(const muy_creature *c, const char *path, muy_messages *m)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  struct exchange_output output = {exchange_find_format("mjcf"), c->c, NULL};
  muy_status status = api_write(arena, path, exchange_write, &output, d);
  arena_free(arena);
  api_diag_close(&messages);
  return status;
}
