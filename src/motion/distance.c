/* Distances of all pairs of frames of clips, by their clouds. See motion/distance.h. */
#include "motion/distance.h"

#include <string.h>

#include "motion/cloud.h"

struct distance_matrix {
  struct arena *arena;
  struct cloud_space *space;
  int n_clips, room;
  int *ids;                     /*                                                   (n_clips) */
  const struct clip **clips;    /*                                                   (n_clips) */
  struct clouds **clouds;       /* of their frames                                   (n_clips) */
  double ***block;              /* of clip a: distances to clips 0 .. a, each (n_frames x theirs)      (n_clips) */
};

struct distance_matrix *distance_new(struct arena *arena, const struct creature *c)
{
  struct distance_matrix *m = ARENA_NEW(arena, 1, struct distance_matrix);
  *m = (struct distance_matrix){.arena = arena, .space = cloud_space_new(arena, c)};
  return m;
}

/* The block of clip a against clip b, b <= a. */
static double *distance_new_block(struct distance_matrix *m, int a, int b)
{
  const struct clouds *first = m->clouds[a], *second = m->clouds[b];
  size_t width = (size_t)second->n_frames;
  double *block = ARENA_NEW(m->arena, (size_t)first->n_frames * width, double);
  for (int i = 0; i < first->n_frames; i++)
    for (int j = 0; j < second->n_frames; j++)
      if (a == b && j < i)
        block[(size_t)i * width + (size_t)j] = block[(size_t)j * width + (size_t)i];
      else
        block[(size_t)i * width + (size_t)j] = cloud_distance(m->space, first, i, second, j);
  return block;
}

static void *distance_widened(struct distance_matrix *m, const void *list, size_t size)
{
  void *wider = arena_alloc(m->arena, (size_t)m->room, size);
  if (m->n_clips)
    memcpy(wider, list, (size_t)m->n_clips * size);
  return wider;
}

static void distance_make_room(struct distance_matrix *m)
{
  if (m->n_clips < m->room)
    return;
  m->room = m->room ? 2 * m->room : 16;
  m->ids = distance_widened(m, m->ids, sizeof *m->ids);
  m->clips = distance_widened(m, m->clips, sizeof *m->clips);
  m->clouds = distance_widened(m, m->clouds, sizeof *m->clouds);
  m->block = distance_widened(m, m->block, sizeof *m->block);
}

int distance_add(struct distance_matrix *m, int id, const struct clip *clip)
{
  int a = m->n_clips;
  distance_make_room(m);
  struct clip_list before = {a, m->ids, m->clips};
  m->clouds[a] = clouds_of_clip(m->arena, m->space, &before, clip);
  m->ids[a] = id;
  m->clips[a] = clip;
  m->block[a] = ARENA_NEW(m->arena, (size_t)a + 1, double *);
  for (int b = 0; b <= a; b++)
    m->block[a][b] = distance_new_block(m, a, b);
  return m->n_clips++;
}

static size_t distance_row_of(const struct clip *clip, int k)
{
  int n = clip->n_frames;
  return (size_t)(clip->cyclic ? (k % n + n) % n : k);
}

double distance_between(const struct distance_matrix *m, int a, int i, int b, int j)
{
  size_t row = distance_row_of(m->clips[a], i), column = distance_row_of(m->clips[b], j);
  return a >= b ? m->block[a][b][row * (size_t)m->clips[b]->n_frames + column]
                : m->block[b][a][column * (size_t)m->clips[a]->n_frames + row];
}
