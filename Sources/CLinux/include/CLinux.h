// What Swift cannot import from Linux: system calls without a C wrapper, variadic functions and macros.
#pragma once

#include <errno.h>
#include <linux/input.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/// The process that `waitid` tells of; 0 if it tells of none. (A macro over a union.)
static inline pid_t motion_child_id(const siginfo_t *information) { return information->si_pid; }

/// The exit code or the signal that `waitid` tells of. (A macro over a union.)
static inline int motion_child_status(const siginfo_t *information) { return information->si_status; }

/// Whether the process may run on a processor: 1 or 0.
int motion_cpu_is_allowed(int cpu);

/// Keeps the calling thread to a processor: 0, or -1 if the kernel refuses.
int motion_pin_thread(int cpu);

/// Makes a pipe whose ends are not inherited: 0, or -1 and `errno`.
int motion_pipe(int ends[2]);

/// Opens a new file without a name, which is gone when it is closed, for writing: its descriptor, or -1 and `errno`.
int motion_open_unnamed(const char *folder, mode_t mode);

/// What is started as a child process, and how; see `motion_launch`.
struct motion_launch {
  /// What is executed, from `directory` on if it is relative, and with which words and variables, each null at its end.
  const char *program;
  char *const *arguments;
  char *const *environment;
  /// Where it begins: a descriptor of a folder.
  int directory;
  /// What its standard streams are: descriptors above 2.
  int streams[3];
  /// The signal that it gets when the thread that starts it ends.
  int parent_death_signal;
  /// Which file the program has to be, if `is_checked` is not 0: what was checked is what is executed.
  int is_checked;
  uint64_t device;
  uint64_t file;
  /// Limits of descriptors, address space, processes and core dumps: for each that is not 0 in `is_limited` the soft and
  /// the hard one; a hard one of 0 keeps what there is.
  int is_limited[4];
  uint64_t soft[4];
  uint64_t hard[4];
  /// How much it yields to others; 0 leaves what there is.
  int niceness;
  /// The `cgroup.procs` of the control group that it is to be in, open for writing; 0 leaves it where its parent is.
  int group;
};

/// At which step a launch failed.
enum motion_launch_step {
  MOTION_LAUNCH_PROCESS = 1,
  MOTION_LAUNCH_DIRECTORY,
  MOTION_LAUNCH_LIMITS,
  MOTION_LAUNCH_GROUP,
  MOTION_LAUNCH_PARENT,
  MOTION_LAUNCH_CHANGED,
  MOTION_LAUNCH_PROGRAM,
};

/// Starts a program in a process and a group of its own, with no signal blocked or ignored and no descriptor but its
/// three streams: 0, or an error number and the step that failed. Its parent is the calling thread.
int motion_launch(const struct motion_launch *launch, pid_t *process, int *step);

/// Opens what a folder holds by a name only to stand for it (`O_PATH`), and not what a link there leads to unless
/// `follows`: a descriptor, or -1 and `errno`. `AT_FDCWD` is the folder of paths.
int motion_open_place(int folder, const char *name, int follows);

/// Whether the environment of a process, as it was started, has all of these variables, each written `NAME=VALUE`: 1, or 0
/// if not, or if nobody may know. Takes some 10 µs; asked of every process there is, which in Swift would take 20 times that.
int motion_process_carries(pid_t process, const char *const *variables, int count);

/// Lets connections that libzmq accepts in this process have descriptors up to `everybody`, and up to `workers` those
/// that come by a Unix socket whose path begins with `directory` (the first that is given counts). Those beyond, and
/// those for which there is no descriptor, are closed at once instead of ending the process. Returns 0, or -1 if libzmq
/// would not ask us: then nothing is limited.
int motion_limit_accept(int everybody, int workers, const char *directory);

/// How many connections were closed because there was no room for them.
unsigned long motion_accept_refusals(void);

/// Lets so many connections at a time be without a handshake that is done, of those by Unix sockets and by the network; 0 is
/// no limit. One more takes the place of the one that has waited for longest, if that has had a quarter of a second, or
/// else is closed. Connections of the network get descriptors from `from` to `last`, if `from` is not 0: so they leave the
/// others to local ones, and these leave them to the network. `motion_limit_accept` comes first.
void motion_limit_handshakes(int local, int remote, int from, int last);

/// Lets each connection to a listener, a Unix socket's path or else a port, send so many bytes at once, and then so many
/// in a second; one that sends more is closed before libzmq reads it. For connections that are accepted afterwards.
void motion_limit_received(const char *path, uint16_t port, long long burst, long long per_second);

/// How many connections were closed because they sent too much.
unsigned long motion_received_floods(void);

/// A connection that waits at a listener, as a descriptor that does not block and is not inherited; -1 and `errno`.
int motion_accept(int listener);

/// Memory with these bytes that nobody can change any more, as a descriptor that is not inherited; -1 and `errno`.
int motion_sealed_memory(const void *bytes, size_t count);

/// Sends a descriptor and nothing else to the local socket with an address, as `sendmsg` does; the control message is a
/// matter of macros. (The header of sockets is left out: what it declares would be Glibc's no more.)
ssize_t motion_send_descriptor(int socket, const void *address, uint32_t length, int descriptor, int flags);

/// Opens a descriptor that becomes readable when the process ends (Linux 5.3).
static inline int motion_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/// Sends a signal to the process that the descriptor stands for, never to a later one with its number.
static inline int motion_pidfd_send_signal(int pidfd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, 0, 0);
}

/// An event counter that does not block and is not inherited.
static inline int motion_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// A descriptor that is readable while one of these signals, which the thread blocks, waits for it; not inherited.
static inline int motion_signal_descriptor(const sigset_t *signals) {
  return signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// A timer on the boot clock that does not block and is not inherited.
static inline int motion_boot_timer(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

/// Arms a timer at an absolute time of the boot clock; zero disarms it.
static inline int motion_boot_timer_set(int timer, int64_t nanoseconds) {
  struct itimerspec when = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, 0);
}

/// The boot clock, in nanoseconds.
static inline int64_t motion_boot_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Opens /dev/null for each of standard input, output and error that is closed, before anything else is opened: the next
/// descriptor would take its number, and what is printed would go into a socket. The bits 1, 2 and 4 of the result tell
/// which were closed.
int motion_fill_standard_descriptors(void);

/// Asks for a signal when the parent thread ends.
static inline int motion_set_parent_death_signal(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

/// Names the calling thread, for tools that list threads; 15 bytes count.
static inline int motion_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/// Lets blocks of so many bytes or more be maps of their own, which the system gets back when they are freed, for ever
/// (`M_MMAP_THRESHOLD`): by itself the limit grows with what is freed. 1 if so.
static inline int motion_map_blocks(int bytes) { return mallopt(M_MMAP_THRESHOLD, bytes); }

/// Takes all memory from so many arenas, for ever (`M_ARENA_MAX`): by itself each thread gets one of its own, which
/// reserves 64 MiB of address space. 1 if so.
static inline int motion_limit_arenas(int arenas) { return mallopt(M_ARENA_MAX, arenas); }

/// Appends a record to a mapped file. Its first byte, which says what it is, is written last: until then, and also if the
/// process is killed meanwhile, the file ends before the record.
static inline void motion_append_record(void *place, const void *record, size_t count) {
  memcpy((char *)place + 1, (const char *)record + 1, count - 1);
  __atomic_store_n((unsigned char *)place, *(const unsigned char *)record, __ATOMIC_RELEASE);
}

/// How long timers of this thread may be late to save power, in nanoseconds.
static inline int motion_set_timer_slack(unsigned long nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}

/// Whether an input device has this event (`EVIOCGBIT`): 1 or 0, or -1 if it is no input device.
static inline int motion_input_has(int device, unsigned type, unsigned code) {
  unsigned char bits[KEY_MAX / 8 + 1] = {0};
  if (code > KEY_MAX) return 0;
  if (ioctl(device, EVIOCGBIT(type, sizeof bits), bits) < 0) return -1;
  return bits[code / 8] >> code % 8 & 1;
}

/// What an axis of an input device is at, and its range (`EVIOCGABS`).
static inline int motion_input_axis(int device, unsigned axis, int32_t *value, int32_t *minimum, int32_t *maximum) {
  struct input_absinfo info = {0};
  int result = ioctl(device, EVIOCGABS(axis), &info);
  *value = info.value;
  *minimum = info.minimum;
  *maximum = info.maximum;
  return result;
}

/// Makes an input device stamp its events with the boot clock (Linux 4.2).
static inline int motion_input_use_boot_clock(int device) {
  int clock = CLOCK_BOOTTIME;
  return ioctl(device, EVIOCSCLOCKID, &clock);
}
