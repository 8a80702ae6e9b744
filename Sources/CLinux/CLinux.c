#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

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

int motion_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

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
