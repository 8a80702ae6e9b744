// A layer between SQLite and its files that writes down what it does to them, and lets it fail on demand.
//
// What happens to files outside the recorded directories goes past it. As many recordings as one likes, from any thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
  MOTION_FILE_CREATE,      // the name is new; durable after the next MOTION_NAMES_SYNC
  MOTION_FILE_WRITE,       // `count` bytes at `offset`; durable after the next MOTION_FILE_SYNC of the file
  MOTION_FILE_TRUNCATE,    // the file has `offset` bytes from now on; likewise
  MOTION_FILE_SYNC,
  MOTION_FILE_SYNC_FAILED, // what was not synced is lost or not, and no later sync brings it back
  MOTION_FILE_DELETE,      // durable after the next MOTION_NAMES_SYNC
  MOTION_NAMES_SYNC,
  MOTION_MARK,             // what the test has been promised by now: `offset` is its number
  MOTION_ANY_STEP,         // of faults: whatever it is
} motion_file_step_kind;

typedef struct {
  motion_file_step_kind kind;
  const char *path;
  int64_t offset;
  const uint8_t *bytes;
  size_t count;
} motion_file_step;

/// What happens below one directory.
typedef struct motion_recording motion_recording;

/// Begins a recording of what happens to files whose path begins with `prefix`.
motion_recording *motion_recording_begin(const char *prefix);

/// Ends it, and forgets its steps; files that are still open go on as if nobody wrote anything down.
void motion_recording_end(motion_recording *recording);

size_t motion_recording_count(const motion_recording *recording);
motion_file_step motion_recording_step(const motion_recording *recording, size_t index);

/// Forgets the steps that there are, and goes on.
void motion_recording_clear(motion_recording *recording);

/// Adds a step that was not SQLite's: of the head's file, of the folder, or a mark.
void motion_recording_add(
    motion_recording *recording, motion_file_step_kind kind, const char *path, int64_t offset, const void *bytes,
    size_t count);

/// Lets calls fail: after `after` more calls of that kind (WRITE, TRUNCATE, SYNC, DELETE or ANY_STEP of these) to files whose
/// path ends with `suffix`, the next `times` of them return `code`. A write that fails without room, or broken, may have
/// written its first half.
void motion_fault_set(
    motion_recording *recording, motion_file_step_kind kind, const char *suffix, int after, int times, int code);

/// No call fails from now on.
void motion_fault_clear(motion_recording *recording);

/// What a call is to return that is not SQLite's, and counts like one: 0 unless it is to fail.
int motion_fault_next(motion_recording *recording, motion_file_step_kind kind, const char *path);

/// How many calls failed since the fault was set.
int motion_fault_count(const motion_recording *recording);

/// How many calls of that kind reached files whose path ends with the fault's suffix after the first that failed.
int motion_fault_calls_after(const motion_recording *recording);
