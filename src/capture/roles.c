/* Which joint of a motion file is which: by the names that programs and laboratories give them, and by the tree.
 *
 * A name is taken apart into a side and a stem: "LeftUpLeg", "lThigh", "thigh_l", "mixamorig:LeftUpLeg" are left and
 * "upleg" or "thigh". Several stems can mean one role; one that comes first in its list wins, because "LeftHip" is the
 * thigh only where there is no "LeftUpLeg", and "LeftShoulder" the upper arm only where there is no "LeftArm". */
#include <ctype.h>
#include <string.h>

#include "capture/capture.h"

enum side { MIDDLE, LEFT, RIGHT };

#define MAX_STEMS 9

static const struct stems {
  enum capture_role role;       /* of the left one */
  int sided;
  const char *words[MAX_STEMS];
} table[] = {
  {CAPTURE_HEAD, 0, {"head", "skull", "upperneck", "neck1", "neck"}},
  {CAPTURE_THIGH, 1, {"upleg", "upperleg", "thigh", "femur", "hip"}},
  {CAPTURE_SHANK, 1, {"lowerleg", "lowleg", "shank", "shin", "calf", "tibia", "knee", "leg"}},
  {CAPTURE_FOOT, 1, {"foot", "ankle"}},
  {CAPTURE_TOES, 1, {"toebase", "toes", "toe", "toe0", "ball"}},
  {CAPTURE_UPPER_ARM, 1, {"upperarm", "uparm", "humerus", "shldr", "arm", "shoulder"}},
  {CAPTURE_FOREARM, 1, {"forearm", "lowerarm", "lowarm", "radius", "elbow"}},
  {CAPTURE_HAND, 1, {"hand", "wrist"}},
};

static const char *const role_names[N_CAPTURE_ROLES] = {[CAPTURE_PELVIS] = "pelvis",
                                                        [CAPTURE_ABDOMEN] = "abdomen",
                                                        [CAPTURE_CHEST] = "chest",
                                                        [CAPTURE_HEAD] = "head",
                                                        [CAPTURE_THIGH] = "left_thigh",
                                                        [CAPTURE_RIGHT_THIGH] = "right_thigh",
                                                        [CAPTURE_SHANK] = "left_shank",
                                                        [CAPTURE_RIGHT_SHANK] = "right_shank",
                                                        [CAPTURE_FOOT] = "left_foot",
                                                        [CAPTURE_RIGHT_FOOT] = "right_foot",
                                                        [CAPTURE_TOES] = "left_toes",
                                                        [CAPTURE_RIGHT_TOES] = "right_toes",
                                                        [CAPTURE_UPPER_ARM] = "left_upper_arm",
                                                        [CAPTURE_RIGHT_UPPER_ARM] = "right_upper_arm",
                                                        [CAPTURE_FOREARM] = "left_forearm",
                                                        [CAPTURE_RIGHT_FOREARM] = "right_forearm",
                                                        [CAPTURE_HAND] = "left_hand",
                                                        [CAPTURE_RIGHT_HAND] = "right_hand"};

const char *capture_role_name(enum capture_role role)
{
  return role_names[role];
}

/* ---- names ---- */

struct stem {
  enum side side;
  char text[64];
};

/* Takes a word out of the text; 1 if it was there. */
static int take_out(char *text, const char *word)
{
  char *at = strstr(text, word);
  if (!at)
    return 0;
  memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
  return 1;
}

static int is_known_stem(const char *text)
{
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    for (int k = 0; k < MAX_STEMS && table[i].words[k]; k++)
      if (table[i].sided && strcmp(table[i].words[k], text) == 0)
        return 1;
  return 0;
}

/* Side and stem, in lower case and without anything but letters and digits. A single l or r at either end counts if
 * what is left is a word that we know: "lfoot", "foot_r". */
static struct stem take_apart(const char *name)
{
  struct stem s = {MIDDLE, ""};
  const char *colon = strrchr(name, ':');
  size_t n = 0;
  for (const char *c = colon ? colon + 1 : name; *c && n < sizeof s.text - 1; c++)
    if (isalnum((unsigned char)*c))
      s.text[n++] = (char)tolower((unsigned char)*c);
  if (take_out(s.text, "left"))
    s.side = LEFT;
  else if (take_out(s.text, "right"))
    s.side = RIGHT;
  n = strlen(s.text);
  if (s.side != MIDDLE || n < 2)
    return s;
  char first = s.text[0], last = s.text[n - 1];
  char cut[64];
  memcpy(cut, s.text, sizeof cut);
  cut[n - 1] = '\0';
  if ((first == 'l' || first == 'r') && is_known_stem(s.text + 1)) {
    s.side = first == 'l' ? LEFT : RIGHT;
    memmove(s.text, s.text + 1, n);
  } else if ((last == 'l' || last == 'r') && is_known_stem(cut)) {
    s.side = last == 'l' ? LEFT : RIGHT;
    s.text[n - 1] = '\0';
  }
  return s;
}

/* The first joint with the best of the words for a role; -1. */
static int find_joint(const struct bvh *bvh, const struct stems *t, enum side side)
{
  int best = -1, rank = MAX_STEMS;
  for (int i = 0; i < bvh->n_joints; i++) {
    if (bvh->joints[i].is_end)
      continue;
    struct stem s = take_apart(bvh->joints[i].name);
    for (int k = 0; s.side == side && k < rank && t->words[k]; k++)
      if (strcmp(t->words[k], s.text) == 0)
        best = i, rank = k;
  }
  return best;
}

/* ---- the tree ---- */

static int carries(const struct bvh *bvh, int above, int below)
{
  while (below > above)
    below = bvh->joints[below].parent;
  return below == above && above >= 0;
}

/* The joint that carries both. */
static int common_carrier(const struct bvh *bvh, int a, int b)
{
  while (a != b)
    if (a > b)
      a = bvh->joints[a].parent;
    else
      b = bvh->joints[b].parent;
  return a;
}

static int has_length(const struct bvh_joint *j)
{
  return j->offset[0] != 0 || j->offset[1] != 0 || j->offset[2] != 0;
}

/* The joint above the chest: the last one that is not where the chest or the pelvis itself is. */
static int find_abdomen(const struct bvh *bvh, int chest)
{
  int i = chest;
  while (i > 0 && !has_length(&bvh->joints[i]))
    i = bvh->joints[i].parent;
  i = i > 0 ? bvh->joints[i].parent : 0;
  return i > 0 ? i : -1;
}

/* A role whose joint is not below the one that it should hang on is none. */
static void check_chain(const struct bvh *bvh, int *role, const int *chain, int n)
{
  for (int side = 0; side < 2; side++)
    for (int k = 1; k < n; k++)
      if (role[chain[k] + side] >= 0 && !carries(bvh, role[chain[k - 1] + side], role[chain[k] + side]))
        role[chain[k] + side] = -1;
}

void capture_find_roles(const struct bvh *bvh, int role[N_CAPTURE_ROLES])
{
  static const int leg[] = {CAPTURE_THIGH, CAPTURE_SHANK, CAPTURE_FOOT, CAPTURE_TOES};
  static const int arm[] = {CAPTURE_UPPER_ARM, CAPTURE_FOREARM, CAPTURE_HAND};
  for (int i = 0; i < N_CAPTURE_ROLES; i++)
    role[i] = -1;
  role[CAPTURE_PELVIS] = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    role[table[i].role] = find_joint(bvh, &table[i], table[i].sided ? LEFT : MIDDLE);
    if (table[i].sided)
      role[table[i].role + 1] = find_joint(bvh, &table[i], RIGHT);
  }
  check_chain(bvh, role, leg, 4);
  check_chain(bvh, role, arm, 3);
  if (role[CAPTURE_UPPER_ARM] > 0 && role[CAPTURE_RIGHT_UPPER_ARM] > 0) {
    role[CAPTURE_CHEST] = common_carrier(bvh, role[CAPTURE_UPPER_ARM], role[CAPTURE_RIGHT_UPPER_ARM]);
    role[CAPTURE_ABDOMEN] = find_abdomen(bvh, role[CAPTURE_CHEST]);
  }
  if (role[CAPTURE_HEAD] >= 0 && !carries(bvh, role[CAPTURE_CHEST], role[CAPTURE_HEAD]))
    role[CAPTURE_HEAD] = -1;
}

int capture_is_human(const int role[N_CAPTURE_ROLES])
{
  for (int i = 0; i < N_CAPTURE_ROLES; i++)
    if (role[i] < 0 && i != CAPTURE_ABDOMEN && i != CAPTURE_HEAD && i != CAPTURE_TOES && i != CAPTURE_RIGHT_TOES &&
        i != CAPTURE_HAND && i != CAPTURE_RIGHT_HAND)
      return 0;
  return 1;
}

/* ---- by the names of limbs ---- */

static int joint_of_name(struct arena *arena, const struct capture *k, const char *name)
{
  for (int i = 0; i < k->n_joints; i++)
    if (!k->joints[i].is_end &&
        (strcmp(k->joints[i].name, name) == 0 || strcmp(capture_limb_name(arena, k, i), name) == 0))
      return i;
  return -1;
}

const int *capture_joints_of(struct arena *arena, const struct capture *k, const struct creature *c)
{
  struct arena *scratch = arena_new();
  int *joints = ARENA_NEW(arena, (size_t)c->n_limbs, int), good = 1;
  for (int i = 0; i < c->n_limbs && good; i++) {
    int above = c->limbs[i].parent < 0 ? 0 : joints[c->limbs[i].parent],
        joint = joint_of_name(scratch, k, c->limbs[i].name);
    joints[i] = joint;
    good = i == 0 ? joint == 0 : joint > above;
    while (good && joint > above)
      joint = k->joints[joint].parent;
    good = good && joint == above;
  }
  arena_free(scratch);
  return good ? joints : NULL;
}

void capture_way(const struct capture *k, int from, int to, double way[3])
{
  way[0] = way[1] = way[2] = 0;
  for (int i = to; i > from; i = k->joints[i].parent)
    for (int a = 0; a < 3; a++)
      way[a] += k->joints[i].offset[a];
}
