/* Counting instructions with ptrace (Linux). See instructions.h. */
#include "bench/instructions.h"

#ifndef __linux__

double instructions_of_call(void (*call)(void *context, int i), void *context)
{
  (void)call, (void)context;
  return -1;
}

#else

#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void nothing(void *context, int i)
{
  (void)context, (void)i;
}

/* The child: stops, works, stops. An earlier call has made the loader find all functions. */
static _Noreturn void work_between_stops(void (*volatile call)(void *context, int i), void *context)
{
  call(context, 1);
  if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
    _exit(1);
  raise(SIGSTOP);
  call(context, 0);
  raise(SIGSTOP);
  _exit(0);
}

static int stopped_by(pid_t child, int signal)
{
  int status;
  return waitpid(child, &status, 0) == child && WIFSTOPPED(status) && WSTOPSIG(status) == signal;
}

/* Steps from the first stop to the second; -1 if anything else happens. */
static double count_steps(pid_t child)
{
  double steps = 0;
  int status;
  if (!stopped_by(child, SIGSTOP))
    return -1;
  for (;; steps++) {
    if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
      return -1;
    if (WSTOPSIG(status) == SIGSTOP)
      return steps;
    if (WSTOPSIG(status) != SIGTRAP)
      return -1;
  }
}

static double count(void (*call)(void *context, int i), void *context)
{
  pid_t child = fork();
  if (child < 0)
    return -1;
  if (child == 0)
    work_between_stops(call, context);
  double steps = count_steps(child);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return steps;
}

double instructions_of_call(void (*call)(void *context, int i), void *context)
{
  double with = count(call, context), around = count(nothing, NULL); /* what the two stops take themselves */
  return with >= 0 && around >= 0 ? with - around : -1;
}

#endif
