/* What wasi-libc would import from a system, for a module that has none. Built by `make stage` only.
 *
 * The core writes to memory and reads bytes that it is handed; but the C library's streams know of files, and its end
 * of a process of a system. These answers take the place of the imports: no file can be written, no variable of the
 * environment is set, the clock stands still (nothing that is computed looks at it), an end of the process is a trap.
 * Names and types are those of WASI, preview 1. */
#include <stdint.h>

#define BAD_FILE 8               /* errno of WASI */

int32_t __imported_wasi_snapshot_preview1_clock_time_get(int32_t clock, int64_t precision, int32_t time);
int32_t __imported_wasi_snapshot_preview1_environ_get(int32_t list, int32_t text);
int32_t __imported_wasi_snapshot_preview1_environ_sizes_get(int32_t count, int32_t size);
int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file);
int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t by, int32_t from, int32_t place);
int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t parts, int32_t n, int32_t written);
_Noreturn void __imported_wasi_snapshot_preview1_proc_exit(int32_t status);

int32_t __imported_wasi_snapshot_preview1_clock_time_get(int32_t clock, int64_t precision, int32_t time)
{
  (void)clock, (void)precision;
  *(int64_t *)(intptr_t)time = 0;
  return 0;
}

int32_t __imported_wasi_snapshot_preview1_environ_get(int32_t list, int32_t text)
{
  (void)list, (void)text;
  return 0;
}

int32_t __imported_wasi_snapshot_preview1_environ_sizes_get(int32_t count, int32_t size)
{
  *(int32_t *)(intptr_t)count = 0;
  *(int32_t *)(intptr_t)size = 0;
  return 0;
}

int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file)
{
  (void)file;
  return BAD_FILE;
}

int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t by, int32_t from, int32_t place)
{
  (void)file, (void)by, (void)from, (void)place;
  return BAD_FILE;
}

int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t parts, int32_t n, int32_t written)
{
  (void)file, (void)parts, (void)n, (void)written;
  return BAD_FILE;
}

_Noreturn void __imported_wasi_snapshot_preview1_proc_exit(int32_t status)
{
  (void)status;
  __builtin_trap();
}
