// What the loops of the bank could have been: with half the bytes, or on two threads.
#define _GNU_SOURCE
#include "CReference.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FOR_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))

// The matrix of some spring without friction: of what it multiplies, only the cost counts.
enum { BLOCK = 512 };
static const double uu = 0.9896, vu = 0.0083, uv = -2.49, vv = 0.9896;

FOR_EACH_PROCESSOR
void reference_step(double *restrict displacements, double *restrict velocities, size_t count) {
  for (size_t row = 0; row < count; row++) {
    double u = displacements[row], v = velocities[row];
    displacements[row] = uu * u + vu * v;
    velocities[row] = uv * u + vv * v;
  }
}

FOR_EACH_PROCESSOR
void reference_step_single(float *restrict displacements, float *restrict velocities, size_t count) {
  const float a = uu, b = vu, c = uv, d = vv;
  for (size_t row = 0; row < count; row++) {
    float u = displacements[row], v = velocities[row];
    displacements[row] = a * u + b * v;
    velocities[row] = c * u + d * v;
  }
}

// One half is the second thread's: it is told by a number that grows, and tells that it is done by the same.
static struct {
  double *displacements, *velocities;
  size_t count;
  _Atomic uint32_t wanted, done;
} half;

static void await(_Atomic uint32_t *number, uint32_t old) {
  while (atomic_load(number) == old) syscall(SYS_futex, number, FUTEX_WAIT_PRIVATE, old, NULL, NULL, 0);
}

static void tell(_Atomic uint32_t *number) {
  atomic_fetch_add(number, 1);
  syscall(SYS_futex, number, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void *step_halves(void *ignored) {
  for (uint32_t number = 0;; number++) {
    await(&half.wanted, number);
    reference_step(half.displacements, half.velocities, half.count);
    tell(&half.done);
  }
  return ignored;
}

void reference_step_on_two_threads(double *displacements, double *velocities, size_t count) {
  static pthread_t second;
  if (second == 0) pthread_create(&second, NULL, step_halves, NULL);
  size_t first = count / 2 / BLOCK * BLOCK;
  half.displacements = displacements + first;
  half.velocities = velocities + first;
  half.count = count - first;
  uint32_t done = atomic_load(&half.done);
  tell(&half.wanted);
  reference_step(displacements, velocities, first);
  await(&half.done, done);
}
