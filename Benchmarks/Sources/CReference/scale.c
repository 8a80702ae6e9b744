#include "CReference.h"

__attribute__((target_clones("avx2", "default"), noinline))
void reference_scale(double *restrict first, double *restrict second, size_t count, double by_first, double by_second) {
  for (size_t index = 0; index < count; index++) {
    first[index] *= by_first;
    second[index] *= by_second;
  }
}
