// A layer between SQLite and its files that records SQLite's calls, and makes them fail on demand.
//
// Calls for files outside the recorded directories bypass it. Any number of recordings, from any thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
  MOTION_FILE_CREATE,      // the name is new; durable after the next MOTION_NAMES_SYNC
  MOTION_FILE_WRITE,       // `count` bytes at `offset`; durable after the next MOTION_FILE_SYNC of the file
  MOTION_FILE_TRUNCATE,    // the file has `offset` bytes from now on; likewise
  MOTION_FILE_SYNC,
  MOTION_FILE_SYNC_FAILED, // unsynced data is lost or not, and no later sync restores it
  MOTION_FILE_DELETE,      // durable after the next MOTION_NAMES_SYNC
  MOTION_NAMES_SYNC,
  MOTION_MARK,             // the promises to the test so far: `offset` is their number
  MOTION_ANY_STEP,         // for faults: any of these kinds
} motion_file_step_kind;

typedef struct {
  motion_file_step_kind kind;
  const char *path;
  int64_t offset;
  const uint8_t *bytes;
  size_t count;
} motion_file_step;

/// The steps below one directory.
typedef struct motion_recording motion_recording;

/// Begins a recording of the steps on files whose path begins with `prefix`.
motion_recording *motion_recording_begin(const char *prefix);

/// Ends it, and drops its steps; files that are still open work on without being recorded.
void motion_recording_end(motion_recording *recording);

size_t motion_recording_count(const motion_recording *recording);
motion_file_step motion_recording_step(const motion_recording *recording, size_t index);

/// Drops the steps so far, and continues.
void motion_recording_clear(motion_recording *recording);

/// Adds a step that was not SQLite's: of the head's file, of the folder, or a mark.
void motion_recording_add(
    motion_recording *recording, motion_file_step_kind kind, const char *path, int64_t offset, const void *bytes,
    size_t count);

/// Makes calls fail: after `after` more calls of that kind (WRITE, TRUNCATE, SYNC, DELETE or ANY_STEP of these) to
/// files whose path ends with `suffix`, the next `times` of them return `code`. A write that fails without room, or
/// broken, may have written its first half.
void motion_fault_set(
    motion_recording *recording, motion_file_step_kind kind, const char *suffix, int after, int times, int code);

/// No call fails from now on.
void motion_fault_clear(motion_recording *recording);

/// The result of a call that is not SQLite's, and counts like one: 0 unless it has to fail.
int motion_fault_next(motion_recording *recording, motion_file_step_kind kind, const char *path);

/// The number of calls that failed since the fault was set.
int motion_fault_count(const motion_recording *recording);

/// The number of calls of that kind that reached files whose path ends with the fault's suffix after the first that
/// failed.
int motion_fault_calls_after(const motion_recording *recording);
