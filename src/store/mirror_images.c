/* See mirror_images.h. */
#include "store/mirror_images.h"

#include <math.h>

#include "motion/mirror.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"

#define TOLERANCE 1e-7 /* of a clip that is its own mirror image: well below what a junction may differ */

/* Frames by which the mirror image of a cyclic clip is late, -1 if it is another motion. */
static int mirror_shift(const struct graph_input *in, int id)
{
  int shift;
  for (int i = 0; i < in->n_clips; i++)
    if (in->clips[i].id == id && in->clips[i].clip->cyclic)
      return clip_mirror_shift(in->creature, in->clips[i].clip, TOLERANCE, &shift) ? shift : -1;
  return -1;
}

static int mirror_frames(const struct graph_input *in, int id)
{
  for (int i = 0; i < in->n_clips; i++)
    if (in->clips[i].id == id)
      return in->clips[i].clip->n_frames;
  return 1;
}

static int mirror_same_end(const struct graph_input *in, struct clip_end a, struct clip_end b)
{
  return a.clip == b.clip && (a.frame - b.frame) % mirror_frames(in, a.clip) == 0;
}

/* Is there a transition with the same ends, of the same length, that turns as far? */
static int mirror_is_there(const struct graph_input *in, const struct clip *image)
{
  for (int i = 0; i < in->n_clips; i++) {
    const struct clip *k = in->clips[i].clip;
    if (!k->cyclic && k->n_frames == image->n_frames && fabs(k->turn - image->turn) < 1e-9 &&
        mirror_same_end(in, k->from, image->from) && mirror_same_end(in, k->to, image->to))
      return 1;
  }
  return 0;
}

/* The image of a transition, with its ends where it fits; NULL if there is none or it is there already. */
static struct clip *mirror_image(struct arena *arena, const struct graph_input *in, const struct clip *clip)
{
  int from = mirror_shift(in, clip->from.clip), to = mirror_shift(in, clip->to.clip);
  if (clip->cyclic || from < 0 || to < 0)
    return NULL;
  struct clip *image = clip_mirror(arena, in->creature, clip);
  image->name = arena_printf(arena, "%s-mirror", clip->name);
  image->from.frame = (clip->from.frame + from) % mirror_frames(in, clip->from.clip);
  image->to.frame = (clip->to.frame + to) % mirror_frames(in, clip->to.clip);
  return mirror_is_there(in, image) ? NULL : image;
}

int store_add_mirror_images(struct arena *arena, struct store *s, const struct graph_input *in, struct diag *d)
{
  struct creature_asymmetry why;
  int added = 0;
  if (!creature_is_symmetric(in->creature, &why)) {
    diag_warning(d, in->creature->file, 0, "no mirror images are added, they would not obey physics: the creature is "
                 "not symmetric; %s '%s': %s", why.kind, why.part, why.what);
    return 0;
  }
  for (int i = 0; i < in->n_clips; i++) {
    struct clip *image = mirror_image(arena, in, in->clips[i].clip);
    struct clip_summary summary;
    struct verify_report verification;
    if (!image)
      continue;
    spacetime_summarize(arena, in->creature, image, &summary);
    verify_clip(arena, in->creature, image, &verification);
    if (!verification.passed)
      continue; /* then the clip itself is no good */
    if (!store_add_clip(s, image, &(struct store_record){&summary, NULL, &verification}, d))
      return -1;
    added++;
  }
  return added;
}
