/* The stage as a WebAssembly module: one stage, and the functions that a page calls, under their names without
 * "stage_". Built by `make stage` only. doc/stage.md lists them.
 *
 * The module imports nothing, so that it can be instantiated anywhere: what the C library would ask of a system (a file
 * to write to, an end of the process) is answered here, and there is no system. Memory that a page hands in is
 * allocated by mem() and freed by the call that takes it; what is handed out is the stage's. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "stage/stage.h"

#define EXPORT(name) __attribute__((export_name(#name)))

static struct stage *stage;
static size_t last;              /* bytes of what was handed out last */

static struct stage *the_stage(void)
{
  if (!stage)
    stage = stage_new();
  return stage;
}

EXPORT(mem) void *export_mem(int32_t n)
{
  void *p = n >= 0 ? malloc((size_t)n + 1) : NULL;
  if (!p)
    arena_out_of_memory();
  return p;
}

EXPORT(open) int32_t export_open(void *bytes, int32_t n)
{
  int good = stage_open(the_stage(), bytes, (size_t)n);
  free(bytes);
  return good;
}

EXPORT(why) const char *export_why(void) { return stage_why(the_stage()); }
EXPORT(about) const char *export_about(void) { return stage_about(the_stage()); }
EXPORT(mode) int32_t export_mode(int32_t m, int32_t clip) { return stage_mode(the_stage(), m, clip); }
EXPORT(mode_now) int32_t export_mode_now(void) { return stage_mode_now(the_stage()); }
EXPORT(frame) int32_t export_frame(void) { return stage_frame(the_stage()); }
EXPORT(record) const float *export_record(void) { return stage_record(the_stage()); }
EXPORT(pose) const double *export_pose(void) { return stage_pose(the_stage()); }
EXPORT(speeds) const double *export_speeds(void) { return stage_speeds(the_stage()); }
EXPORT(ask) int32_t export_ask(int32_t parameter, double value) { return stage_ask(the_stage(), parameter, value); }

EXPORT(push) int32_t export_push(int32_t limb, double fx, double fy, double fz, double seconds)
{
  return stage_push(the_stage(), limb, (double[3]){fx, fy, fz}, seconds);
}

EXPORT(grab) int32_t export_grab(int32_t limb, double px, double py, double pz, double tx, double ty, double tz)
{
  return stage_grab(the_stage(), limb, (double[3]){px, py, pz}, (double[3]){tx, ty, tz});
}

EXPORT(release) void export_release(void) { stage_release(the_stage()); }

EXPORT(throw_ball) int32_t export_throw_ball(double x, double y, double z, double vx, double vy, double vz,
                                             double mass, double radius)
{
  return stage_throw_ball(the_stage(), (double[3]){x, y, z}, (double[3]){vx, vy, vz}, mass, radius);
}

EXPORT(ground) int32_t export_ground(int32_t kind, double size, double spacing, int32_t seed)
{
  return stage_ground(the_stage(), kind, size, spacing, (uint32_t)seed);
}

EXPORT(friction) int32_t export_friction(double mu) { return stage_friction(the_stage(), mu); }
EXPORT(height) double export_height(double x, double y) { return stage_height(the_stage(), x, y); }
EXPORT(restart) int32_t export_restart(void) { return stage_restart(the_stage()); }
EXPORT(place) int32_t export_place(double x, double y, double yaw) { return stage_place(the_stage(), x, y, yaw); }
EXPORT(seek) int32_t export_seek(int32_t frame) { return stage_seek(the_stage(), frame); }
EXPORT(load_limb) int32_t export_load_limb(int32_t limb, double kg) { return stage_load_limb(the_stage(), limb, kg); }
EXPORT(edit) int32_t export_edit(int32_t kind, double value) { return stage_edit(the_stage(), kind, value); }
EXPORT(show) int32_t export_show(int32_t what, int32_t on) { return stage_show(the_stage(), what, on); }

EXPORT(save) const void *export_save(void) { return stage_save(the_stage(), &last); }
EXPORT(saved) int32_t export_saved(void) { return (int32_t)last; }

EXPORT(restore) int32_t export_restore(void *bytes, int32_t n)
{
  int good = stage_restore(the_stage(), bytes, (size_t)n);
  free(bytes);
  return good;
}

EXPORT(log_on) void export_log_on(int32_t on) { stage_log_on(the_stage(), on); }

EXPORT(export_) const void *export_export(char *name, int32_t n)
{
  name[n] = '\0'; /* mem() has room for it */
  const void *bytes = stage_export(the_stage(), name, &last);
  free(name);
  return bytes;
}

EXPORT(time) double export_time(void) { return stage_time(the_stage()); }
EXPORT(looks) int32_t export_looks(void) { return stage_looks(the_stage()); }
EXPORT(put_off) int32_t export_put_off(void) { return stage_put_off(the_stage()); }
EXPORT(value) double export_value(void) { return stage_value(the_stage()); }
