#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "CLinux.h"
#include "connections.h"

// libzmq 4.3 ends the whole process when its listener on a Unix socket finds no descriptor left (EMFILE), or for any other
// error of which it has not thought: no memory (ENOMEM, ENOBUFS), a rule of the kernel's (EPERM), and over tcp an error of
// the network that accept(2) passes on. Watching the number of descriptors and closing the listener in time would be a
// race, which a burst of connections wins. So its call of accept4 arrives here: the linker prefers what a program defines
// itself to what a library does. Whoever is too many is closed at once, which libzmq takes for a peer that has gone
// (ECONNABORTED); so it does every error that it would not survive.

static atomic_int highest = INT_MAX;
// What is kept free of everybody but those who come by a listener in this directory.
static atomic_int highest_preferred = INT_MAX;
static char preferred[sizeof(((struct sockaddr_un *)0)->sun_path)];
static atomic_ulong refusals;
// Given up for a moment when there is no other: without it, nobody could be told that there is no room, and the
// listener would stay readable and keep libzmq's thread awake.
static int spare = -1;
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;

static int accept_really(int listener, struct sockaddr *address, socklen_t *length, int flags) {
  return (int)syscall(SYS_accept4, listener, address, length, flags);
}

static void open_spare(void) {
  if (spare < 0) spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void turn_away(int listener) {
  pthread_mutex_lock(&spare_lock);
  if (spare >= 0) {
    close(spare);
    spare = -1;
    int descriptor = accept_really(listener, NULL, NULL, SOCK_CLOEXEC);
    if (descriptor >= 0) close(descriptor);
  }
  open_spare();
  pthread_mutex_unlock(&spare_lock);
}

// Asked only of the few connections that are above the first mark.
static int is_preferred(int listener) {
  struct sockaddr_un address = {0};
  socklen_t length = sizeof address;
  size_t prefix = strnlen(preferred, sizeof preferred);
  if (prefix == 0 || getsockname(listener, (struct sockaddr *)&address, &length) != 0) return 0;
  return address.sun_family == AF_UNIX && strncmp(address.sun_path, preferred, prefix) == 0;
}

// What libzmq takes for an answer, on Unix sockets and over tcp.
static int is_survived(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == ECONNABORTED || error == EPROTO;
}

// The peer still waits then, and the listener stays readable: ENFILE is the machine's own limit of open files.
static int is_shortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS;
}

static int has_room(int descriptor, int listener) {
  if (descriptor <= atomic_load_explicit(&highest, memory_order_relaxed)) return 1;
  return descriptor <= atomic_load_explicit(&highest_preferred, memory_order_acquire) && is_preferred(listener);
}

// A connection for which there is room; what others may think of its absence is left in `errno`.
static int accept_bounded(int listener, struct sockaddr *address, socklen_t *length, int flags, int is_moved) {
  int descriptor = accept_really(listener, address, length, flags);
  // The kernel gives the lowest number that is free: none above `highest` is taken before all others are. What gets a
  // number of its own range afterwards may have any until then.
  if (descriptor >= 0 && (has_room(descriptor, listener) || (is_moved && motion_has_own_range(listener)))) {
    return descriptor;
  }
  if (descriptor >= 0) {
    close(descriptor);
  } else if (is_survived(errno)) {
    return descriptor;
  } else if (is_shortage(errno)) {
    turn_away(listener);
  }
  atomic_fetch_add_explicit(&refusals, 1, memory_order_relaxed);
  errno = ECONNABORTED;
  return -1;
}

int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
  int descriptor = accept_bounded(listener, address, length, flags, 1);
  if (descriptor < 0) return descriptor;
  descriptor = motion_take_connection(listener, descriptor);
  if (descriptor >= 0) return descriptor;
  atomic_fetch_add_explicit(&refusals, 1, memory_order_relaxed);
  errno = ECONNABORTED;
  return -1;
}

int motion_accept(int listener) { return accept_bounded(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

int motion_limit_accept(int everybody, int workers, const char *directory) {
  pthread_mutex_lock(&spare_lock);
  open_spare();
  // Never changed while it is in use: the mark that lets it be looked at is set behind it.
  if (directory != NULL && preferred[0] == 0) strncpy(preferred, directory, sizeof preferred - 1);
  pthread_mutex_unlock(&spare_lock);
  atomic_store_explicit(&highest_preferred, workers, memory_order_release);
  atomic_store_explicit(&highest, everybody, memory_order_relaxed);
  if (!motion_watch_connections(workers)) return -1;
  return dlsym(RTLD_DEFAULT, "accept4") == (void *)accept4 && dlsym(RTLD_DEFAULT, "send") == (void *)send
      && dlsym(RTLD_DEFAULT, "recv") == (void *)recv ? 0 : -1;
}

unsigned long motion_accept_refusals(void) { return atomic_load_explicit(&refusals, memory_order_relaxed); }
