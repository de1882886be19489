/* Clips as tables of other programs: NumPy's archives byte by byte, and what they say of a clip against the clip;
 * OpenSim's tables; robots in URDF and stages in USD, whose links are put where the creature's limbs are. */
#include <stdlib.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "exchange/arrays.h"
#include "exchange/exchange.h"
#include "exchange/npz.h"
#include "exchange/smooth_clip.h"
#include "zoo.h"

/* What a writer writes, as a text; the caller frees it. */
static char *written(int (*write)(const struct creature *c, const struct clip *clip, FILE *out),
                     const struct creature *c, const struct clip *clip, size_t *n)
{
  char *text = NULL;
  FILE *out = open_memstream(&text, n);
  CHECK(out && write(c, clip, out) == 0);
  fclose(out);
  return text;
}

static void test_archive(void)
{
  struct arena *arena = arena_new();
  struct arrays *a = arrays_new(arena);
  char *bytes = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&bytes, &n);
  arrays_add_reals(a, "grid", (struct arrays_shape){2, {2, 3}}, (const double[]){1, -2, 3.5, 1e300, 0, INFINITY});
  arrays_add_ints(a, "ints", (struct arrays_shape){1, {2}}, (const int[]){-7, 1 << 30});
  arrays_add_flags(a, "flags", (struct arrays_shape){1, {3}}, (const unsigned char[]){0, 5, 1});
  arrays_add_texts(a, "words", 3, (const char *const[]){"pelvis", "", "\xc3\xa9\xf0\x9d\x84\x9e\xff"});
  arrays_add_reals(a, "none", (struct arrays_shape){2, {0, 3}}, NULL);
  arrays_add_text(a, "name", "horse");
  arrays_add_real(a, "fps", 83.25);
  CHECK_INT(arrays_write(a, out), 0);
  fclose(out);
  const struct npz *z = npz_read(arena, (unsigned char *)bytes, n);
  CHECK(z != NULL);
  if (z) {
    CHECK_INT(z->n, 7);
    CHECK_STR(npz_find(z, "grid")->shape, "(2, 3)");
    CHECK_STR(npz_find(z, "ints")->shape, "(2,)");
    CHECK_STR(npz_find(z, "fps")->shape, "()");
    CHECK_STR(npz_find(z, "none")->shape, "(0, 3)");
    CHECK(npz_real(z, "grid", 3) == 1e300 && npz_real(z, "grid", 5) == INFINITY && npz_real(z, "fps", 0) == 83.25);
    CHECK(npz_int(z, "ints", 0) == -7 && npz_int(z, "ints", 1) == 1 << 30);
    CHECK(npz_int(z, "flags", 0) == 0 && npz_int(z, "flags", 1) == 1);
    CHECK_STR(npz_find(z, "words")->type, "<U6");
    CHECK_STR(npz_text(arena, z, "words", 0), "pelvis");
    CHECK_STR(npz_text(arena, z, "name", 0), "horse");
    const unsigned char third[] = {0xe9, 0, 0, 0, 0x1e, 0xd1, 1, 0, 0xff, 0, 0, 0, 0, 0, 0, 0};
    CHECK(memcmp(npz_find(z, "words")->data + 2 * 24, third, sizeof third) == 0);
  }
  bytes[n / 2] ^= 1; /* the reader of this test notices damage */
  fprintf(stderr, "expected: ");
  CHECK(!npz_read(arena, (unsigned char *)bytes, n));
  free(bytes);
  arena_free(arena);
}

/* ---- npz of a clip ---- */

/* Angular velocity over a frame, of two quaternions x, y, z, w: 2 q' q^-1. */
static void turning_between(const struct npz *z, size_t f, double fps, double *out)
{
  double a[4], b[4], back[4], d[4];
  for (size_t k = 0; k < 4; k++) {
    a[k] = npz_real(z, "root_rot", 4 * f + (k + 3) % 4);
    b[k] = npz_real(z, "root_rot", 4 * (f + 1) + (k + 3) % 4);
  }
  quat_inverse(a, back);
  quat_multiply(b, back, d);
  for (int k = 0; k < 3; k++)
    out[k] = 2 * d[k + 1] * fps;
}

/* Bodies against the kinematics; joints by their names. */
static void check_frame(const struct npz *z, struct arena *arena, const struct creature *c, const struct clip *clip,
                        struct dynamics *d, size_t f)
{
  const double *q = clip->q + f * (size_t)c->n_dofs;
  size_t k = (size_t)c->n_dofs - CREATURE_ROOT_DOFS, limbs = (size_t)c->n_limbs, points = (size_t)c->n_points;
  double R[9], M[9], turn[4], at[3];
  dynamics_kinematics(d, q);
  for (size_t i = 0; i < limbs; i++) {
    dynamics_rotation(d, c->limbs[i].body, R);
    dynamics_point(d, c->limbs[i].body, c->limbs[i].origin, at);
    for (size_t m = 0; m < 4; m++)
      turn[m] = npz_real(z, "body_rot", 4 * (f * limbs + i) + (m + 3) % 4);
    quat_to_matrix(turn, M);
    for (size_t m = 0; m < 9; m++)
      CHECK_NEAR(M[m], R[m], 1e-12);
    for (size_t m = 0; m < 3; m++)
      CHECK_NEAR(npz_real(z, "body_pos", 3 * (f * limbs + i) + m), at[m], 1e-12);
  }
  for (size_t i = 0; i < k; i++) {
    int dof = creature_find_dof(c, npz_text(arena, z, "dof_names", i));
    CHECK(dof >= CREATURE_ROOT_DOFS && npz_real(z, "dof_pos", f * k + i) == q[dof]);
    CHECK(npz_real(z, "qpos", f * (7 + k) + 7 + i) == q[dof]);
  }
  for (size_t m = 0; m < 3 * points; m++)
    CHECK(npz_real(z, "contact_force", 3 * points * f + m) == clip->force[3 * points * f + m]);
  for (size_t m = 0; m < points; m++)
    CHECK(npz_int(z, "contact", points * f + m) == clip->contact[points * f + m]);
  for (size_t m = 0; m < 4; m++)
    CHECK(npz_real(z, "qpos", f * (7 + k) + 3 + m) == npz_real(z, "root_rot", 4 * f + (m + 3) % 4));
}

static void check_motion(struct arena *arena, const struct creature *c, int cyclic)
{
  const struct clip *clip = smooth_clip(arena, c, 5, cyclic, 0.5);
  struct dynamics *d = dynamics_new(arena, c);
  size_t n = 0, frames = (size_t)clip->n_frames, k = (size_t)c->n_dofs - CREATURE_ROOT_DOFS, same = 0;
  char *bytes = written(exchange_write_npz, c, clip, &n);
  const struct npz *z = npz_read(arena, (unsigned char *)bytes, n);
  CHECK(z != NULL);
  if (!z)
    return;
  CHECK_STR(npz_text(arena, z, "creature", 0), c->name);
  CHECK_NEAR(npz_real(z, "fps", 0), 1 / clip->dt, 0);
  CHECK_INT(npz_int(z, "cyclic", 0), cyclic);
  for (size_t f = 0; f < frames; f++) {
    check_frame(z, arena, c, clip, d, f);
    int known = npz_int(z, "torque_known", f);
    CHECK_INT(known, cyclic || (f > 0 && f + 1 < frames));
    for (size_t i = 0; i < k; i++)
      same += !known && npz_real(z, "dof_torque", f * k + i) == 0;
  }
  CHECK_INT((long)same, cyclic ? 0 : (long)(2 * k));
  /* speeds of the root: between frames, the mean of both; the free joint's in the frame of the body */
  for (size_t f = 1; f + 2 < frames; f++) {
    double w[3], R[9], turn[4];
    turning_between(z, f, 1 / clip->dt, w);
    for (size_t m = 0; m < 4; m++)
      turn[m] = npz_real(z, "root_rot", 4 * f + (m + 3) % 4);
    quat_to_matrix(turn, R);
    for (size_t m = 0; m < 3; m++) {
      double a = npz_real(z, "root_ang_vel", 3 * f + m), b = npz_real(z, "root_ang_vel", 3 * (f + 1) + m), own = 0;
      CHECK_NEAR(w[m], (a + b) / 2, 0.02 * (1 + fabs(a) + fabs(b)));
      for (size_t r = 0; r < 3; r++)
        own += R[3 * m + r] * npz_real(z, "qvel", f * (6 + k) + 3 + r);
      CHECK_NEAR(own, a, 1e-12 * (1 + fabs(a)));
    }
  }
  free(bytes);
}

/* ---- OpenSim ---- */

static void test_opensim(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  const struct clip *clip = smooth_clip(arena, c, 5, 0, 0.5);
  size_t n;
  char *mot = written(exchange_write_mot, c, clip, &n), *sto = written(exchange_write_sto, c, clip, &n);
  char head[200];
  snprintf(head, sizeof head, "\nversion=1\nnRows=%d\nnColumns=%d\ninDegrees=no\nendheader\ntime\troot_tx\t",
           clip->n_frames, 1 + c->n_dofs);
  CHECK(strstr(mot, head));
  const char *row = strstr(mot, "\n0\t");
  double x = NAN, y = NAN, z = NAN, yaw = NAN;
  CHECK(row && sscanf(row, " %*f %lf %lf %lf %lf", &x, &y, &z, &yaw) == 4);
  CHECK(x == clip->q[0] && y == clip->q[2] && z == -clip->q[1] && yaw == clip->q[3]);
  CHECK(strstr(sto, arena_printf(arena, "nColumns=%d\n", 1 + 6 * c->n_points + c->n_dofs - 6)));
  CHECK(strstr(sto, arena_printf(arena, "\t%s_force_pz\t", c->points[0].name)));
  CHECK(strstr(sto, arena_printf(arena, "\t%s_moment\n", c->dofs[c->n_dofs - 1].name)));
  CHECK(!strstr(sto, "nan") && !strstr(mot, "-0\t"));
  row = strstr(sto, "\n0\t");
  CHECK(row && sscanf(row, " %*f %lf %lf %lf", &x, &y, &z) == 3);
  CHECK(x == clip->force[0] && y == clip->force[2] && z == 0 - clip->force[1]);
  int lines = 0;
  for (const char *at = sto; (at = strchr(at, '\n')); at++)
    lines++;
  CHECK_INT(lines, 7 + clip->n_frames);
  free(mot);
  free(sto);
  arena_free(arena);
}

/* ---- URDF and USD ---- */

static int write_urdf(const struct creature *c, const struct clip *clip, FILE *out)
{
  (void)clip;
  return exchange_write_urdf(c, out);
}

static int times(const char *text, const char *what)
{
  int n = 0;
  for (; (text = strstr(text, what)); text++)
    n++;
  return n;
}

/* Every limb is a link with its mass; joints carry them where they are at zero angles, about their axes. */
static void check_urdf(struct arena *arena, const struct creature *c)
{
  size_t n;
  int fixed = 0, between = 0;
  double mass = 0;
  char *text = written(write_urdf, c, NULL, &n);
  for (int i = 1; i < c->n_limbs; i++)
    fixed += c->limbs[i].n_dofs == 0, between += c->limbs[i].n_dofs ? c->limbs[i].n_dofs - 1 : 0;
  CHECK_INT(times(text, "  <link"), c->n_limbs + between);
  CHECK_INT(times(text, "<collision name="), c->n_points);
  CHECK_INT(times(text, "type=\"fixed\""), fixed);
  CHECK_INT(times(text, "type=\"revolute\"") + times(text, "type=\"continuous\""), c->n_dofs - CREATURE_ROOT_DOFS);
  for (const char *at = text; (at = strstr(at, "<mass value=\"")); at++)
    mass += strtod(at + strlen("<mass value=\""), NULL);
  CHECK_NEAR(mass, c->mass, 5e-6 * c->mass);
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++) {
    const struct dof *d = &c->dofs[i];
    double axis[3] = {NAN, NAN, NAN}, at[3] = {NAN, NAN, NAN};
    const char *joint = strstr(text, arena_printf(arena, "<joint name=\"%s\"", d->name));
    const char *line = joint ? strstr(joint, "<axis xyz=\"") : NULL, *origin = joint ? strstr(joint, "xyz=\"") : NULL;
    CHECK(line && sscanf(line, "<axis xyz=\"%lf %lf %lf", axis, axis + 1, axis + 2) == 3);
    CHECK(origin && sscanf(origin, "xyz=\"%lf %lf %lf", at, at + 1, at + 2) == 3);
    for (int k = 0; k < 3; k++) {
      CHECK(axis[k] == d->axis[k]);
      CHECK_NEAR(at[k], i == c->limbs[d->limb].first_dof ? c->limbs[d->limb].at[k] : 0, 0);
    }
  }
  free(text);
}

static void check_usda(struct arena *arena, const struct creature *c)
{
  const struct clip *clip = smooth_clip(arena, c, 7, 1, 0.5);
  size_t n;
  int shapes = 0, moved = 0;
  char *text = written(exchange_write_usda, c, clip, &n);
  for (int i = 0; i < c->n_limbs; i++)
    shapes += c->limbs[i].shape.kind != SHAPE_NONE, moved += c->limbs[i].n_dofs > 0;
  CHECK(strncmp(text, "#usda 1.0\n", 10) == 0);
  CHECK_INT(times(text, "def Xform "), 1 + c->n_limbs);
  CHECK_INT(times(text, "\"shape\""), shapes);
  CHECK_INT(times(text, "orient.timeSamples"), moved);
  CHECK_INT(times(text, "{"), times(text, "}"));
  CHECK_INT(times(text, arena_printf(arena, " %d: (", clip->n_frames)), moved + 1); /* it closes the cycle */
  double at[3];
  const char *line = strstr(text, "translate.timeSamples = { 0: (");
  CHECK(line && sscanf(strchr(line, '('), "(%lf, %lf, %lf)", at, at + 1, at + 2) == 3);
  for (int k = 0; k < 3; k++)
    CHECK_NEAR(at[k], clip->q[k], 1e-8 * (1 + fabs(at[k])));
  free(text);
}

int main(void)
{
  test_archive();
  test_opensim();
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    CHECK(c != NULL);
    if (c) {
      check_motion(arena, c, i % 2);
      check_urdf(arena, c);
      check_usda(arena, c);
    }
    arena_free(arena);
  }
  return test_finish();
}
