/* A job in its process: what it replies, and how the process ends. Inline farms use the reply without the process. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "farm/room.h"

void farm_reply_write(struct farm_reply *out, const void *bytes, size_t n)
{
  if (n == 0)
    return;
  if (out->room - out->n < n) {
    size_t room = 2 * out->room > out->n + n ? 2 * out->room : out->n + n;
    out->bytes = farm_memory(out->bytes, room);
    out->room = room;
  }
  memcpy(out->bytes + out->n, bytes, n);
  out->n += n;
}

void farm_reply_fail(struct farm_reply *out, const char *format, ...)
{
  va_list args;
  if (out->failed)
    return; /* the first reason is the one that matters */
  out->failed = 1;
  va_start(args, format);
  vsnprintf(out->words, sizeof out->words, format, args);
  va_end(args);
}

void farm_reply_progress(struct farm_reply *out, const char *format, ...)
{
  char words[FARM_WORDS];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  if (out->out >= 0)
    frame_write(out->out, FRAME_LINE, words, strlen(words));
  else if (out->line)
    out->line(out->where, words);
}

void job_main(const struct farm_options *options, const void *in, size_t n_in, int out)
{
  struct farm_reply reply = {.out = out};
  process_limit(options, out);
  options->run(options->user, in, n_in, &reply);
  int sent = reply.failed ? frame_write(out, FRAME_FAILED, reply.words, strlen(reply.words))
                          : frame_write(out, FRAME_ANSWER, reply.bytes, reply.n);
  _exit(sent ? 0 : 1); /* nothing of the parent's is flushed or cleaned up */
}
