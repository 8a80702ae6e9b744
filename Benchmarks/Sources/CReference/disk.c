#include "CReference.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int64_t reference_sync(const char *path, size_t bytes, int64_t count, int64_t *nanoseconds) {
  char block[4096];
  memset(block, 7, sizeof block);
  if (bytes > sizeof block) return 0;
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return 0;
  int64_t done = 0;
  while (done < count) {
    int64_t start = reference_boot_clock();
    if (write(file, block, bytes) != (ssize_t)bytes || fdatasync(file) != 0) break;
    nanoseconds[done++] = reference_boot_clock() - start;
  }
  close(file);
  return done;
}
