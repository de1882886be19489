/* Private to src/exchange. The order of dofs in formats that nest bodies: depth first. */
#ifndef MUYBRIDGE_EXCHANGE_TREE_ORDER_H
#define MUYBRIDGE_EXCHANGE_TREE_ORDER_H

#include "creature/creature.h"

/* The next dof from i on that hangs on this one (-1: on the world); n_dofs if there is none. */
static inline int tree_next_child(const struct creature *c, int parent, int i)
{
  while (i < c->n_dofs && c->dofs[i].parent != parent)
    i++;
  return i;
}

/* A dof and those that it carries, from order[n] on; returns how many there are then. Recursion is as deep as a
 * creature has dofs. */
static inline int tree_order_from(const struct creature *c, int dof, int *order, int n)
{
  order[n++] = dof;
  for (int i = tree_next_child(c, dof, 0); i < c->n_dofs; i = tree_next_child(c, dof, i + 1))
    n = tree_order_from(c, i, order, n);
  return n;
}

/* All of them (n_dofs). */
static inline void tree_order(const struct creature *c, int *order)
{
  tree_order_from(c, 0, order, 0);
}

#endif
