/* The processes of the farm: none is left behind, whoever dies; none holds files of others; signals are for the
 * parent. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "farm/jobs.h"

static int count_files(void)
{
  DIR *all = opendir("/proc/self/fd");
  int n = -3; /* itself, "." and ".." */
  while (all && readdir(all))
    n++;
  if (all)
    closedir(all);
  return n;
}

/* This process adopts all orphans below it (see main), so that a process that was left behind is a child. */
static int no_children(void) { return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD; }

/* A child that does not outlive this process, even if that is killed for taking too long. */
static pid_t fork_child(void)
{
  pid_t child = fork();
  if (child == 0)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  return child;
}

static struct farm *open_farm(struct arena *arena, const struct farm_options *options)
{
  struct diag d;
  diag_init(&d);
  struct farm *f = farm_open(arena, options, &d);
  CHECK(f && d.n_messages == 0);
  return f;
}

/* Facts about the process of a job. */
static struct facts ask_facts(struct farm *f)
{
  struct facts facts = {0};
  struct farm_result r;
  farm_submit(f, 0, "i", 1);
  CHECK(farm_collect(f, &r) == 1 && r.outcome == FARM_DONE && r.n_bytes == sizeof facts);
  if (r.n_bytes == sizeof facts)
    memcpy(&facts, r.bytes, sizeof facts);
  return facts;
}

/* ---- files and zombies ---- */

static void test_clean(void)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 1);
  struct farm_result r;
  FILE *other = fopen("/dev/null", "r"); /* that workers must not keep open */
  int before = count_files();
  struct farm *f = open_farm(arena, &options);
  int during = count_files();
  struct facts at_first = ask_facts(f);
  for (int i = 0; i < 60; i++)
    farm_submit(f, 1, &"VAXQ"[i % 4], 1);
  while (farm_collect(f, &r) == 1)
    CHECK(r.outcome == FARM_CRASHED || r.outcome == FARM_EXITED);
  struct facts at_last = ask_facts(f);
  CHECK_INT(at_first.n_files, 4);
  CHECK_INT(at_last.n_files, 4);
  CHECK_INT(at_last.siblings, 0); /* dead ones would count */
  CHECK_INT(at_last.supervisor, at_first.supervisor);
  CHECK(at_last.stdout_is_stderr && at_last.stdin_is_empty);
  CHECK_INT(count_files(), during);
  CHECK_INT(during, before + 1);
  farm_close(f);
  CHECK_INT(count_files(), before);
  CHECK(no_children());
  fclose(other);
  arena_free(arena);
}

/* Closed while jobs run, wait and send. */
static void test_close_early(void)
{
  int before = count_files();
  for (int i = 0; i < 6; i++) {
    struct arena *arena = arena_new();
    struct farm_options options = jobs_options(FARM_FORK, 3);
    struct farm_result r;
    options.as_they_come = i % 2;
    struct farm *f = open_farm(arena, &options);
    for (int k = 0; k < 12; k++) {
      const char *job = k % 3 == 0 ? "Z" : k % 3 == 1 ? "b9000000" : "h1";
      farm_submit(f, 0, job, strlen(job));
    }
    if (i > 3) /* as they come: there is one */
      options.as_they_come ? (void)farm_collect(f, &r) : farm_turn(f);
    farm_close(f);
    CHECK(no_children());
    arena_free(arena);
  }
  CHECK_INT(count_files(), before);
}

/* ---- the text of standard output ---- */

/* What the parent has not written yet must be written once, though a job calls exit(). */
static void test_stdout(void)
{
  int ends[2], status;
  char text[200] = "";
  CHECK(pipe(ends) == 0);
  pid_t child = fork_child();
  if (child == 0) {
    struct arena *arena = arena_new();
    struct farm_options options = jobs_options(FARM_FORK, 2);
    struct farm_result r;
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    printf("once ");
    struct farm *f = open_farm(arena, &options);
    farm_submit(f, 0, "X0", 2);
    farm_collect(f, &r);
    farm_close(f);
    arena_free(arena);
    fflush(stdout);
    _exit(0);
  }
  close(ends[1]);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(read(ends[0], text, sizeof text - 1) >= 0);
  CHECK_STR(text, "once ");
  close(ends[0]);
}

/* A program whose standard files are closed has its pipes where those would be. */
static void test_no_standard_files(void)
{
  int status;
  pid_t child = fork_child();
  if (child == 0) {
    struct arena *arena = arena_new();
    struct farm_options options = jobs_options(FARM_FORK, 2);
    struct farm_result r;
    int good = 1;
    close(0), close(1), close(2);
    struct farm *f = open_farm(arena, &options);
    for (uint64_t i = 0; i < 6; i++)
      farm_submit(f, i, "eecho", 5);
    for (int i = 0; i < 6; i++)
      good &= farm_collect(f, &r) == 1 && r.outcome == FARM_DONE && r.n_bytes == 5;
    farm_close(f);
    _exit(good ? 0 : 1);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* ---- somebody kills a supervisor ---- */

static int pids[8], n_pids;

static void note_pid(void *user, uint64_t tag, const char *words)
{
  (void)user, (void)tag;
  if (n_pids < 8)
    pids[n_pids++] = atoi(words);
}

static int two_noted(void *user)
{
  (void)user;
  return n_pids == 2;
}

/* And waits until it is dead, leaving it to the farm to find that out. */
static void kill_supervisor(int pid)
{
  siginfo_t how;
  CHECK(pid > 1);
  if (pid > 1)
    CHECK(kill(pid, SIGKILL) == 0 && waitid(P_PID, (id_t)pid, &how, WEXITED | WNOWAIT) == 0);
}

static void test_killed_supervisor(void)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 1);
  struct farm_result r;
  struct farm *f = open_farm(arena, &options);
  int files = count_files();
  struct facts facts = ask_facts(f);
  kill_supervisor(facts.supervisor); /* while it has nothing to do */
  struct facts after = ask_facts(f);
  CHECK(after.supervisor > 0 && after.supervisor != facts.supervisor);
  farm_submit(f, 1, "Z", 1);
  farm_submit(f, 2, "eecho", 5);
  kill_supervisor(after.supervisor); /* while a job is on its way to it */
  CHECK(farm_collect(f, &r) == 1 && r.tag == 1 && r.outcome == FARM_LOST);
  CHECK_STR(r.words, "the process that watched it was killed from outside");
  CHECK(farm_collect(f, &r) == 1 && r.tag == 2 && r.outcome == FARM_DONE && r.n_bytes == 5);
  CHECK_INT(count_files(), files);
  CHECK(waitpid(facts.supervisor, NULL, WNOHANG) < 0 && waitpid(after.supervisor, NULL, WNOHANG) < 0); /* no zombies */
  farm_close(f);
  while (waitpid(-1, NULL, WNOHANG) > 0) /* the job of a killed supervisor comes to us */
    ;
  arena_free(arena);
}

/* ---- the parent is killed ---- */

/* A parent of workers at work, which writes to a pipe who they are. */
static void doomed_parent(int out)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 2);
  struct farm_result r;
  options.progress = note_pid;
  options.stop = two_noted;
  n_pids = 0;
  struct farm *f = open_farm(arena, &options);
  for (int i = 0; i < 5; i++)
    farm_submit(f, 0, "T", 1);
  if (farm_collect(f, &r) != -1 || write(out, pids, 2 * sizeof *pids) < 0)
    _exit(1);
  for (;;)
    pause();
}

/* Its supervisors and their jobs die with it. They become our children, and waiting for them shows that they died. */
static void test_killed_parent(void)
{
  int ends[2], at_work[2] = {0, 0}, status, seen = 0, killed = 0;
  CHECK(pipe(ends) == 0);
  pid_t parent = fork_child(), gone;
  if (parent == 0)
    doomed_parent(ends[1]);
  close(ends[1]);
  CHECK(read(ends[0], at_work, sizeof at_work) == sizeof at_work);
  CHECK(at_work[0] > 0 && kill(at_work[0], 0) == 0 && kill(at_work[1], 0) == 0);
  kill(parent, SIGKILL);
  while ((gone = waitpid(-1, &status, 0)) > 0) {
    seen += gone == at_work[0] || gone == at_work[1];
    killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }
  CHECK(errno == ECHILD);
  CHECK_INT(seen, 2);
  CHECK_INT(killed, 5); /* the parent, two supervisors, two jobs */
  CHECK(kill(at_work[0], 0) < 0 && kill(at_work[1], 0) < 0);
  close(ends[0]);
}

/* ---- Ctrl-C ---- */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig)
{
  (void)sig;
  interrupted++;
}

static int was_interrupted(void *user)
{
  (void)user;
  return interrupted > 0;
}

/* Interrupts the whole group, as a terminal does, as soon as the job is there to get it. */
static void interrupt_all(void *user, uint64_t tag, const char *words)
{
  (void)user, (void)tag, (void)words;
  kill(0, SIGINT);
  kill(0, SIGTERM);
  kill(0, SIGHUP);
}

/* In a group of its own: collecting stops, the jobs do not, and all results are there for who goes on. */
static int interrupted_parent(void)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 2);
  struct farm_result r;
  struct sigaction handler = {.sa_handler = on_interrupt};
  options.progress = interrupt_all;
  options.stop = was_interrupted;
  setpgid(0, 0);
  sigaction(SIGINT, &handler, NULL);
  sigaction(SIGTERM, &handler, NULL);
  sigaction(SIGHUP, &handler, NULL);
  test_failures = 0;
  struct farm *f = open_farm(arena, &options);
  farm_submit(f, 0, "T", 1);
  farm_submit(f, 1, "eecho", 5);
  CHECK_INT(farm_collect(f, &r), -1);
  CHECK_INT(interrupted, 3);
  CHECK_INT(farm_outstanding(f), 2);
  interrupted = 0;
  farm_submit(f, 2, "i", 1);
  farm_close(f); /* which is what a program does that wants to end; job 0 sleeps for ever */
  CHECK(no_children());
  arena_free(arena);
  return test_failures;
}

/* Jobs that were there when it rang end as if nothing had happened. */
static int deaf_jobs(void)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 1);
  struct farm_result r;
  struct sigaction handler = {.sa_handler = on_interrupt};
  setpgid(0, 0);
  test_failures = 0;
  options.progress = interrupt_all;
  sigaction(SIGINT, &handler, NULL);
  sigaction(SIGTERM, &handler, NULL);
  sigaction(SIGHUP, &handler, NULL);
  struct farm *f = open_farm(arena, &options);
  for (uint64_t i = 0; i < 20; i++)
    farm_submit(f, i, "L300", 4); /* each line is an interrupt of all */
  for (uint64_t i = 0; i < 20; i++)
    CHECK(farm_collect(f, &r) == 1 && r.tag == i && r.outcome == FARM_DONE);
  CHECK(interrupted > 0);
  farm_close(f);
  arena_free(arena);
  return test_failures;
}

static void in_child(int (*what)(void))
{
  int status;
  pid_t child = fork_child();
  if (child == 0)
    _exit(what() ? 1 : 0);
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(no_children());
}

/* A program whose own parent ignores the ends of children. */
static int ignored_children(void)
{
  struct arena *arena = arena_new();
  struct farm_options options = jobs_options(FARM_FORK, 2);
  struct farm_result r;
  signal(SIGCHLD, SIG_IGN);
  test_failures = 0;
  struct farm *f = open_farm(arena, &options);
  farm_submit(f, 0, "X3", 2);
  CHECK(farm_collect(f, &r) == 1 && r.outcome == FARM_EXITED && r.number == 3);
  farm_close(f);
  arena_free(arena);
  return test_failures;
}

int main(void)
{
  alarm(600); /* a process that does not end fails here */
  CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  test_clean();
  test_close_early();
  test_stdout();
  test_no_standard_files();
  test_killed_supervisor();
  test_killed_parent();
  in_child(interrupted_parent);
  in_child(deaf_jobs);
  in_child(ignored_children);
  CHECK(no_children());
  return test_finish();
}
