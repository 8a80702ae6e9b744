/// Clocks that jump: the wall clock and the boot clock are ahead by two numbers of nanoseconds, which may change at any
/// time, in the file that FAULT_CLOCK names. Tests compile this and load it before the C library.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *shifts;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULT_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(0, 16, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) shifts = memory;
}

static int64_t shift_of(clockid_t clock) {
  if (!shifts) return 0;
  return clock == CLOCK_REALTIME ? shifts[0] : clock == CLOCK_BOOTTIME ? shifts[1] : 0;
}

static void add(struct timespec *time, int64_t nanoseconds) {
  int64_t sum = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec + nanoseconds;
  // A time in the distant past is treated as any time in the past.
  if (sum < 1) sum = 1;
  time->tv_sec = sum / 1000000000;
  time->tv_nsec = sum % 1000000000;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int status = (int)syscall(SYS_clock_gettime, clock, time);
  int64_t shift = shift_of(clock);
  if (status == 0 && shift != 0) add(time, shift);
  return status;
}

/// The kernel does not have the shift, so it is subtracted from the times at which timers are armed.
int timerfd_settime(int timer, int flags, const struct itimerspec *when, struct itimerspec *before) {
  struct itimerspec real = *when;
  int is_armed = real.it_value.tv_sec != 0 || real.it_value.tv_nsec != 0;
  if (is_armed && (flags & TFD_TIMER_ABSTIME)) add(&real.it_value, -shift_of(CLOCK_BOOTTIME));
  return (int)syscall(SYS_timerfd_settime, timer, flags, &real, before);
}
