/* The loopback server: what it answers and what it refuses, bounds, slow clients, events. Clients are sockets of this
 * same process; serve_wait() runs between what they do, until nothing more happens. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/serve.h"
#include "check.h"

#define ROOM 65536

static int to_server(const struct serve *s)
{
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)serve_port(s)),
                           .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_INT(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
  return fd;
}

/* Lets the server run until what it sends on fd has ended, or contains `end`, or 5 s have passed (then the test fails
 * by what it finds). */
static const char *hear(struct serve *s, int fd, const char *end)
{
  static char text[ROOM];
  size_t n = 0;
  text[0] = 0;
  for (int i = 0; i < 500; i++) {
    int ready;
    serve_wait(s, 1, &fd, &ready, 0.01);
    ssize_t got = recv(fd, text + n, ROOM - 1 - n, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno == ECONNRESET))
      break;
    n += got > 0 ? (size_t)got : 0;
    text[n] = 0;
    if (end && strstr(text, end))
      break;
  }
  return text;
}

static void say(int fd, const char *text)
{
  CHECK_INT((long)send(fd, text, strlen(text), MSG_NOSIGNAL), (long)strlen(text));
}

/* One request with a path and a host (NULL: the right one). %s of the path is the token. */
static const char *ask(struct serve *s, const char *path, const char *host)
{
  char line[4096], own[64], target[1024];
  snprintf(own, sizeof own, "127.0.0.1:%d", serve_port(s));
  snprintf(target, sizeof target, path, serve_token(s));
  snprintf(line, sizeof line, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: */*\r\n\r\n", target, host ? host : own);
  int fd = to_server(s);
  say(fd, line);
  const char *text = hear(s, fd, NULL);
  close(fd);
  return text;
}

static int begins(const char *text, const char *with)
{
  if (!strncmp(text, with, strlen(with)))
    return 1;
  fprintf(stderr, "found: %.200s\n", text);
  return 0;
}

static const char *body(const char *text)
{
  const char *end = strstr(text, "\r\n\r\n");
  return end ? end + 4 : "";
}

static void test_answers(struct serve *s)
{
  char address[128], localhost[64];
  snprintf(address, sizeof address, "http://127.0.0.1:%d/?token=%s", serve_port(s), serve_token(s));
  snprintf(localhost, sizeof localhost, "LocalHost:%d", serve_port(s));
  CHECK_STR(serve_address(s), address);
  CHECK_INT((long)strlen(serve_token(s)), 32);
  CHECK(begins(ask(s, "/?token=%s", NULL), "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n"));
  CHECK_STR(body(ask(s, "/?token=%s", NULL)), "hello");
  CHECK_STR(body(ask(s, "/?token=%s", localhost)), "hello");
  CHECK(strstr(ask(s, "/?token=%s", NULL), "Content-Security-Policy: default-src 'none'") != NULL);
  CHECK_STR(body(ask(s, "/package?n=3&token=%s", NULL)), "three");
  CHECK_STR(body(ask(s, "/package?n=3&token=%s.17", NULL)), "three");
  CHECK(begins(ask(s, "/package?n=2&token=%s", NULL), "HTTP/1.1 404"));
  CHECK(begins(ask(s, "/package?token=%s", NULL), "HTTP/1.1 404"));
  CHECK(begins(ask(s, "/favicon.ico", NULL), "HTTP/1.1 204"));
}

static void test_refusals(struct serve *s)
{
  char other[64];
  static const char wrong[] = "/?token=00000000000000000000000000000000";
  snprintf(other, sizeof other, "evil.example:%d", serve_port(s));
  CHECK(begins(ask(s, "/", NULL), "HTTP/1.1 403"));
  CHECK(begins(ask(s, wrong, NULL), "HTTP/1.1 403"));
  CHECK(begins(ask(s, "/?token=%s0", NULL), "HTTP/1.1 403"));
  CHECK(begins(ask(s, "/?token=%.31s", NULL), "HTTP/1.1 403"));
  CHECK(begins(ask(s, "/?token=%s.", NULL), "HTTP/1.1 403"));
  CHECK(begins(ask(s, "/events", NULL), "HTTP/1.1 403"));
  CHECK(begins(ask(s, "/?token=%s", other), "HTTP/1.1 403"));
  CHECK(begins(ask(s, "/?token=%s", "127.0.0.1:1"), "HTTP/1.1 403"));
  CHECK(begins(ask(s, "/?token=%s", "127.0.0.1"), "HTTP/1.1 403"));
  CHECK(begins(ask(s, "/../../../etc/passwd?token=%s", NULL), "HTTP/1.1 404"));
  CHECK(begins(ask(s, "/%%2e%%2e/etc/passwd?token=%s", NULL), "HTTP/1.1 404"));
  CHECK(begins(ask(s, "/page.html?token=%s", NULL), "HTTP/1.1 404"));
}

static const char *send_raw(struct serve *s, const char *text)
{
  int fd = to_server(s);
  say(fd, text);
  const char *answer = hear(s, fd, NULL);
  close(fd);
  return answer;
}

static void test_bad_requests(struct serve *s)
{
  char text[512], *large = malloc(20000);
  CHECK(begins(send_raw(s, "nonsense\r\n\r\n"), "HTTP/1.1 400"));
  CHECK(begins(send_raw(s, "GET /\r\n\r\n"), "HTTP/1.1 400"));
  CHECK(begins(send_raw(s, "GET / HTTP/1.1\r\nno colon\r\n\r\n"), "HTTP/1.1 400"));
  CHECK(begins(send_raw(s, "GET / HTTP/1.1\r\n\r\n"), "HTTP/1.1 403")); /* no host */
  snprintf(text, sizeof text, "GET /?token=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nHost: evil.example\r\n\r\n",
           serve_token(s), serve_port(s));
  CHECK(begins(send_raw(s, text), "HTTP/1.1 400"));
  snprintf(text, sizeof text, "POST /?token=%s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", serve_token(s), serve_port(s));
  CHECK(begins(send_raw(s, text), "HTTP/1.1 405"));
  memset(large, 'a', 20000);
  memcpy(large, "GET / HTTP/1.1\r\nX: ", 19);
  large[19999] = 0;
  CHECK(begins(send_raw(s, large), "HTTP/1.1 431"));
  free(large);
}

/* Connections that say nothing, or half of something, keep nobody waiting, even when they are many. */
static void test_slow_clients(struct serve *s)
{
  int slow[40];
  for (int i = 0; i < 40; i++) {
    slow[i] = to_server(s);
    if (i % 2)
      say(slow[i], "GET /?tok");
  }
  CHECK_STR(body(ask(s, "/?token=%s", NULL)), "hello");
  for (int i = 0; i < 40; i++)
    close(slow[i]);
}

/* More of them than there is room for are dropped when they have said nothing for long enough. */
static void test_patience(void)
{
  struct serve_options o;
  struct diag d;
  int slow[8];
  diag_init(&d);
  serve_defaults(&o);
  o.most_clients = 4;
  o.patience = 0.05;
  struct serve *s = serve_open(&o, &d);
  serve_put(s, "", 0, "text/html", "hello", 5);
  for (int i = 0; i < 8; i++)
    slow[i] = to_server(s);
  CHECK_STR(body(ask(s, "/?token=%s", NULL)), "hello");
  for (int i = 0; i < 8; i++) {
    CHECK_STR(hear(s, slow[i], NULL), "");
    close(slow[i]);
  }
  serve_close(s);
  diag_clear(&d);
}

/* A body that is larger than what sockets hold arrives whole, and is not the one that took its place meanwhile. */
static void test_large(struct serve *s)
{
  size_t n = 8000000, got = 0;
  char *large = malloc(n), *back = malloc(n + 1000), line[256];
  for (size_t i = 0; i < n; i++)
    large[i] = (char)('a' + i % 7);
  serve_put(s, "large", 0, "text/plain", large, n);
  int fd = to_server(s), other = to_server(s), ready;
  snprintf(line, sizeof line, "GET /large?token=%s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", serve_token(s),
           serve_port(s));
  say(fd, line);
  say(other, line); /* it never reads */
  serve_wait(s, 0, NULL, &ready, 0.05);
  serve_put(s, "large", 0, "text/plain", "small", 5);
  for (int i = 0; i < 100000 && got < n + 1000; i++) {
    serve_wait(s, 1, &fd, &ready, 1);
    ssize_t more = recv(fd, back + got, n + 1000 - got, MSG_DONTWAIT);
    if (more == 0)
      break;
    got += more > 0 ? (size_t)more : 0;
  }
  CHECK(got > n && !memcmp(back + got - n, large, n));
  CHECK_STR(body(ask(s, "/large?token=%s", NULL)), "small");
  close(fd);
  close(other);
  free(large);
  free(back);
}

/* Asks for events; what the server says to that is not heard yet. */
static int ask_events(struct serve *s, const char *query, const char *header)
{
  char line[512];
  int fd = to_server(s), ready;
  snprintf(line, sizeof line, "GET /events?token=%s%s HTTP/1.1\r\nHost: localhost:%d\r\n%s\r\n", serve_token(s), query,
           serve_port(s), header);
  say(fd, line);
  serve_wait(s, 1, &fd, &ready, 5);
  return fd;
}

static int listen_to(struct serve *s)
{
  int fd = ask_events(s, "", "");
  CHECK(strstr(hear(s, fd, "retry: 1000\n\n"), "Content-Type: text/event-stream\r\n") != NULL);
  return fd;
}

/* All that a listener hears who comes now, up to an event that all get. */
static const char *hear_late(struct serve *s, const char *query, const char *header)
{
  int fd = ask_events(s, query, header);
  serve_event(s, "end", "", SERVE_ONCE);
  const char *text = hear(s, fd, "event: end");
  CHECK(strstr(text, "event: end") != NULL);
  close(fd);
  return text;
}

static void test_events(struct serve *s)
{
  int a = listen_to(s), b = listen_to(s), before = serve_events(s);
  char known[64], expected[256];
  serve_event(s, "busy", "{\"what\":\n\"x\"}", SERVE_ONCE);
  snprintf(expected, sizeof expected, "event: busy\nid: %d\ndata: {\"what\": \"x\"}\n\n", before + 1);
  CHECK_STR(hear(s, a, "\n\n"), expected);
  CHECK_STR(hear(s, b, "\n\n"), expected);
  serve_event(s, "package", "1", SERVE_IF_NEWER);
  serve_event(s, "package", "2", SERVE_IF_NEWER);
  serve_event(s, "error", "wrong", SERVE_ALWAYS);
  CHECK(strstr(hear(s, a, "wrong\n\n"), "data: 1\n\n") != NULL);
  close(b);
  /* who comes later hears what still holds, and a package only if it knows an older one */
  snprintf(known, sizeof known, "%s.%d", serve_token(s), before + 4);
  CHECK_STR(serve_token_now(s), known);
  const char *heard = hear_late(s, "", "");
  CHECK(strstr(heard, "data: wrong\n") && !strstr(heard, "package") && !strstr(heard, "busy"));
  snprintf(known, sizeof known, ".%d", before);
  heard = hear_late(s, known, "");
  CHECK(strstr(heard, "data: 2\n") && strstr(heard, "data: wrong\n") && !strstr(heard, "data: 1\n"));
  snprintf(known, sizeof known, "Last-Event-ID: %d\r\n", before + 3);
  heard = hear_late(s, ".0", known);
  CHECK(strstr(heard, "data: wrong\n") && !strstr(heard, "package"));
  serve_forget(s, "error");
  CHECK(!strstr(hear_late(s, "", ""), "wrong"));
  close(a);
}

/* Listeners are bounded, and one that does not read is dropped. */
static void test_listeners(struct serve *s)
{
  int many[16], ready;
  char *data = malloc(200001);
  for (int i = 0; i < 16; i++)
    many[i] = listen_to(s);
  CHECK(begins(ask(s, "/events?token=%s", NULL), "HTTP/1.1 503"));
  memset(data, 'x', 200000);
  data[200000] = 0;
  for (int i = 0; i < 60; i++) {
    serve_event(s, "busy", data, SERVE_ONCE);
    serve_wait(s, 0, NULL, &ready, 0.001);
  }
  int again = listen_to(s); /* there is room again */
  close(again);
  for (int i = 0; i < 16; i++)
    close(many[i]);
  free(data);
}

static void test_taken_port(struct serve *s)
{
  struct serve_options o;
  struct diag d;
  diag_init(&d);
  serve_defaults(&o);
  o.port = serve_port(s);
  CHECK(serve_open(&o, &d) == NULL);
  CHECK_INT(d.n_errors, 1);
  CHECK(d.n_errors && strstr(d.messages[0].text, "cannot serve a page on port") != NULL);
  diag_clear(&d);
}

int main(void)
{
  struct serve_options o;
  struct diag d;
  diag_init(&d);
  serve_defaults(&o);
  struct serve *s = serve_open(&o, &d), *t = serve_open(&o, &d);
  if (!s || !t)
    return 77;                  /* no loopback interface here */
  CHECK(strcmp(serve_token(s), serve_token(t)) != 0);
  serve_close(t);
  serve_put(s, "", 0, "text/html", "hello", 5);
  serve_put(s, "package", 3, "application/octet-stream", "three", 5);
  test_answers(s);
  test_refusals(s);
  test_bad_requests(s);
  test_slow_clients(s);
  test_patience();
  test_large(s);
  test_events(s);
  test_listeners(s);
  test_taken_port(s);
  serve_close(s);
  serve_close(NULL);
  diag_clear(&d);
  return test_finish();
}
