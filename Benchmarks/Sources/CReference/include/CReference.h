#pragma once
#include <stddef.h>
#include <stdint.h>

/// Reads, scales and writes two rows of numbers: the least that a step of springs can do.
///
/// Compiled for AVX2, too, and chosen at run time, as the springs are.
void reference_scale(double *first, double *second, size_t count, double by_first, double by_second);

/// How often this process has allocated memory since it began.
uint64_t reference_allocations(void);
