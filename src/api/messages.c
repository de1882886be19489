/* Messages, settings, files: what all functions of muybridge.h need. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "api/api.h"
#include "config.h"

const char *muy_version(void)
{
  return PACKAGE_VERSION;
}

/* ---- messages ---- */

muy_messages *muy_messages_new(void)
{
  return calloc(1, sizeof(muy_messages));
}

void muy_messages_clear(muy_messages *m)
{
  if (!m)
    return;
  diag_clear(&m->diag);
  free(m->text);
  m->text = NULL;
}

void muy_messages_free(muy_messages *m)
{
  muy_messages_clear(m);
  free(m);
}

int muy_messages_count(const muy_messages *m)
{
  return m ? m->diag.n_messages : 0;
}

muy_message muy_messages_get(const muy_messages *m, int i)
{
  if (!m || i < 0 || i >= m->diag.n_messages)
    return (muy_message){0, "", 0, ""};
  const struct diag_message *d = &m->diag.messages[i];
  return (muy_message){d->level == DIAG_ERROR, d->file ? d->file : "", d->line, d->text};
}

const char *muy_messages_text(muy_messages *m)
{
  if (!m)
    return "";
  free(m->text);
  m->text = diag_text(&m->diag);
  return m->text ? m->text : "";
}

struct diag *api_diag_open(struct api_diag *a, muy_messages *m)
{
  diag_init(&a->own);
  a->d = m ? &m->diag : &a->own;
  return a->d;
}

void api_diag_close(struct api_diag *a)
{
  diag_clear(&a->own);
}

muy_status api_fail(struct diag *d, muy_status status, const char *file, const char *format, ...)
{
  char text[800];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diag_error(d, file, 0, "%s", text);
  return status;
}

/* ---- settings ---- */

void api_read_options(void *out, size_t known, const void *given)
{
  size_t size = 0;
  if (given)
    memcpy(&size, given, sizeof size);
  memcpy(out, given ? given : out, size < known ? size : known);
}

void api_set_defaults(void *out, size_t size, const void *defaults, size_t known)
{
  memset(out, 0, size);
  memcpy(out, defaults, size < known ? size : known);
}

int api_progress(muy_progress_function *f, void *user, const char *what, int done, int total, double value)
{
  return !f || f(user, &(muy_progress){what, done, total, value});
}

/* ---- files ---- */

muy_status api_write(struct arena *arena, const char *path, int (*write)(const void *what, FILE *out), const void *what,
                     struct diag *d)
{
  struct stat about;
  int special = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
  const char *part = special ? path : arena_printf(arena, "%s.part", path);
  FILE *out = fopen(part, "wb");
  int failed = !out || write(what, out);
  if (out)
    failed |= fclose(out) != 0;
  if (!failed && !special)
    failed = rename(part, path) != 0;
  if (!failed)
    return MUY_OK;
  int why = errno;
  if (out && !special)
    remove(part);
  return api_fail(d, MUY_FAILED, path, "cannot write: %s", strerror(why));
}

struct store_session api_session(struct arena *arena)
{
  char now[32];
  struct tm utc;
  time_t t = time(NULL);
  gmtime_r(&t, &utc);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return (struct store_session){"lib" PACKAGE_STRING, "", arena_strdup(arena, now)};
}
