// The barest programs over libzmq: what sockets of the same kinds cost when nobody has anything else to do.
#include "CReference.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

int64_t reference_boot_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t reference_processor_time(int32_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t now(void) { return reference_boot_clock(); }

/// Waits for a moment of the boot clock as the coordinator does: with a timerfd in the set of what is polled.
static void wait_until(int timer, int64_t due) {
  struct itimerspec when = {{0, 0}, {due / 1000000000, due % 1000000000}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
  zmq_pollitem_t item = {NULL, timer, ZMQ_POLLIN, 0};
  while (zmq_poll(&item, 1, -1) < 1) {}
  uint64_t expirations;
  if (read(timer, &expirations, sizeof expirations) < 0) return;
}

static int boot_timer(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

void reference_timer(int64_t count, int64_t period, int64_t *lateness) {
  int timer = boot_timer();
  int64_t due = now() + period;
  for (int64_t index = 0; index < count; index++, due += period) {
    wait_until(timer, due);
    lateness[index] = now() - due;
  }
  close(timer);
}

static void *socket_of(void *context, int type) {
  void *socket = zmq_socket(context, type);
  int zero = 0;
  zmq_setsockopt(socket, ZMQ_LINGER, &zero, sizeof zero);
  return socket;
}

// Requests and replies

int reference_echo(const char *endpoint) {
  void *context = zmq_ctx_new();
  void *router = socket_of(context, ZMQ_ROUTER);
  if (zmq_bind(router, endpoint) != 0) return zmq_errno();
  while (1) {
    zmq_msg_t part;
    int more = 1;
    while (more) {
      zmq_msg_init(&part);
      if (zmq_msg_recv(&part, router, 0) < 0) return zmq_errno();
      more = zmq_msg_more(&part);
      zmq_msg_send(&part, router, more ? ZMQ_SNDMORE : 0);
    }
  }
}

int64_t reference_ping(const char *endpoint, size_t bytes, int64_t count, int64_t *nanoseconds) {
  void *context = zmq_ctx_new();
  void *dealer = socket_of(context, ZMQ_DEALER);
  int timeout = 5000;
  zmq_setsockopt(dealer, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
  int64_t done = 0;
  char *body = calloc(1, bytes);
  if (zmq_connect(dealer, endpoint) != 0) count = 0;
  // The first one waits for the connection, and is not counted.
  for (int64_t index = -1; index < count; index++) {
    int64_t start = now();
    zmq_msg_t reply;
    zmq_msg_init(&reply);
    if (zmq_send(dealer, body, bytes, 0) < 0 || zmq_msg_recv(&reply, dealer, 0) < 0) break;
    zmq_msg_close(&reply);
    if (index >= 0) nanoseconds[done++] = now() - start;
  }
  free(body);
  zmq_close(dealer);
  zmq_ctx_term(context);
  return done;
}

int reference_ask_for_ever(const char *endpoint, size_t bytes) {
  void *context = zmq_ctx_new();
  void *dealer = socket_of(context, ZMQ_DEALER);
  char *body = calloc(1, bytes);
  if (zmq_connect(dealer, endpoint) != 0) return zmq_errno();
  while (1) {
    zmq_msg_t reply;
    zmq_msg_init(&reply);
    if (zmq_send(dealer, body, bytes, 0) < 0 || zmq_msg_recv(&reply, dealer, 0) < 0) return zmq_errno();
    zmq_msg_close(&reply);
  }
}

int64_t reference_pace(const char *endpoint, size_t bytes, int64_t connections, int64_t rounds, int64_t period) {
  void *context = zmq_ctx_new();
  void **dealers = calloc(connections, sizeof *dealers);
  char *body = calloc(1, bytes);
  int timeout = 5000, timer = boot_timer();
  int64_t answers = 0;
  for (int64_t index = 0; index < connections; index++) {
    dealers[index] = socket_of(context, ZMQ_DEALER);
    zmq_setsockopt(dealers[index], ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    if (zmq_connect(dealers[index], endpoint) != 0) rounds = 0;
  }
  int64_t due = now();
  for (int64_t round = 0; round < rounds; round++) {
    for (int64_t index = 0; index < connections; index++) {
      if (zmq_send(dealers[index], body, bytes, 0) < 0) continue;
      if (zmq_recv(dealers[index], body, bytes, 0) >= 0) answers++;
    }
    wait_until(timer, due += period);
  }
  for (int64_t index = 0; index < connections; index++) zmq_close(dealers[index]);
  close(timer);
  free(body);
  free(dealers);
  zmq_ctx_term(context);
  return answers;
}

// The longest message of values, and what it begins with.
enum { most_bytes = 65024, topic_bytes = 3, head_bytes = topic_bytes + 16 };

// Ticks and answers

int reference_answer(const char *ticks, const char *events, size_t bytes) {
  void *context = zmq_ctx_new();
  void *subscriber = socket_of(context, ZMQ_SUB), *publisher = socket_of(context, ZMQ_XPUB);
  int one = 1;
  zmq_setsockopt(subscriber, ZMQ_CONFLATE, &one, sizeof one);
  zmq_setsockopt(subscriber, ZMQ_SUBSCRIBE, "t", 1);
  if (zmq_connect(publisher, events) != 0 || zmq_connect(subscriber, ticks) != 0) return zmq_errno();
  char tick[65536];
  char *answer = calloc(1, bytes);
  answer[0] = 'e';
  while (1) {
    if (zmq_recv(subscriber, tick, sizeof tick, 0) < 0) return zmq_errno();
    zmq_send(publisher, answer, bytes, ZMQ_DONTWAIT);
  }
}

int64_t reference_ask(
    const char *ticks, const char *events, const char *values, size_t bytes, int64_t count, int64_t *nanoseconds) {
  void *context = zmq_ctx_new();
  void *publisher = socket_of(context, ZMQ_XPUB), *subscriber = socket_of(context, ZMQ_SUB);
  zmq_setsockopt(subscriber, ZMQ_SUBSCRIBE, "e", 1);
  int64_t done = 0;
  char *tick = calloc(1, bytes), *answer = malloc(1 << 20);
  tick[0] = 't';
  int timeout = 100;
  zmq_setsockopt(subscriber, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
  if (zmq_bind(publisher, ticks) != 0 || zmq_bind(subscriber, events) != 0) count = 0;
  void *screen = values ? socket_of(context, ZMQ_XPUB) : NULL;
  char value[head_bytes + 8] = "v/", subscription[64];
  if (screen && (zmq_bind(screen, values) != 0 || zmq_recv(screen, subscription, sizeof subscription, 0) < 0)) count = 0;
  // Until both know of each other's subscription, ticks are lost; so are the first that are answered not counted.
  int misses = 0;
  for (int64_t index = -10; index < count;) {
    int64_t start = now();
    zmq_send(publisher, tick, bytes, ZMQ_DONTWAIT);
    if (screen) zmq_send(screen, value, sizeof value, ZMQ_DONTWAIT);
    if (zmq_recv(subscriber, answer, 1 << 20, 0) < 0) {
      if (++misses > 100) break;
      continue;
    }
    if (index >= 0) nanoseconds[done++] = now() - start;
    index++;
  }
  free(tick);
  free(answer);
  zmq_close(publisher);
  zmq_close(subscriber);
  if (screen) zmq_close(screen);
  zmq_ctx_term(context);
  return done;
}

// Frames

int reference_frames(const char *endpoint, int64_t subscribers, int64_t lanes, int64_t period) {
  void *context = zmq_ctx_new();
  void *publisher = socket_of(context, ZMQ_XPUB);
  int one = 1, queue = 2048;
  zmq_setsockopt(publisher, ZMQ_XPUB_VERBOSE, &one, sizeof one);
  zmq_setsockopt(publisher, ZMQ_SNDHWM, &queue, sizeof queue);
  if (zmq_bind(publisher, endpoint) != 0) return zmq_errno();
  for (int64_t known = 0; known < subscribers; known++) {
    char subscription[64];
    if (zmq_recv(publisher, subscription, sizeof subscription, 0) < 0) return zmq_errno();
  }
  double *values = malloc(8 * lanes), *velocities = malloc(8 * lanes);
  for (int64_t lane = 0; lane < lanes; lane++) values[lane] = velocities[lane] = 1;
  const int64_t chunk = (most_bytes - head_bytes) / 8;
  int timer = boot_timer();
  int64_t due = now() + period;
  for (int64_t frame = 1;; frame++) {
    wait_until(timer, due);
    reference_scale(values, velocities, lanes, 0.999999, 1.000001);
    int64_t sent = now();
    for (int64_t first = 0; first < lanes; first += chunk) {
      int64_t count = lanes - first < chunk ? lanes - first : chunk;
      zmq_msg_t message;
      zmq_msg_init_size(&message, head_bytes + 8 * count);
      char *bytes = zmq_msg_data(&message);
      memcpy(bytes, "v/", topic_bytes);
      memcpy(bytes + topic_bytes, &sent, 8);
      memcpy(bytes + topic_bytes + 8, &frame, 8);
      memcpy(bytes + head_bytes, values + first, 8 * count);
      if (zmq_msg_send(&message, publisher, ZMQ_DONTWAIT) < 0) zmq_msg_close(&message);
    }
    // Four frames are caught up with, the rest is left out, as the coordinator does.
    due += period;
    if (now() - due > 4 * period) due = now();
  }
}

// Listening

struct reference_listener {
  void *context;
  void *socket;
};

struct reference_listener *reference_listener_open(const char *endpoint, const void *topic, size_t topic_length) {
  struct reference_listener *listener = malloc(sizeof *listener);
  listener->context = zmq_ctx_new();
  listener->socket = socket_of(listener->context, ZMQ_SUB);
  int queue = 65536;
  zmq_setsockopt(listener->socket, ZMQ_RCVHWM, &queue, sizeof queue);
  zmq_setsockopt(listener->socket, ZMQ_SUBSCRIBE, topic, topic_length);
  zmq_connect(listener->socket, endpoint);
  return listener;
}

int reference_listener_hear(struct reference_listener *listener, struct reference_heard *heard, int milliseconds) {
  zmq_setsockopt(listener->socket, ZMQ_RCVTIMEO, &milliseconds, sizeof milliseconds);
  zmq_msg_t message;
  zmq_msg_init(&message);
  if (zmq_msg_recv(&message, listener->socket, 0) < 0) return zmq_errno();
  heard->received = now();
  heard->length = zmq_msg_size(&message);
  size_t kept = heard->length < sizeof heard->head ? heard->length : sizeof heard->head;
  memcpy(heard->head, zmq_msg_data(&message), kept);
  zmq_msg_close(&message);
  return 0;
}

void reference_listener_close(struct reference_listener *listener) {
  zmq_close(listener->socket);
  zmq_ctx_term(listener->context);
  free(listener);
}

void reference_copy(const void *bytes, size_t count) {
  void *copy = malloc(count);
  memcpy(copy, bytes, count);
  __asm__ volatile("" : : "r"(copy) : "memory");
  free(copy);
}

void reference_rest(const char *endpoint) {
  void *context = zmq_ctx_new();
  void *router = socket_of(context, ZMQ_ROUTER);
  zmq_bind(router, endpoint);
  zmq_pollitem_t item = {router, 0, ZMQ_POLLIN, 0};
  while (zmq_poll(&item, 1, -1) >= 0 || errno == EINTR) {}
}
