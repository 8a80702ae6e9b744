#include "CSprings.h"

#include <float.h>
#include <math.h>

// A fused product would be more precise on those processors only that have it, and a replay would differ.
#pragma STDC FP_CONTRACT OFF

// Against a loop that reads, scales and writes in 256 bits, a step of 500 springs costs 1.4 times as much in 256 bits
// and 0.8 in 512; beyond the caches all cost the same.
// The thread sanitizer is called at the beginning of what chooses between them, which is before it is there itself.
#if defined(__x86_64__) && defined(__gnu_linux__) && !__has_feature(thread_sanitizer)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

#define INLINE static inline __attribute__((always_inline))

FOR_EACH_PROCESSOR
void springs_step(
    double *restrict displacements, double *restrict velocities, size_t count, double uu, double vu, double uv,
    double vv) {
  for (size_t row = 0; row < count; row++) {
    double u = displacements[row], v = velocities[row];
    displacements[row] = uu * u + vu * v;
    velocities[row] = uv * u + vv * v;
  }
}

FOR_EACH_PROCESSOR
void springs_step_own(
    double *restrict displacements, double *restrict velocities, size_t count, const double *restrict laws,
    size_t stride) {
  for (size_t row = 0; row < count; row++) {
    double u = displacements[row], v = velocities[row];
    displacements[row] = laws[row] * u + laws[stride + row] * v;
    velocities[row] = laws[2 * stride + row] * u + laws[3 * stride + row] * v;
  }
}

FOR_EACH_PROCESSOR
void springs_drive(
    double *restrict values, double *restrict velocities, const double *restrict accelerations, size_t count,
    double vu, double vv, double au) {
  for (size_t row = 0; row < count; row++) {
    double v = velocities[row], acceleration = accelerations[row];
    values[row] += vu * v + au * acceleration;
    double next = vv * v + vu * acceleration;
    // A lane without force beside a driven one would fade into denormals, for nothing ends its motion.
    velocities[row] = fabs(next) < 1e-145 ? 0 : next;
  }
}

INLINE double energy(
    const double *displacements, const double *velocities, size_t stride, size_t lanes, size_t row,
    double stiffness) {
  double u = displacements[row], v = velocities[row];
  double sum = v * v + stiffness * (u * u);
  for (size_t lane = 1; lane < lanes; lane++) {
    u = displacements[lane * stride + row];
    v = velocities[lane * stride + row];
    sum += v * v + stiffness * (u * u);
  }
  return sum;
}

INLINE double lesser(double a, double b) { return a < b ? a : b; }

// So many minima are kept side by side that the compiler keeps them in registers of any width; a single one would have
// each row wait for the one before.
enum { MINIMA = 16 };

INLINE double least(const double *minima) {
  double result = INFINITY;
  for (int index = 0; index < MINIMA; index++) result = lesser(minima[index], result);
  return result;
}

INLINE double least_energy(
    const double *displacements, const double *velocities, size_t stride, size_t lanes, size_t count,
    double stiffness) {
  double minima[MINIMA];
  for (int index = 0; index < MINIMA; index++) minima[index] = INFINITY;
  size_t row = 0;
  for (; row + MINIMA <= count; row += MINIMA) {
    for (size_t index = 0; index < MINIMA; index++) {
      minima[index] = lesser(energy(displacements, velocities, stride, lanes, row + index, stiffness), minima[index]);
    }
  }
  for (; row < count; row++) {
    minima[0] = lesser(energy(displacements, velocities, stride, lanes, row, stiffness), minima[0]);
  }
  return least(minima);
}

FOR_EACH_PROCESSOR
double springs_least_energy(
    const double *displacements, const double *velocities, size_t stride, size_t lanes, size_t count,
    double stiffness) {
  switch (lanes) {
    case 1: return least_energy(displacements, velocities, stride, 1, count, stiffness);
    case 2: return least_energy(displacements, velocities, stride, 2, count, stiffness);
    case 3: return least_energy(displacements, velocities, stride, 3, count, stiffness);
    default: return least_energy(displacements, velocities, stride, 4, count, stiffness);
  }
}

INLINE double margin(
    const double *displacements, const double *velocities, size_t stride, size_t lanes, size_t row,
    const double *stiffnesses, const double *bounds) {
  return lesser(energy(displacements, velocities, stride, lanes, row, stiffnesses[row]), DBL_MAX) - bounds[row];
}

INLINE double least_margin(
    const double *displacements, const double *velocities, size_t stride, size_t lanes, size_t count,
    const double *stiffnesses, const double *bounds) {
  double minima[MINIMA];
  for (int index = 0; index < MINIMA; index++) minima[index] = INFINITY;
  size_t row = 0;
  for (; row + MINIMA <= count; row += MINIMA) {
    for (size_t index = 0; index < MINIMA; index++) {
      minima[index] =
          lesser(margin(displacements, velocities, stride, lanes, row + index, stiffnesses, bounds), minima[index]);
    }
  }
  for (; row < count; row++) {
    minima[0] = lesser(margin(displacements, velocities, stride, lanes, row, stiffnesses, bounds), minima[0]);
  }
  return least(minima);
}

FOR_EACH_PROCESSOR
double springs_least_margin(
    const double *displacements, const double *velocities, size_t stride, size_t lanes, size_t count,
    const double *stiffnesses, const double *bounds) {
  switch (lanes) {
    case 1: return least_margin(displacements, velocities, stride, 1, count, stiffnesses, bounds);
    case 2: return least_margin(displacements, velocities, stride, 2, count, stiffnesses, bounds);
    case 3: return least_margin(displacements, velocities, stride, 3, count, stiffnesses, bounds);
    default: return least_margin(displacements, velocities, stride, 4, count, stiffnesses, bounds);
  }
}
