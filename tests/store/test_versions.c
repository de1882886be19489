/* The run file: one of an older version is read as it is, and brought up to date as a whole or not at all. */
#include "store/run_file.h"

#define CLIPS 3

/* As muybridge 0.1 made it. Never to be changed, for there are such files. */
static const char version_1[] =
    "PRAGMA application_id = 0x4d757962; PRAGMA user_version = 1;"
    "CREATE TABLE session (id INTEGER PRIMARY KEY, program TEXT, command TEXT, time TEXT);"
    "CREATE TABLE creature (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT, file TEXT, n_dofs INTEGER,"
    " n_points INTEGER, text TEXT);"
    "CREATE TABLE clip (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session,"
    " name TEXT, gait TEXT, gait_after TEXT, n_frames INTEGER, n_dofs INTEGER, n_points INTEGER, cyclic INTEGER,"
    " dt, speed, strafe, turn, advance_x, advance_y, advance_yaw,"
    " from_clip INTEGER, from_frame INTEGER, to_clip INTEGER, to_frame INTEGER,"
    " q BLOB, force BLOB, contact BLOB);"
    "CREATE TABLE summary (clip INTEGER PRIMARY KEY REFERENCES clip, period, stride, speed, cost_of_transport,"
    " peak_torque, peak_torque_dof INTEGER, peak_force, peak_force_point INTEGER, lowest_root);"
    "CREATE TABLE solve (clip INTEGER PRIMARY KEY REFERENCES clip, status TEXT, reason TEXT, n_vars INTEGER,"
    " n_rows INTEGER, seconds, solves INTEGER, half_cycle INTEGER, cost, solver_status TEXT, iterations INTEGER,"
    " objective, infeasibility, solver_seconds, seconds_evaluating, seconds_hessian);"
    "CREATE TABLE iteration (clip INTEGER REFERENCES clip, step INTEGER, iteration INTEGER, objective, infeasibility,"
    " dual_infeasibility, PRIMARY KEY (clip, step)) WITHOUT ROWID;"
    "CREATE TABLE verification (clip INTEGER REFERENCES clip, measure INTEGER, what TEXT, value, bar, frame INTEGER,"
    " place TEXT, passed INTEGER, PRIMARY KEY (clip, measure)) WITHOUT ROWID;"
    "INSERT INTO session VALUES (1, 'muybridge 0.1.0', 'muybridge gait hopper hop', '2026-01-31T12:00:00Z');";

/* A file of version 1 with the hopper, its first clips and a summary of clip 2. */
static const char *old_run(struct arena *arena, const char *name)
{
  const char *path = in_folder(arena, name), *source = hopper_run(arena, "source.muy", CLIPS);
  harm(path, version_1);
  harm(path, arena_printf(arena,
                          "ATTACH '%s' AS source; INSERT INTO creature SELECT * FROM source.creature;"
                          "INSERT INTO clip SELECT * FROM source.clip; UPDATE clip SET session = 1;"
                          "INSERT INTO summary VALUES (2, 0.5, 1.5, 3, 0.2, 0.1, 7, 2.5, 1, 0.9)",
                          source));
  CHECK(remove(source) == 0);
  return path;
}

static void check_version(const char *path, const char *expected)
{
  struct arena *arena = arena_new();
  CHECK_STR(ask(arena, path, "PRAGMA user_version"), expected);
  CHECK_STR(ask(arena, path, "PRAGMA integrity_check"), "ok");
  arena_free(arena);
}

/* Everything that was in the file of version 1. */
static void check_clips(struct store *s, struct diag *d)
{
  struct arena *arena = arena_new();
  int n = 0;
  const struct creature *c = s ? store_get_creature(arena, s, d) : NULL;
  for (int id = 1; id <= CLIPS && c; id++) {
    const struct clip *clip = store_get_clip(arena, s, id, d);
    CHECK(clip && same_clip(clip, random_clip(arena, c, 1, id)));
  }
  const struct store_line *lines = c ? store_list_clips(arena, s, &n, d) : NULL;
  CHECK(lines && n == CLIPS && lines[1].has_summary && lines[1].summary.period == 0.5 && !lines[2].has_summary);
  check_says(d, "");
  arena_free(arena);
}

/* There are none, and that is no error unless one is asked for. */
static void check_no_controllers(struct store *s, struct diag *d)
{
  struct arena *arena = arena_new();
  struct store_controller c;
  const char *file;
  size_t length;
  int n = -1;
  CHECK(store_list_tasks(arena, s, &n, d) && n == 0);
  CHECK(store_list_controllers(arena, s, &n, d) && n == 0);
  check_says(d, "");
  CHECK(!store_get_controller(arena, s, 0, &c, d));
  check_says(d, "@/a.muy: error: there are no controllers in this run file; muybridge policy makes one\n");
  CHECK(!store_get_controller(arena, s, 1, &c, d));
  check_says(d, "@/a.muy: error: there is no controller 1 in this run file\n");
  CHECK(!store_get_task_text(arena, s, 1, &file, &length, d));
  check_says(d, "@/a.muy: error: there is no task 1 in this run file\n");
  arena_free(arena);
}

/* Reading an old file does not change it. */
static void test_read_old(void)
{
  struct arena *arena = arena_new();
  size_t n, m;
  const char *path = old_run(arena, "a.muy"), *before = read_bytes(arena, path, &n);
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_READ, &d);
  check_clips(s, &d);
  check_no_controllers(s, &d);
  CHECK_INT(store_put_task_text(s, "a.task", "", 0, &d), 0);
  check_says(&d, "@/a.muy: error: cannot write: the file or its folder is read-only\n");
  store_close(s);
  const char *after = read_bytes(arena, path, &m);
  CHECK(n == m && memcmp(before, after, n) == 0);
  empty_folder();
  arena_free(arena);
}

/* Opened for writing, it is what a new file would be, and goes on where it was. */
static void test_upgrade(void)
{
  static const char tables[] = "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_master ORDER BY name)";
  struct arena *arena = arena_new();
  const char *path = old_run(arena, "a.muy"), *new = hopper_run(arena, "new.muy", 0);
  const struct creature *c = NULL;
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  check_clips(s, &d);
  check_no_controllers(s, &d);
  store_close(s);
  check_version(path, "8");
  CHECK_STR(ask(arena, path, tables), ask(arena, new, tables));
  CHECK_STR(ask(arena, path, "SELECT count(*) FROM clip WHERE session = 1"), "3");
  s = open_hopper(arena, path, &c, &d);
  check_clips(s, &d);
  add_controllers(s, 2, 100, &d);
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, CLIPS + 1), NULL, &d), CLIPS + 1);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* A reader that is there already goes on, and finds what is new. */
static void test_upgrade_of_open_file(void)
{
  struct arena *arena = arena_new();
  const char *path = old_run(arena, "a.muy");
  struct store_controller c, expected = random_controller(arena, 1, 2, 100);
  struct diag d;
  int n;
  diag_init(&d);
  struct store *reader = store_open(arena, path, STORE_READ, &d);
  check_no_controllers(reader, &d);
  struct store *writer = store_open(arena, path, STORE_WRITE, &d);
  add_controllers(writer, 2, 100, &d);
  store_close(writer);
  check_clips(reader, &d);
  CHECK(store_get_controller(arena, reader, 0, &c, &d) && same_controller(&c, &expected));
  CHECK(store_list_tasks(arena, reader, &n, &d) && n == 1);
  CHECK(store_list_controllers(arena, reader, &n, &d) && n == 2);
  store_close(reader);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* No room for the new tables: the file stays as it was, to the byte, and can be read; with room, all goes well. */
static int upgrade_without_room(const char *path)
{
  struct arena *arena = arena_new();
  size_t n, m;
  const char *before = read_bytes(arena, path, &n);
  struct diag d;
  diag_init(&d);
  limit_files(n);
  check_refused(path, STORE_WRITE, "@/a.muy: error: cannot read or write: disk I/O error; nothing was changed\n");
  const char *after = read_bytes(arena, path, &m);
  CHECK(n == m && memcmp(before, after, n) == 0);
  check_version(path, "1");
  struct store *s = store_open(arena, path, STORE_READ, &d);
  check_clips(s, &d);
  store_close(s);
  limit_files(RLIM_INFINITY);
  s = store_open(arena, path, STORE_WRITE, &d);
  check_clips(s, &d);
  store_close(s);
  check_version(path, "8");
  arena_free(arena);
  return 0;
}

/* Nor is it brought up to date where it may not be written to. */
static int upgrade_of_read_only(const char *path)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  CHECK(as_nobody());
  check_refused(path, STORE_WRITE, "@/a.muy: error: cannot write: the file or its folder is read-only\n");
  struct store *s = store_open(arena, path, STORE_READ, &d);
  check_clips(s, &d);
  check_no_controllers(s, &d);
  store_close(s);
  arena_free(arena);
  return 0;
}

static void test_failed_upgrade(void)
{
  struct arena *arena = arena_new();
  in_child(upgrade_without_room, old_run(arena, "a.muy"));
  empty_folder();
  const char *path = old_run(arena, "a.muy");
  CHECK(chmod(path, 0444) == 0 && chmod(folder, 0777) == 0);
  in_child(upgrade_of_read_only, path);
  CHECK(chmod(folder, 0755) == 0);
  check_version(path, "1");
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  run_begin();
  test_read_old();
  test_upgrade();
  test_upgrade_of_open_file();
  test_failed_upgrade();
  return run_finish();
}
