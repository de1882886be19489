/* A program for tests/farm/test_mpi.sh: does a list of good and bad jobs and writes how they went. Usage, perhaps after
 * mpirun -n N: farm_work fork|mpi|auto|inline WORKERS good|bad|close|unready|services */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farm/jobs.h"

/* Closes farms with jobs in all states; then all must be as before. */
static void close_early(struct arena *arena, const struct farm_options *options)
{
  char *jobs[] = {"Z", "b20000000", "h1", "O", "L1000", "Z", "h2"};
  struct diag d;
  struct farm_result r;
  diag_init(&d);
  for (int i = 0; i < 7; i++) {
    struct farm *f = farm_open(arena, options, &d);
    for (int k = i; f && k < 7; k++)
      farm_submit(f, 0, jobs[k], strlen(jobs[k]));
    if (f && i == 2)
      farm_collect(f, &r);
    farm_close(f);
  }
  char *text = diag_text(&d);
  fputs(text, stdout);
  free(text);
  diag_clear(&d);
}

/* What is shared is bad at all ranks but 0. */
static void be_unready(struct arena *arena, struct farm_options options, char *const *jobs, int n)
{
  options.shared = "bad elsewhere";
  options.n_shared = strlen(options.shared);
  fputs(jobs_record(arena, &options, jobs, n), stdout);
}

/* ---- ranks with two services ---- */

struct speaker { int loud, prepared, finished; };

static int prepare_speaker(void *user, const void *shared, size_t n_shared, struct diag *d)
{
  (void)shared, (void)n_shared, (void)d;
  ((struct speaker *)user)->prepared++;
  return 1;
}

static void finish_speaker(void *user)
{
  ((struct speaker *)user)->finished++;
}

static void speak(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  const struct speaker *s = user;
  char text[100];
  for (size_t i = 0; i < n_in; i++) {
    int letter = ((const char *)in)[i];
    char said = (char)(s->loud ? toupper(letter) : letter);
    farm_reply_write(out, &said, 1);
  }
  int n = snprintf(text, sizeof text, " prepared %d, finished %d", s->prepared, s->finished);
  farm_reply_write(out, text, (size_t)n);
}

static struct farm_options speaker_service(const char *name, struct speaker *s)
{
  return (struct farm_options){.kind = FARM_MPI, .service = name, .user = s, .run = speak, .prepare = prepare_speaker,
                               .finish = finish_speaker};
}

static struct farm *open_service(struct arena *arena, const char *name)
{
  struct speaker here = {0};
  struct farm_options options = speaker_service(name, &here);
  struct diag d;
  diag_init(&d);
  struct farm *f = farm_open(arena, &options, &d);
  char *text = diag_text(&d);
  fputs(text, stdout);
  free(text);
  diag_clear(&d);
  return f;
}

static void use_services(struct arena *arena)
{
  static const char *const names[] = {"loud", "quiet", "loud"};
  farm_close(open_service(arena, "none"));
  for (int i = 0; i < 3; i++) {
    struct farm *f = open_service(arena, names[i]);
    struct farm_result r;
    if (f && i == 0)
      farm_close(open_service(arena, "quiet")); /* not while another one is open */
    if (f)
      farm_submit(f, 0, "hoof", 4);
    if (f && farm_collect(f, &r) == 1)
      printf("%s: %.*s\n", names[i], (int)r.n_bytes, (const char *)r.bytes);
    farm_close(f);
  }
}

static enum farm_kind kind_of(const char *name)
{
  return !strcmp(name, "fork") ? FARM_FORK : !strcmp(name, "mpi") ? FARM_MPI
         : !strcmp(name, "inline") ? FARM_INLINE : FARM_AUTO;
}

int main(int argc, char **argv)
{
  farm_start(&argc, &argv);
  if (argc != 4)
    return 2;
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(kind_of(argv[1]), atoi(argv[2]));
  const char *what = argv[3];
  int n = 200;
  options.shared = "all share this";
  options.n_shared = strlen(options.shared);
  if (farm_rank() > 0 && !strcmp(what, "services")) {
    struct speaker speakers[2] = {{.loud = 1}, {.loud = 0}};
    const struct farm_options services[2] = {speaker_service("loud", &speakers[0]),
                                             speaker_service("quiet", &speakers[1])};
    farm_serve(services, 2);
  } else if (farm_rank() > 0) {
    farm_serve(&options, 1);
  } else if (!strcmp(what, "services")) {
    use_services(arena);
  } else {
    char **jobs = strcmp(what, "bad") ? jobs_good(arena, n) : jobs_bad(arena, &n);
    options.job_seconds = strcmp(what, "bad") ? 0 : 1;
    options.job_memory = 200 << 20;
    if (!strcmp(what, "close"))
      close_early(arena, &options);
    if (!strcmp(what, "unready"))
      be_unready(arena, options, jobs, n);
    fputs(jobs_record(arena, &options, jobs, n), stdout);
  }
  arena_free(arena);
  farm_stop();
  return 0;
}
