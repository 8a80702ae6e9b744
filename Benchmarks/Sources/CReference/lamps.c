// Lamps: the barest sender of sACN, and a receiver that lets the kernel say when each packet came.
#define _GNU_SOURCE
#include "CReference.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { data_bytes = 638, synchronization_bytes = 49, port = 5568 };

static struct sockaddr_in receiver(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int reference_lamps_send(int64_t universes, int64_t period) {
  struct sockaddr_in address = receiver();
  int sockets[universes + 1];
  for (int64_t index = 0; index <= universes; index++) sockets[index] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (sockets[universes] < 0) return errno;
  int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
  struct itimerspec when = {{0, period}, {0, period}};
  timerfd_settime(timer, 0, &when, NULL);
  unsigned char data[data_bytes] = {0}, synchronization[synchronization_bytes] = {0};
  uint64_t turns;
  while (read(timer, &turns, sizeof turns) == sizeof turns) {
    for (int64_t index = 0; index < universes; index++) {
      memset(data + 126, data[126] + 1, 512);
      sendto(sockets[index], data, sizeof data, 0, (struct sockaddr *)&address, sizeof address);
    }
    sendto(sockets[universes], synchronization, sizeof synchronization, 0, (struct sockaddr *)&address, sizeof address);
  }
  return errno;
}

int reference_lamps_open(void) {
  int listener = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), one = 1, room = 16 << 20;
  struct sockaddr_in address = receiver();
  setsockopt(listener, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
  if (setsockopt(listener, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0)
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0) return listener;
  close(listener);
  return -1;
}

int64_t reference_lamps_hear(int listener, int64_t count, struct reference_frame *frames) {
  unsigned char packet[1500];
  char control[256];
  struct reference_frame frame = {0};
  for (int64_t done = 0; done < count;) {
    struct pollfd polled = {.fd = listener, .events = POLLIN};
    if (poll(&polled, 1, 3000) == 0) return done;
    struct iovec place = {packet, sizeof packet};
    struct msghdr message = {
        .msg_iov = &place, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t bytes = recvmsg(listener, &message, MSG_DONTWAIT);
    if (bytes < 0) continue;
    struct timespec when = {0, 0};
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part))
      if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS)
        memcpy(&when, CMSG_DATA(part), sizeof when);
    int64_t now = (int64_t)when.tv_sec * 1000000000 + when.tv_nsec;
    if (bytes == data_bytes) {
      if (frame.packets++ == 0) frame.first = now;
    } else if (bytes == synchronization_bytes) {
      frame.last = now;
      frames[done++] = frame;
      frame = (struct reference_frame){0};
    }
  }
  return count;
}
