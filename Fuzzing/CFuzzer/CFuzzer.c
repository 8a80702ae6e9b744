#include "CFuzzer.h"

// Weak, so that an ordinary build, which has no libFuzzer, links too.
extern int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*run)(const uint8_t *, size_t)) __attribute__((weak));

int motion_fuzz(int *count, char ***arguments, int (*run)(const uint8_t *, size_t)) {
  return LLVMFuzzerRunDriver ? LLVMFuzzerRunDriver(count, arguments, run) : -1;
}
