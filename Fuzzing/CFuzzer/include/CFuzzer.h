// The part of libFuzzer that is called from here; only a build by `make fuzz` has it.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Runs libFuzzer with the options and corpora of a command line; it calls `run` for each input, and does not return before
// it is done. Returns -1 at once where libFuzzer is not linked in.
int motion_fuzz(int *count, char ***arguments, int (*run)(const uint8_t *bytes, size_t count));
