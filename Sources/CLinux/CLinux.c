#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>

#include "CLinux.h"

int motion_cpu_is_allowed(int cpu) {
  cpu_set_t set;
  if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof set, &set) != 0) return 0;
  return CPU_ISSET(cpu, &set) ? 1 : 0;
}

int motion_pin_thread(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu < 0 || cpu >= CPU_SETSIZE) return -1;
  CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof set, &set);
}

int motion_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int motion_spawn_in_directory(posix_spawn_file_actions_t *actions, const char *directory) {
  return posix_spawn_file_actions_addchdir_np(actions, directory);
}

int motion_spawn_close_from(posix_spawn_file_actions_t *actions, int descriptor) {
  return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}
