// Counts what is allocated by standing in front of the C library's allocator, whose own entries glibc exports.
#include "CReference.h"

#include <stdbool.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Atomic uint64_t allocations;

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  allocations++;
  *result = __libc_memalign(alignment, size);
  return *result == 0 ? 12 : 0;
}

uint64_t reference_allocations(void) { return allocations; }

// Swift's runtime lets what measures it stand in front of its counts, too. The switch for it came with Swift 6.3.
extern void *(*_swift_retain)(void *);
extern void *(*_swift_retain_n)(void *, uint32_t);
__attribute__((weak)) extern bool _swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly;

static _Atomic uint64_t retains;
static void *(*swift_retain)(void *);
static void *(*swift_retain_n)(void *, uint32_t);

static void *retain(void *object) {
  retains++;
  return swift_retain(object);
}

static void *retain_n(void *object, uint32_t count) {
  retains++;
  return swift_retain_n(object, count);
}

uint64_t reference_retains(int is_counting) {
  if (!swift_retain) {
    swift_retain = _swift_retain;
    swift_retain_n = _swift_retain_n;
  }
  _swift_retain = is_counting ? retain : swift_retain;
  _swift_retain_n = is_counting ? retain_n : swift_retain_n;
  if (&_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly)
    _swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly = is_counting;
  return retains;
}
