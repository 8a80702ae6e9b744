// A layer between SQLite and its files that writes down what it does to them, and lets it fail on demand.
//
// What happens to files outside the recorded directory goes past it. One recording at a time, from any thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
  MOTION_FILE_CREATE,  // the name is new; durable after the next MOTION_NAMES_SYNC
  MOTION_FILE_WRITE,   // `count` bytes at `offset`; durable after the next MOTION_FILE_SYNC of the file
  MOTION_FILE_TRUNCATE, // the file has `offset` bytes from now on; likewise
  MOTION_FILE_SYNC,
  MOTION_FILE_DELETE,  // durable after the next MOTION_NAMES_SYNC
  MOTION_NAMES_SYNC,
  MOTION_MARK,         // what the test has been promised by now: `offset` is its number
} motion_file_step_kind;

typedef struct {
  motion_file_step_kind kind;
  const char *path;
  int64_t offset;
  const uint8_t *bytes;
  size_t count;
} motion_file_step;

/// Begins a recording of what happens to files whose path begins with `prefix`; forgets the one before.
void motion_recording_begin(const char *prefix);

/// Ends it; its steps can be read until the next begins.
void motion_recording_end(void);

size_t motion_recording_count(void);
motion_file_step motion_recording_step(size_t index);

/// Adds a step that was not SQLite's: of the head's file, of the folder, or a mark.
void motion_recording_add(motion_file_step_kind kind, const char *path, int64_t offset, const void *bytes, size_t count);

/// Lets calls fail: after `after` more calls of that kind (WRITE, TRUNCATE or SYNC) to files whose path ends with `suffix`,
/// the next `times` of them return `code`. A sync that fails writes nothing down.
void motion_fault_set(motion_file_step_kind kind, const char *suffix, int after, int times, int code);

/// No call fails from now on.
void motion_fault_clear(void);

/// How many calls failed since the fault was set.
int motion_fault_count(void);

/// How many calls of that kind reached files whose path ends with the fault's suffix after the first that failed.
int motion_fault_calls_after(void);
