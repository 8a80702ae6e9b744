#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "CLinux.h"
#include "connections.h"

// libzmq bounds neither the connections whose handshake is not done nor the bytes of subscriptions: it decodes what comes
// and adds it to its trie before anybody is asked. So its calls of `recv` and `send` arrive here, like those of `accept4`
// (accept.c): `send` shows when a handshake is done, because what this side has sent by then depends on no peer, and
// `recv` ends a connection that has sent more than it may.

struct connection {
  // The kernel's number for the socket, which no other socket ever has: a descriptor is given away again.
  atomic_ullong cookie;
  // Bytes that are still to be sent until the handshake is done; 0 when it is, and for what libzmq did not accept.
  atomic_int handshake;
  // What may be received: so many bytes now, and so many more each second, up to `burst`; no limit if that is 0.
  atomic_llong burst, per_second, room, refilled;
};

struct listener {
  char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
  in_port_t port;
  long long burst, per_second;
};

struct waiting {
  int descriptor;
  unsigned long long cookie;
  long long since;
};

// The server's greeting has 64 bytes in ZMTP 3, its WELCOME 170 with CURVE, and a refusal (ERROR) 12 more; the shortest
// READY that ends a handshake has 28, and 52 with CURVE.
enum { NULL_HANDSHAKE = 64 + 16, CURVE_HANDSHAKE = 64 + 170 + 16 };
// A handshake over a good line takes some milliseconds. One that takes longer gives way to a newcomer.
static const long long grace = 250000000;
// The most handshakes under way that anybody may allow.
enum { MOST_WAITING = 256, MOST_LISTENERS = 64 };

static struct connection *_Atomic table;
static atomic_int table_size;
static struct listener listeners[MOST_LISTENERS];
static int listener_count;
static struct waiting waiting[MOST_WAITING];
static int waiting_count;
// What network connections get: descriptors from `remote_from` to `remote_last`, and so many handshakes at a time.
static atomic_int remote_from, remote_last = -1, remote_handshakes, local_handshakes;
static atomic_ulong floods;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

static unsigned long long cookie_of(int descriptor) {
  uint64_t cookie = 0;
  socklen_t length = sizeof cookie;
  return getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &length) == 0 ? cookie : 0;
}

static struct connection *known(int descriptor) {
  if (descriptor < 0 || descriptor >= atomic_load_explicit(&table_size, memory_order_acquire)) return NULL;
  return atomic_load_explicit(&table, memory_order_relaxed) + descriptor;
}

// Forgets those whose handshake is done and those that are gone.
static void sweep(void) {
  int kept = 0;
  for (int i = 0; i < waiting_count; i++) {
    struct connection *connection = known(waiting[i].descriptor);
    if (atomic_load(&connection->cookie) != waiting[i].cookie || atomic_load(&connection->handshake) == 0) continue;
    if (cookie_of(waiting[i].descriptor) == waiting[i].cookie) waiting[kept++] = waiting[i];
  }
  waiting_count = kept;
}

// Room for one more handshake: whoever has waited for longest gives way, once it has had its time.
static int has_place(int most) {
  if (waiting_count >= most) sweep();
  if (waiting_count < most) return 1;
  if (now() - waiting[0].since < grace) return 0;
  shutdown(waiting[0].descriptor, SHUT_RDWR);
  memmove(waiting, waiting + 1, (size_t)--waiting_count * sizeof *waiting);
  return 1;
}

static const struct listener *listener_of(const struct sockaddr_storage *address) {
  const struct sockaddr_un *local = (const void *)address;
  in_port_t port = ntohs(((const struct sockaddr_in *)address)->sin_port);
  for (int i = 0; i < listener_count; i++) {
    if (address->ss_family == AF_UNIX ? strcmp(local->sun_path, listeners[i].path) == 0 : port == listeners[i].port)
      return listeners + i;
  }
  return NULL;
}

int motion_has_own_range(int listener) {
  struct sockaddr_storage address = {0};
  socklen_t length = sizeof address;
  if (atomic_load(&remote_from) == 0) return 0;
  return getsockname(listener, (struct sockaddr *)&address, &length) == 0 && address.ss_family != AF_UNIX;
}

int motion_take_connection(int listener, int descriptor) {
  struct sockaddr_storage address = {0};
  socklen_t length = sizeof address;
  if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) return descriptor;
  int is_local = address.ss_family == AF_UNIX;
  int from = atomic_load(&remote_from);
  if (!is_local && from > 0) {
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, from);
    close(descriptor);
    if (moved > atomic_load(&remote_last)) {
      close(moved);
      return -1;
    }
    descriptor = moved;
  }
  struct connection *connection = known(descriptor);
  if (connection == NULL) return descriptor;
  int most = atomic_load(is_local ? &local_handshakes : &remote_handshakes);
  pthread_mutex_lock(&lock);
  int has_room = most == 0 || has_place(most);
  if (has_room) {
    const struct listener *known_listener = listener_of(&address);
    unsigned long long cookie = cookie_of(descriptor);
    atomic_store(&connection->cookie, cookie);
    atomic_store(&connection->handshake, is_local ? NULL_HANDSHAKE : CURVE_HANDSHAKE);
    atomic_store(&connection->burst, known_listener ? known_listener->burst : 0);
    atomic_store(&connection->room, known_listener ? known_listener->burst : 0);
    atomic_store(&connection->per_second, known_listener ? known_listener->per_second : 0);
    atomic_store(&connection->refilled, now());
    if (most > 0) waiting[waiting_count++] = (struct waiting){descriptor, cookie, now()};
  }
  pthread_mutex_unlock(&lock);
  if (has_room) return descriptor;
  close(descriptor);
  return -1;
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  ssize_t sent = syscall(SYS_sendto, descriptor, bytes, count, flags, NULL, 0);
  struct connection *connection = known(descriptor);
  if (sent <= 0 || connection == NULL) return sent;
  int left = atomic_load_explicit(&connection->handshake, memory_order_relaxed);
  if (left > 0) atomic_store(&connection->handshake, sent < left ? left - (int)sent : 0);
  return sent;
}

// Takes so many bytes of what a connection may send: 1, or 0 if it has sent too much.
static int take(struct connection *connection, long long count) {
  long long time = now(), burst = atomic_load(&connection->burst);
  long long more = (time - atomic_load(&connection->refilled)) / 1000000 * atomic_load(&connection->per_second) / 1000;
  long long room = atomic_load(&connection->room);
  if (more > 0) {
    atomic_store(&connection->refilled, time);
    room = room + more < burst ? room + more : burst;
  }
  atomic_store(&connection->room, room - count);
  return room >= count;
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
  ssize_t received = syscall(SYS_recvfrom, descriptor, bytes, count, flags, NULL, NULL);
  struct connection *connection = known(descriptor);
  if (received <= 0 || connection == NULL) return received;
  if (atomic_load_explicit(&connection->burst, memory_order_relaxed) == 0 || take(connection, received)) return received;
  if (cookie_of(descriptor) != atomic_load(&connection->cookie)) {
    // The descriptor is that of another socket by now, which libzmq has not accepted.
    atomic_store(&connection->burst, 0);
    return received;
  }
  atomic_fetch_add(&floods, 1);
  shutdown(descriptor, SHUT_RDWR);
  // For libzmq its peer has gone.
  return 0;
}

int motion_watch_connections(int highest) {
  pthread_mutex_lock(&lock);
  if (atomic_load(&table) == NULL) {
    // Pages that nobody touches cost nothing.
    struct connection *made = calloc((size_t)highest + 1, sizeof *made);
    atomic_store(&table, made);
    atomic_store_explicit(&table_size, made ? highest + 1 : 0, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return atomic_load(&table_size) > 0;
}

void motion_limit_handshakes(int local, int remote, int from, int last) {
  atomic_store(&remote_from, from);
  atomic_store(&remote_last, last);
  atomic_store(&local_handshakes, local < MOST_WAITING ? local : MOST_WAITING);
  atomic_store(&remote_handshakes, remote < MOST_WAITING ? remote : MOST_WAITING);
}

void motion_limit_received(const char *path, uint16_t port, long long burst, long long per_second) {
  pthread_mutex_lock(&lock);
  struct listener *listener = listeners;
  while (listener < listeners + listener_count
         && (path ? strcmp(listener->path, path) != 0 : listener->port != port)) listener++;
  if (listener < listeners + MOST_LISTENERS) {
    if (listener == listeners + listener_count) listener_count++;
    *listener = (struct listener){.port = port, .burst = burst, .per_second = per_second};
    if (path) strncpy(listener->path, path, sizeof listener->path - 1);
  }
  pthread_mutex_unlock(&lock);
}

unsigned long motion_received_floods(void) { return atomic_load(&floods); }
