#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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

int motion_open_unnamed(const char *folder, mode_t mode) {
  return open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
}

int motion_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int motion_open_place(int folder, const char *name, int follows) {
  return openat(folder, name, O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW));
}

/// Whether a block of texts that each end with a zero byte has one.
static int has_text(const char *block, size_t length, const char *text) {
  size_t bytes = strlen(text) + 1;
  for (size_t place = 0; place + bytes <= length;) {
    if (memcmp(block + place, text, bytes) == 0) return 1;
    const char *end = memchr(block + place, 0, length - place);
    if (!end) return 0;
    place = (size_t)(end - block) + 1;
  }
  return 0;
}

int motion_process_carries(pid_t process, const char *const *variables, int count) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/environ", process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  // As much as one text may have; a worker's environment is a few hundred bytes.
  size_t size = 131072, length = 0;
  char *block = malloc(size);
  ssize_t more;
  while (block && length < size && (more = read(file, block + length, size - length)) > 0) length += (size_t)more;
  close(file);
  int has = block != 0 && length > 0;
  for (int i = 0; has && i < count; i++) has = has_text(block, length, variables[i]);
  free(block);
  return has;
}

/// What a child says of why it could not become the program, in memory that it shares with its parent.
struct failure {
  volatile int error;
  volatile int step;
};

/// Closes all descriptors from 3 on.
static void close_others(void) {
  if (syscall(SYS_close_range, 3, ~0U, 0) == 0) return;
  // Before Linux 5.9: as many as there may be.
  struct rlimit limit;
  rlim_t count = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536 ? limit.rlim_cur : 65536;
  for (rlim_t descriptor = 3; descriptor < count; descriptor++) close((int)descriptor);
}

static int set_limits(const struct motion_launch *launch) {
  static const int resources[4] = {RLIMIT_NOFILE, RLIMIT_AS, RLIMIT_NPROC, RLIMIT_CORE};
  for (int i = 0; i < 4; i++) {
    if (!launch->is_limited[i]) continue;
    struct rlimit limit;
    if (getrlimit(resources[i], &limit) != 0) return -1;
    if (launch->hard[i] != 0 && launch->hard[i] < limit.rlim_max) limit.rlim_max = launch->hard[i];
    limit.rlim_cur = launch->soft[i] < limit.rlim_max ? launch->soft[i] : limit.rlim_max;
    if (setrlimit(resources[i], &limit) != 0) return -1;
  }
  return 0;
}

/// The child, which has the memory of its parent and must not but call the system. Returns the step that failed.
__attribute__((noinline)) static int become(const struct motion_launch *launch, pid_t parent, const sigset_t *none) {
  if (setpgid(0, 0) != 0) return MOTION_LAUNCH_PROCESS;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &action, 0);
  for (int stream = 0; stream < 3; stream++) {
    if (dup2(launch->streams[stream], stream) != stream) return MOTION_LAUNCH_PROCESS;
  }
  if (fchdir(launch->directory) != 0) return MOTION_LAUNCH_DIRECTORY;
  // 0 is whoever writes it.
  if (launch->group != 0 && write(launch->group, "0", 1) != 1) return MOTION_LAUNCH_GROUP;
  close_others();
  if (set_limits(launch) != 0) return MOTION_LAUNCH_LIMITS;
  if (launch->niceness != 0 && setpriority(PRIO_PROCESS, 0, launch->niceness) != 0) return MOTION_LAUNCH_LIMITS;
  if (prctl(PR_SET_PDEATHSIG, launch->parent_death_signal, 0, 0, 0) != 0) return MOTION_LAUNCH_PARENT;
  // It may have died before it was to be told of.
  if (getppid() != parent) _exit(127);
  if (launch->is_checked) {
    struct stat found;
    if (lstat(launch->program, &found) != 0) return MOTION_LAUNCH_PROGRAM;
    if (found.st_dev != launch->device || found.st_ino != launch->file) return MOTION_LAUNCH_CHANGED;
  }
  sigprocmask(SIG_SETMASK, none, 0);
  execve(launch->program, launch->arguments, launch->environment);
  return MOTION_LAUNCH_PROGRAM;
}

int motion_launch(const struct motion_launch *launch, pid_t *process, int *step) {
  struct failure failure = {0, 0};
  sigset_t all, none, before;
  sigfillset(&all);
  sigemptyset(&none);
  // No handler of ours may run in the child, which has our memory until it has become the program.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  // Not fork: copying the tables of a large process would stop its other threads for milliseconds.
  pid_t child = vfork();
  if (child == 0) {
    failure.step = become(launch, parent, &none);
    failure.error = errno;
    _exit(127);
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, 0);
  *step = failure.step ? failure.step : MOTION_LAUNCH_PROCESS;
  if (child < 0) return error;
  if (failure.step == 0) {
    *process = child;
    return 0;
  }
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return failure.error ? failure.error : EIO;
}

int motion_sealed_memory(const void *bytes, size_t count) {
  int memory = memfd_create("motiond", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return -1;
  for (size_t done = 0; done < count;) {
    ssize_t written = write(memory, (const char *)bytes + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) goto failed;
    done += (size_t)written;
  }
  if (fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0) return memory;
failed:;
  int problem = errno;
  close(memory);
  errno = problem;
  return -1;
}

ssize_t motion_send_descriptor(int socket, const void *address, uint32_t length, int descriptor, int flags) {
  // The kernel wants the header of a control message aligned.
  union {
    char room[CMSG_SPACE(sizeof descriptor)];
    struct cmsghdr header;
  } control = {0};
  struct msghdr message = {
      .msg_name = (void *)address,
      .msg_namelen = length,
      .msg_control = control.room,
      .msg_controllen = sizeof control.room,
  };
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, flags);
}

int motion_fill_standard_descriptors(void) {
  int closed = 0;
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    closed |= 1 << descriptor;
    // The lowest number that is free is this one.
    if (open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY) < 0) break;
  }
  return closed;
}
