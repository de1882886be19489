/* See serve.h. A client is a connection that is first read, until its request is whole, and then written to; all
 * connections are closed after one answer, but for those of listeners. */
#define _GNU_SOURCE /* accept4, memmem */
#include "serve/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/seconds.h"

enum { TOKEN_BYTES = 16, NAMES = 8, EVENTS = 8, HEADER_ROOM = 1024, SLOW = 30 };

struct body {                   /* bytes that several answers under way may share */
  int n_users;
  size_t n;
  unsigned char bytes[];
};

struct name {
  char *name, *type;            /* NULL: free */
  int number;
  struct body *body;
};

struct event { char *name, *data; int id; enum serve_keep keep; };

enum state { READING, WRITING, LISTENING };

struct client {
  int fd;                       /* -1: free */
  enum state state;
  double since;                 /* the last progress, or when it came [s]                    */
  char *request;                /* (most_request + 1)                                        */
  size_t n_request;
  char *queue;                  /* what is to be written before the body: headers, events    */
  size_t n_queue, queue_room, queue_done;
  struct body *body;            /* and after it; NULL: none                                   */
  size_t body_done;
};

struct serve {
  struct serve_options o;
  int fd, port;
  char token[2 * TOKEN_BYTES + 1], token_now[2 * TOKEN_BYTES + 16], address[96];
  struct name names[NAMES];
  struct event events[EVENTS];
  int n_events, last_event;     /* kept; the number of the last one */
  struct client *clients;       /* (most_clients) */
  struct pollfd *polled;        /* scratch        */
  int room_polled;
};

/* ---- memory: there is no arena, as things come and go ---- */

static void *serve_alloc(void *old, size_t n)
{
  void *new = realloc(old, n ? n : 1);
  if (!new)
    arena_out_of_memory();
  return new;
}

static char *serve_copy(const char *text)
{
  size_t n = strlen(text) + 1;
  return memcpy(serve_alloc(NULL, n), text, n);
}

static void body_release(struct body *b)
{
  if (b && --b->n_users == 0)
    free(b);
}

/* ---- opening and closing ---- */

void serve_defaults(struct serve_options *o)
{
  *o = (struct serve_options){.most_clients = 64, .most_listeners = 16, .most_request = 8192,
                              .most_queued = (size_t)1 << 20, .patience = 10};
}

static int make_token(char *text)
{
  unsigned char bytes[TOKEN_BYTES];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return 0;
  for (int i = 0; i < TOKEN_BYTES; i++)
    snprintf(text + 2 * i, 3, "%02x", bytes[i]);
  return 1;
}

/* A socket that listens on 127.0.0.1; -1, with errno, if there can be none. */
static int open_socket(int port, int *bound)
{
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                           .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof at;
  int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return -1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 64) ||
      getsockname(fd, (struct sockaddr *)&at, &length)) {
    int error = errno;
    close(fd);
    errno = error;
    return -1;
  }
  *bound = ntohs(at.sin_port);
  return fd;
}

struct serve *serve_open(const struct serve_options *o, struct diag *d)
{
  struct serve *s = memset(serve_alloc(NULL, sizeof *s), 0, sizeof *s);
  s->o = *o;
  s->fd = make_token(s->token) ? open_socket(o->port, &s->port) : -1;
  if (s->fd < 0) {
    diag_error(d, "127.0.0.1", 0, "cannot serve a page on port %d of this machine: %s", o->port, strerror(errno));
    free(s);
    return NULL;
  }
  snprintf(s->address, sizeof s->address, "http://127.0.0.1:%d/?token=%s", s->port, s->token);
  s->clients = serve_alloc(NULL, (size_t)o->most_clients * sizeof *s->clients);
  for (int i = 0; i < o->most_clients; i++)
    s->clients[i] = (struct client){.fd = -1};
  return s;
}

static void client_close(struct client *c)
{
  if (c->fd >= 0)
    close(c->fd);
  free(c->request);
  free(c->queue);
  body_release(c->body);
  *c = (struct client){.fd = -1};
}

void serve_close(struct serve *s)
{
  if (!s)
    return;
  for (int i = 0; i < s->o.most_clients; i++)
    client_close(&s->clients[i]);
  for (int i = 0; i < NAMES; i++) {
    free(s->names[i].name);
    free(s->names[i].type);
    body_release(s->names[i].body);
  }
  for (int i = 0; i < s->n_events; i++) {
    free(s->events[i].name);
    free(s->events[i].data);
  }
  close(s->fd);
  free(s->clients);
  free(s->polled);
  free(s);
}

int serve_port(const struct serve *s) { return s->port; }
const char *serve_token(const struct serve *s) { return s->token; }
const char *serve_address(const struct serve *s) { return s->address; }
int serve_events(const struct serve *s) { return s->last_event; }

const char *serve_token_now(struct serve *s)
{
  snprintf(s->token_now, sizeof s->token_now, "%s.%d", s->token, s->last_event);
  return s->token_now;
}

/* ---- what is answered ---- */

static struct name *find_name(struct serve *s, const char *name)
{
  for (int i = 0; i < NAMES; i++)
    if (s->names[i].name && !strcmp(s->names[i].name, name))
      return &s->names[i];
  return NULL;
}

void serve_put(struct serve *s, const char *name, int number, const char *type, const void *bytes, size_t n)
{
  struct name *at = find_name(s, name);
  for (int i = 0; i < NAMES && !at; i++)
    if (!s->names[i].name)
      at = &s->names[i];
  if (!at) /* a caller with more names than this has a bug; it will see 404 */
    return;
  free(at->name);
  free(at->type);
  body_release(at->body);
  struct body *body = serve_alloc(NULL, sizeof *body + n);
  *body = (struct body){.n_users = 1, .n = n};
  if (n)
    memcpy(body->bytes, bytes, n);
  *at = (struct name){serve_copy(name), serve_copy(type), number, body};
}

static void queue_add(struct client *c, const char *text, size_t n)
{
  if (c->queue_done == c->n_queue)
    c->queue_done = c->n_queue = 0;
  if (c->n_queue + n > c->queue_room) {
    c->queue_room = 2 * (c->n_queue + n);
    c->queue = serve_alloc(c->queue, c->queue_room);
  }
  memcpy(c->queue + c->n_queue, text, n);
  c->n_queue += n;
}

static void queue_event(struct client *c, const struct event *e)
{
  char head[160];
  int n = snprintf(head, sizeof head, "event: %.64s\nid: %d\ndata: ", e->name, e->id);
  queue_add(c, head, (size_t)n);
  queue_add(c, e->data, strlen(e->data));
  queue_add(c, "\n\n", 2);
}

void serve_forget(struct serve *s, const char *event)
{
  for (int i = 0; i < s->n_events; i++)
    if (!strcmp(s->events[i].name, event)) {
      free(s->events[i].name);
      free(s->events[i].data);
      s->events[i--] = s->events[--s->n_events];
    }
}

void serve_event(struct serve *s, const char *event, const char *data, enum serve_keep keep)
{
  struct event e = {serve_copy(event), serve_copy(data), ++s->last_event, keep};
  for (char *at = e.data; (at = strpbrk(at, "\r\n"));)
    *at = ' '; /* a line's end would end the event */
  for (int i = 0; i < s->o.most_clients; i++) {
    struct client *c = &s->clients[i];
    if (c->fd < 0 || c->state != LISTENING)
      continue;
    queue_event(c, &e);
    if (c->n_queue - c->queue_done > s->o.most_queued)
      client_close(c);
  }
  serve_forget(s, event);
  if (keep != SERVE_ONCE && s->n_events < EVENTS) {
    s->events[s->n_events++] = e;
    return;
  }
  free(e.name);
  free(e.data);
}

/* ---- requests ---- */

struct request {
  char *name, *query;           /* without the slash; "" if there is none */
  const char *host, *last;      /* headers; NULL: not given               */
};

/* Names and values of headers in place. 0: it is no request of HTTP/1. */
static int request_read(char *text, struct request *out)
{
  char *line = strsep(&text, "\n"), *space = strchr(line, ' '), *end = space ? strrchr(line, ' ') : NULL;
  *out = (struct request){.query = (char *)""};
  if (!space || end == space || strncmp(end + 1, "HTTP/1.", 7) || space[1] != '/')
    return 0;
  *end = 0;
  out->name = space + 2;
  char *mark = strchr(out->name, '?');
  if (mark)
    *mark = 0, out->query = mark + 1;
  while ((line = strsep(&text, "\n"))) {
    size_t n = strlen(line);
    if (n && line[n - 1] == '\r')
      line[--n] = 0;
    char *value = strchr(line, ':');
    if (!n)
      break;
    if (!value)
      return 0;
    *value++ = 0;
    value += strspn(value, " \t");
    for (char *last = value + strlen(value); last > value && strchr(" \t", last[-1]);)
      *--last = 0;
    if (!strcasecmp(line, "Host")) {
      if (out->host) /* two hosts: which one is meant is not for us to guess */
        return 0;
      out->host = value;
    } else if (!strcasecmp(line, "Last-Event-ID")) {
      out->last = value;
    }
  }
  return 1;
}

/* The value of name=value in a query, of *n characters; NULL: it is not there. */
static const char *query_value(const char *query, const char *name, size_t *n)
{
  size_t length = strlen(name);
  for (const char *at = query; *at; at += strcspn(at, "&"), at += *at == '&')
    if (!strncmp(at, name, length) && at[length] == '=') {
      *n = strcspn(at + length + 1, "&");
      return at + length + 1;
    }
  return NULL;
}

/* TOKEN or TOKEN.NUMBER. Takes the same time for every wrong one. *known: the number; -1: none. */
static int token_is_right(const struct serve *s, const char *query, long *known)
{
  size_t n = 0, length = strlen(s->token);
  const char *given = query_value(query, "token", &n);
  unsigned char differs = given && (n == length || (n > length + 1 && given[length] == '.')) ? 0 : 1;
  for (size_t i = 0; i < length; i++)
    differs |= (unsigned char)(s->token[i] ^ (i < n ? given[i] : 0));
  *known = !differs && n > length ? strtol(given + length + 1, NULL, 10) : -1;
  return !differs;
}

static int host_is_right(const struct serve *s, const char *host)
{
  char right[2][32];
  snprintf(right[0], sizeof right[0], "127.0.0.1:%d", s->port);
  snprintf(right[1], sizeof right[1], "localhost:%d", s->port);
  return host && (!strcasecmp(host, right[0]) || !strcasecmp(host, right[1]));
}

/* ---- answers ---- */

/* The page may use what it carries with it and what this server has, and nothing else. */
#define SAFE_HEADERS                                                                                                   \
  "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"                     \
  "Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: default-src 'none'; "                         \
  "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; "                 \
  "img-src data: blob:; media-src data: blob:; connect-src 'self' data: blob:; frame-ancestors 'none'; "               \
  "base-uri 'none'; form-action 'none'\r\n"

static void answer_head(struct client *c, const char *status, const char *type, long length)
{
  char head[HEADER_ROOM], size[48] = "";
  if (length >= 0)
    snprintf(size, sizeof size, "Content-Length: %ld\r\n", length);
  int n = snprintf(head, sizeof head, "HTTP/1.1 %s\r\nContent-Type: %.64s\r\n%s" SAFE_HEADERS "Connection: close\r\n%s"
                   "\r\n", status, type, size, !strncmp(status, "405", 3) ? "Allow: GET\r\n" : "");
  queue_add(c, head, (size_t)n);
  c->state = WRITING;
}

static void answer_words(struct client *c, const char *status)
{
  char text[80];
  int n = snprintf(text, sizeof text, "%s\n", status);
  answer_head(c, status, "text/plain; charset=utf-8", n);
  queue_add(c, text, (size_t)n);
}

static void answer_listener(struct serve *s, struct client *c, long known)
{
  int listeners = 0;
  for (int i = 0; i < s->o.most_clients; i++)
    listeners += s->clients[i].fd >= 0 && s->clients[i].state == LISTENING;
  if (listeners >= s->o.most_listeners) {
    answer_words(c, "503 Service Unavailable");
    return;
  }
  answer_head(c, "200 OK", "text/event-stream", -1);
  queue_add(c, "retry: 1000\n\n", 13);
  c->state = LISTENING;
  for (int id = 1; id <= s->last_event; id++) /* in their order */
    for (int i = 0; i < s->n_events; i++) {
      const struct event *e = &s->events[i];
      if (e->id == id && (e->keep == SERVE_ALWAYS || (known >= 0 && id > known)))
        queue_event(c, e);
    }
}

static void answer_request(struct serve *s, struct client *c)
{
  struct request r;
  int get = !strncmp(c->request, "GET ", 4);
  struct name *name;
  size_t n;
  long known;
  if (strlen(c->request) != c->n_request || !request_read(c->request, &r)) {
    answer_words(c, "400 Bad Request");
  } else if (!host_is_right(s, r.host)) {
    answer_words(c, "403 Forbidden");
  } else if (!get) {
    answer_words(c, "405 Method Not Allowed");
  } else if (!strcmp(r.name, "favicon.ico")) { /* browsers ask for it without being told to */
    answer_head(c, "204 No Content", "image/x-icon", -1);
  } else if (!token_is_right(s, r.query, &known)) {
    answer_words(c, "403 Forbidden");
  } else if (!strcmp(r.name, "events")) {
    answer_listener(s, c, r.last ? strtol(r.last, NULL, 10) : known);
  } else if ((name = find_name(s, r.name))) {
    const char *number = query_value(r.query, "n", &n);
    if (name->number && (!number || strtol(number, NULL, 10) != name->number)) {
      answer_words(c, "404 Not Found");
      return;
    }
    answer_head(c, "200 OK", name->type, (long)name->body->n);
    c->body = name->body;
    c->body->n_users++;
  } else {
    answer_words(c, "404 Not Found");
  }
}

/* ---- sockets ---- */

static int would_block(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

static void client_accept(struct serve *s)
{
  for (int i = 0; i < s->o.most_clients; i++) {
    struct client *c = &s->clients[i];
    if (c->fd >= 0)
      continue;
    int fd = accept4(s->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0)
      return;
    *c = (struct client){.fd = fd, .since = wall_seconds(),
                         .request = serve_alloc(NULL, s->o.most_request + 1)};
  }
}

static void client_read(struct serve *s, struct client *c)
{
  if (c->state != READING) { /* nothing more is wanted: what comes is thrown away, and an end is an end */
    char waste[1024];
    ssize_t n = recv(c->fd, waste, sizeof waste, 0);
    if (n == 0 || (n < 0 && !would_block()))
      client_close(c);
    return;
  }
  ssize_t n = recv(c->fd, c->request + c->n_request, s->o.most_request - c->n_request, 0);
  if (n == 0 || (n < 0 && !would_block())) {
    client_close(c);
    return;
  }
  c->n_request += n > 0 ? (size_t)n : 0;
  c->request[c->n_request] = 0;
  if (memmem(c->request, c->n_request, "\r\n\r\n", 4) || memmem(c->request, c->n_request, "\n\n", 2))
    answer_request(s, c);
  else if (c->n_request == s->o.most_request)
    answer_words(c, "431 Request Header Fields Too Large");
}

/* 1: there is more to write. */
static int client_has_more(const struct client *c)
{
  return c->queue_done < c->n_queue || (c->body && c->body_done < c->body->n);
}

static void client_write(struct client *c)
{
  while (client_has_more(c)) {
    int from_queue = c->queue_done < c->n_queue;
    const void *from = from_queue ? (const void *)(c->queue + c->queue_done) : c->body->bytes + c->body_done;
    size_t left = from_queue ? c->n_queue - c->queue_done : c->body->n - c->body_done;
    ssize_t n = send(c->fd, from, left, MSG_NOSIGNAL);
    if (n < 0 && would_block())
      return;
    if (n < 0) {
      client_close(c);
      return;
    }
    *(from_queue ? &c->queue_done : &c->body_done) += (size_t)n;
    c->since = wall_seconds();
  }
  if (c->state == WRITING) /* all is said; closed when the other side has read it and closes, or after a while */
    shutdown(c->fd, SHUT_WR);
}

static void client_step(struct serve *s, struct client *c, int events)
{
  if (events & POLLIN)
    client_read(s, c);
  else if (events & (POLLERR | POLLHUP | POLLNVAL))
    client_close(c);
  if (c->fd >= 0 && c->state != READING && client_has_more(c))
    client_write(c);
}

/* When this client will have waited too long [s]; infinity for listeners with nothing to read. */
static double client_deadline(const struct serve *s, const struct client *c)
{
  if (c->state == LISTENING && !client_has_more(c))
    return 1e300;
  return c->since + s->o.patience * (c->state != READING && client_has_more(c) ? SLOW : 1);
}

int serve_wait(struct serve *s, int n, const int *others, int *ready, double seconds)
{
  double until = seconds < 0 ? 1e300 : wall_seconds() + seconds;
  int most = s->o.most_clients, room = 1 + most + n, found = 0;
  if (s->room_polled < room) {
    s->polled = serve_alloc(s->polled, (size_t)room * sizeof *s->polled);
    s->room_polled = room;
  }
  do {
    double now = wall_seconds(), next = until;
    int is_full = 1;
    for (int i = 0; i < most; i++) {
      struct client *c = &s->clients[i];
      if (c->fd >= 0 && client_deadline(s, c) <= now)
        client_close(c);
      if (c->fd >= 0 && client_deadline(s, c) < next)
        next = client_deadline(s, c);
      is_full &= c->fd >= 0;
      int wants = c->fd >= 0 && c->state != READING && client_has_more(c) ? POLLIN | POLLOUT : POLLIN;
      s->polled[1 + i] = (struct pollfd){.fd = c->fd, .events = (short)wants};
    }
    s->polled[0] = (struct pollfd){.fd = is_full ? -1 : s->fd, .events = POLLIN};
    for (int i = 0; i < n; i++)
      s->polled[1 + most + i] = (struct pollfd){.fd = others[i], .events = POLLIN};
    double wait = next > now ? next - now : 0;
    int got = poll(s->polled, (nfds_t)room, wait > 1e6 ? -1 : (int)(wait * 1000) + 1);
    if (got < 0 && errno != EINTR)
      return -1;
    for (int i = 0; got > 0 && i < most; i++)
      if (s->clients[i].fd >= 0 && s->polled[1 + i].revents)
        client_step(s, &s->clients[i], s->polled[1 + i].revents);
    if (got > 0 && s->polled[0].revents)
      client_accept(s);
    for (int i = 0; i < n; i++) {
      ready[i] = got > 0 && s->polled[1 + most + i].revents != 0;
      found |= ready[i];
    }
  } while (!found && wall_seconds() < until);
  return found;
}
