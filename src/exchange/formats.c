/* The table of formats that are written. To add one: write its file, declare its writer, add a line here. */
#include "exchange/exchange.h"

#include <string.h>

static int write_mjcf(const struct creature *c, const struct clip *clip, FILE *out)
{
  (void)clip;
  return exchange_write_mjcf(c, out);
}

static int write_mjcf_free(const struct creature *c, const struct clip *clip, FILE *out)
{
  (void)clip;
  return exchange_write_mjcf_free(c, out);
}

static int write_urdf(const struct creature *c, const struct clip *clip, FILE *out)
{
  (void)clip;
  return exchange_write_urdf(c, out);
}

static const struct exchange_format formats[] = {
    {"mjcf", "a MuJoCo model whose joints are our degrees of freedom, in the same order", 0, write_mjcf, NULL},
    {"mjcf-free", "the same with a free joint at the root, as learning programs have it", 0, write_mjcf_free, NULL},
    {"urdf", "a robot for programs that read URDF", 0, write_urdf, NULL},
    {"csv", "a clip as a table: time, q, contacts and their forces, torques; SI units", 1, exchange_write_csv,
     NULL},
    {"npz", "a clip as a reference motion for imitation learning: NumPy's arrays, torques and contacts too", 1,
     exchange_write_npz, NULL},
    {"mot", "a clip's coordinates for OpenSim; radians, Y up", 1, exchange_write_mot, NULL},
    {"sto", "forces of the ground and torques of a clip for OpenSim", 1, exchange_write_sto, NULL},
    {"bvh", "a clip for animation programs; centimetres, degrees, Y up", 1, exchange_write_bvh, NULL},
    {"gltf", "clips with the body's shapes for viewers and engines; metres, Y up", 1, exchange_write_gltf,
     exchange_write_clips_gltf},
    {"glb", "the same as bytes: a smaller file", 1, exchange_write_glb, exchange_write_clips_glb},
    {"usda", "a clip with the body's shapes for USD; metres, Z up", 1, exchange_write_usda, NULL},
};

#define N_FORMATS ((int)(sizeof formats / sizeof *formats))

const struct exchange_format *exchange_format(int i)
{
  return i >= 0 && i < N_FORMATS ? &formats[i] : NULL;
}

const struct exchange_format *exchange_find_format(const char *name)
{
  for (int i = 0; i < N_FORMATS; i++)
    if (strcmp(formats[i].name, name) == 0)
      return &formats[i];
  return NULL;
}

const struct exchange_format *exchange_format_of_path(const char *path)
{
  const char *dot = strrchr(path, '.');
  const struct exchange_format *f = dot ? exchange_find_format(dot + 1) : NULL;
  return f && f->of_clip ? f : NULL;
}

const char *exchange_list_formats(struct arena *arena, int of_clip, const char *before)
{
  const char *list = "";
  for (int i = 0; i < N_FORMATS; i++)
    if (!of_clip || formats[i].of_clip)
      list = arena_printf(arena, "%s%s%s%s", list, *list ? ", " : "", before, formats[i].name);
  return list;
}

int exchange_write(const void *output, FILE *out)
{
  const struct exchange_output *o = output;
  return o->format->write(o->creature, o->clip, out);
}

int exchange_write_several(const void *several, FILE *out)
{
  const struct exchange_several *s = several;
  return s->format->write_several(&s->motion, out);
}
