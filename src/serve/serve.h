/* A small HTTP server for one page and its events, for the person at this machine.
 *
 * It listens on the loopback interface only, and answers only
 *   GET of the few names that it was given (serve_put()), and of "events": server-sent events (serve_event());
 *   with its token, ?token=..., which is random and new each time;
 *   with a Host of 127.0.0.1 or localhost: a name that some other site points here (DNS rebinding) is refused.
 * A name is looked up in a list and is never a path of a file. Requests, clients and queues are bounded; every socket
 * is non-blocking, so that a slow client keeps nobody waiting; one that sends nothing is dropped.
 *
 * One thread: all of it happens in serve_wait(). */
#ifndef MUYBRIDGE_SERVE_H
#define MUYBRIDGE_SERVE_H

#include <stddef.h>

#include "base/diag.h"

struct serve;

struct serve_options {
  int port;                     /* 0: any that is free                                                              */
  int most_clients;             /* 64: connections at a time; others wait until one ends                            */
  int most_listeners;           /* 16: of these, listeners to events; another one is answered with 503               */
  size_t most_request;          /* 8192 bytes of a request with its headers; more is answered with 431               */
  size_t most_queued;           /* 1 MB of events for a listener that does not read; then it is dropped               */
  double patience;              /* 10 s: for a request to arrive; and 30 times that without any progress of an answer */
};
void serve_defaults(struct serve_options *o);

/* NULL after an error: the port is taken. */
struct serve *serve_open(const struct serve_options *o, struct diag *d);
void serve_close(struct serve *s); /* NULL is fine */

int serve_port(const struct serve *s);
const char *serve_token(const struct serve *s);

/* "http://127.0.0.1:PORT/?token=TOKEN": where "" is answered. */
const char *serve_address(const struct serve *s);

/* Answers a name ("" is the page, "package") with these bytes, which are copied, from now on; answers under way go on
 * with the old ones. number: of a name that has several versions: ?n=NUMBER must then be given; one number of a name
 * is kept, the last. 0: the name has no numbers. */
void serve_put(struct serve *s, const char *name, int number, const char *type, const void *bytes, size_t n);

/* Tells all listeners; data is one line. A listener that comes later, or comes back, hears the last event of each name
 * that was to be kept: SERVE_IF_NEWER only if it says that it knows an older one, by its token (serve_token_now()) or
 * by the header Last-Event-ID. */
enum serve_keep { SERVE_ONCE, SERVE_IF_NEWER, SERVE_ALWAYS };
void serve_event(struct serve *s, const char *event, const char *data, enum serve_keep keep);

/* The last event of a name is not to be repeated any more. */
void serve_forget(struct serve *s, const char *event);

/* The number of the last event. */
int serve_events(const struct serve *s);

/* The token for a page that is made now: TOKEN.NUMBER, which is as good as the token, and says that the page knows all
 * events up to that number. Valid until the next call. */
const char *serve_token_now(struct serve *s);

/* Serves until one of n other descriptors can be read, or so many seconds have passed (below 0: without end).
 * ready[i]: it can be. 0: the time is over; 1: one is ready; -1: poll() failed, errno says why. */
int serve_wait(struct serve *s, int n, const int *others, int *ready, double seconds);

#endif
