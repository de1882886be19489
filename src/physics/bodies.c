/* From the creature to bodies and joints, the same for every engine. See doc/physics.md, "Bodies and joints". */
#include <string.h>

#include "physics/room.h"

static void add_body(struct world *w, int dof, int first, int n, int parent)
{
  const struct creature *c = w->c;
  const struct dof *d = &c->dofs[dof];
  struct body *b = &w->bodies[w->n_bodies];
  double axes[3][3];
  w->body_of[dof] = w->n_bodies++;
  b->parent = parent;
  b->first = first, b->n = n;
  for (int i = 0; i < n; i++)
    memcpy(axes[i], c->dofs[first + i].axis, sizeof axes[i]);
  b->chain = chain_of(n, axes);
  for (int i = 0; i < 3; i++) {
    b->com[i] = d->moment1[i] / d->mass / w->length;
    b->place[i] = parent < 0 ? 0 : c->dofs[first].offset[i] / w->length - w->bodies[parent].com[i];
  }
}

void bodies_build(struct world *w)
{
  const struct creature *c = w->c;
  w->body_of = ARENA_NEW(w->arena, (size_t)c->n_dofs, int);
  w->bodies = ARENA_NEW(w->arena, (size_t)c->n_limbs, struct body);
  add_body(w, CREATURE_ROOT_DOFS - 1, 3, 3, -1);
  for (int i = 1; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    if (l->n_dofs > 0)
      add_body(w, l->body, l->first_dof, l->n_dofs, w->body_of[c->dofs[l->first_dof].parent]);
  }
}
