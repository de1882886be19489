/* See mujoco_model.h. Empty where MuJoCo is not installed. */
#include "exchange/exchange.h"

#ifdef HAVE_MUJOCO

#include "bench/mujoco_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "creature.xml"

/* MuJoCo reads files or its own files in memory: this is one of the latter. */
static mjModel *load_text(const char *text, size_t size)
{
  char error[1000] = "no memory";
  mjVFS *vfs = malloc(sizeof *vfs); /* 2 MB: not for the stack */
  mjModel *m = NULL;
  if (!vfs)
    return NULL;
  mj_defaultVFS(vfs);
  if (mj_makeEmptyFileVFS(vfs, FILE_NAME, (int)size) == 0) {
    memcpy(vfs->filedata[mj_findFileVFS(vfs, FILE_NAME)], text, size);
    m = mj_loadXML(FILE_NAME, vfs, error, sizeof error);
  }
  mj_deleteVFS(vfs);
  free(vfs);
  if (!m)
    fprintf(stderr, "MuJoCo: %s\n", error);
  return m;
}

mjModel *mujoco_model(const struct creature *c)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  mjModel *m = NULL;
  if (out) {
    int failed = exchange_write_mjcf(c, out);
    failed |= fclose(out) != 0;
    m = failed ? NULL : load_text(text, size);
  }
  free(text);
  if (m)
    m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE;
  return m;
}

void mujoco_dof_order(const mjModel *m, const struct creature *c, int *order)
{
  for (int i = 0; i < m->nv; i++) {
    const char *name = mj_id2name(m, mjOBJ_JOINT, m->dof_jntid[i]);
    order[i] = -1;
    for (int k = 0; k < c->n_dofs; k++)
      if (name && strcmp(name, c->dofs[k].name) == 0)
        order[i] = k;
  }
}

#endif
