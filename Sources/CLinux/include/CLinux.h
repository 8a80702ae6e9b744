// What Swift cannot import from Linux: system calls without a C wrapper, variadic functions and macros.
#pragma once

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/// Opens a descriptor that becomes readable when the process ends (Linux 5.3).
static inline int motion_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/// Sends a signal to the process that the descriptor stands for, never to a later one with its number.
static inline int motion_pidfd_send_signal(int pidfd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, 0, 0);
}

/// An event counter that does not block and is not inherited.
static inline int motion_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

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

/// Asks for a signal when the parent thread ends.
static inline int motion_set_parent_death_signal(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

/// Names the calling thread, for tools that list threads; 15 bytes count.
static inline int motion_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/// How long timers of this thread may be late to save power, in nanoseconds.
static inline int motion_set_timer_slack(unsigned long nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}
