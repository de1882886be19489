/* What a process of the farm does first: it depends on nothing that it inherited but memory, and it has limits. */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "farm/room.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif
#ifndef ADDRESS_SANITIZER
#define ADDRESS_SANITIZER 0
#endif

/* ---- a new process ---- */

/* The terminal and service managers send these to whole groups: the parent alone decides what they mean, and a job must
 * not fail because the user wants the program to finish. */
static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
/* The parent's handlers are no business of ours. Those of crashes stay: only a sanitizer has such. */
static const int defaults[] = {SIGCHLD, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGPIPE,
                               SIGTSTP, SIGCONT, SIGTTIN,   SIGTTOU, SIGXCPU, SIGXFSZ};

static void begin_signals(void)
{
  sigset_t none;
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    signal(ignored[i], SIG_IGN);
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    signal(defaults[i], SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Also the sockets of other workers: nobody would see the end of them otherwise; and locks on files. */
static void close_all_but(int keep)
{
  DIR *open_files = opendir("/proc/self/fd");
  if (!open_files) {
    for (int fd = 3; fd < 1024; fd++)
      if (fd != keep)
        close(fd);
    return;
  }
  for (struct dirent *e; (e = readdir(open_files));) {
    int fd = atoi(e->d_name);
    if (fd > 2 && fd != keep && fd != dirfd(open_files))
      close(fd);
  }
  closedir(open_files);
}

int process_begin(int parent, int keep)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) /* it died before we asked */
    _exit(1);
  begin_signals();
  int low = keep;
  if (low < 3) { /* the parent had closed its standard files */
    keep = fcntl(low, F_DUPFD, 3);
    close(low);
  }
  int nothing = open("/dev/null", O_RDWR);
  if (fcntl(2, F_GETFD) < 0)
    dup2(nothing, 2);
  dup2(nothing, 0);
  dup2(2, 1);
  __fpurge(stdout); /* what the parent has not written yet is the parent's to write */
  close_all_but(keep);
  return keep;
}

/* ---- limits ---- */

/* For the handler of a signal, which has no other way to know: of the one job of this process. */
static struct {
  int out;
  size_t most; /* bytes of data; 0: no limit */
} limits;

int farm_limits_memory(void)
{
  return !ADDRESS_SANITIZER; /* its shadow is terabytes of data, and it does not let malloc() fail quietly */
}

/* Bytes of private memory that this process could write to, as the system counts them for RLIMIT_DATA. Safe in a
 * handler. 0: nobody knows. */
static size_t data_size(void)
{
  char text[256];
  int fd = open("/proc/self/statm", O_RDONLY), field = 0;
  ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text);
  size_t pages = 0;
  if (fd >= 0)
    close(fd);
  for (ssize_t i = 0; i < n && field < 6; i++) /* the sixth number: data and stack */
    if (text[i] == ' ')
      field++;
    else if (field == 5 && text[i] >= '0' && text[i] <= '9')
      pages = 10 * pages + (size_t)(text[i] - '0');
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* A process that ends now: was it because malloc() said no, or could say little else? */
static void on_crash(int sig)
{
  int no_memory = errno == ENOMEM;
  if (limits.most && !no_memory)
    no_memory = data_size() > limits.most - limits.most / 64;
  if (no_memory)
    frame_write(limits.out, FRAME_MEMORY, "", 0);
  signal(sig, SIG_DFL);
  raise(sig);
}

static void set_limit(int what, double soft, double hard)
{
  struct rlimit now;
  if (getrlimit(what, &now))
    return;
  if (now.rlim_max == RLIM_INFINITY || hard < (double)now.rlim_max)
    now.rlim_max = (rlim_t)hard;
  now.rlim_cur = soft < (double)now.rlim_max ? (rlim_t)soft : now.rlim_max;
  setrlimit(what, &now);
}

void process_limit(const struct farm_options *options, int out)
{
  limits.out = out;
  limits.most = 0;
  set_limit(RLIMIT_CORE, 0, 0); /* hundreds of crashes in a night would fill the disk */
  if (options->job_seconds > 0) /* the supervisor looks at the clock more closely; this is for when it cannot */
    set_limit(RLIMIT_CPU, ceil(options->job_seconds) + 1, ceil(options->job_seconds) + 2);
  size_t before = options->job_memory && farm_limits_memory() ? data_size() : 0;
  if (before && options->job_memory < SIZE_MAX / 2 - before) {
    limits.most = before + options->job_memory;
    set_limit(RLIMIT_DATA, (double)limits.most, (double)limits.most);
  }
  signal(SIGABRT, on_crash);
  if (!ADDRESS_SANITIZER) { /* which has more to say about these */
    signal(SIGSEGV, on_crash);
    signal(SIGBUS, on_crash);
  }
  errno = 0;
}
