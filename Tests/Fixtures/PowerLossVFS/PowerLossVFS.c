#include "PowerLossVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// MARK: The recordings

struct name {
  char *path;
  struct name *next;
};

struct motion_recording {
  motion_recording *next;
  char *prefix;
  // The number of open files, and one for the owner of the recording.
  int holders;
  motion_file_step *steps;
  size_t count, capacity;
  // The names that were created, and not removed since.
  struct name *names;
  struct {
    motion_file_step_kind kind;
    char suffix[64];
    int after, times, code, failed, calls_after;
  } fault;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static motion_recording *recordings;

static motion_recording *recording_of(const char *path) {
  if (path)
    for (motion_recording *next = recordings; next; next = next->next)
      if (strncmp(path, next->prefix, strlen(next->prefix)) == 0) return next;
  return NULL;
}

static void add(
    motion_recording *recording, motion_file_step_kind kind, const char *path, int64_t offset, const void *bytes,
    size_t size) {
  if (recording->count == recording->capacity) {
    recording->capacity = recording->capacity ? 2 * recording->capacity : 256;
    recording->steps = realloc(recording->steps, recording->capacity * sizeof *recording->steps);
  }
  uint8_t *copy = NULL;
  if (bytes) {
    copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
  }
  recording->steps[recording->count++] = (motion_file_step){kind, strdup(path ? path : ""), offset, copy, size};
}

static struct name **find_name(motion_recording *recording, const char *path) {
  struct name **next = &recording->names;
  while (*next && strcmp((*next)->path, path) != 0) next = &(*next)->next;
  return next;
}

static void forget_name(struct name **name) {
  struct name *gone = *name;
  if (!gone) return;
  *name = gone->next;
  free(gone->path);
  free(gone);
}

static void clear(motion_recording *recording) {
  for (size_t index = 0; index < recording->count; index++) {
    free((void *)recording->steps[index].path);
    free((void *)recording->steps[index].bytes);
  }
  recording->count = 0;
}

// The caller holds the lock.
static void let_go(motion_recording *recording) {
  if (--recording->holders > 0) return;
  clear(recording);
  while (recording->names) forget_name(&recording->names);
  free(recording->steps);
  free(recording->prefix);
  free(recording);
}

void motion_recording_end(motion_recording *recording) {
  pthread_mutex_lock(&lock);
  motion_recording **next = &recordings;
  while (*next && *next != recording) next = &(*next)->next;
  if (*next) *next = recording->next;
  recording->fault.code = 0;
  let_go(recording);
  pthread_mutex_unlock(&lock);
}

void motion_recording_add(
    motion_recording *recording, motion_file_step_kind kind, const char *path, int64_t offset, const void *bytes,
    size_t size) {
  pthread_mutex_lock(&lock);
  add(recording, kind, path, offset, bytes, size);
  pthread_mutex_unlock(&lock);
}

void motion_recording_clear(motion_recording *recording) {
  pthread_mutex_lock(&lock);
  clear(recording);
  pthread_mutex_unlock(&lock);
}

size_t motion_recording_count(const motion_recording *recording) { return recording->count; }
motion_file_step motion_recording_step(const motion_recording *recording, size_t index) {
  return recording->steps[index];
}

// MARK: Faults

static int ends_with(const char *path, const char *suffix) {
  size_t length = strlen(path), tail = strlen(suffix);
  return length >= tail && strcmp(path + length - tail, suffix) == 0;
}

// The result of the call: SQLITE_OK unless it has to fail. The caller holds the lock.
static int fault_for(motion_recording *recording, motion_file_step_kind kind, const char *path) {
  __typeof__(recording->fault) *fault = &recording->fault;
  if (!fault->code || (fault->kind != kind && fault->kind != MOTION_ANY_STEP) || !ends_with(path, fault->suffix))
    return SQLITE_OK;
  if (fault->failed) fault->calls_after++;
  if (fault->after > 0) {
    fault->after--;
    return SQLITE_OK;
  }
  if (fault->times == 0) return SQLITE_OK;
  fault->times--;
  fault->failed++;
  return fault->code;
}

int motion_fault_next(motion_recording *recording, motion_file_step_kind kind, const char *path) {
  pthread_mutex_lock(&lock);
  int code = fault_for(recording, kind, path);
  pthread_mutex_unlock(&lock);
  return code;
}

void motion_fault_set(
    motion_recording *recording, motion_file_step_kind kind, const char *suffix, int after, int times, int code) {
  pthread_mutex_lock(&lock);
  memset(&recording->fault, 0, sizeof recording->fault);
  recording->fault.kind = kind;
  strncpy(recording->fault.suffix, suffix, sizeof recording->fault.suffix - 1);
  recording->fault.after = after;
  recording->fault.times = times;
  recording->fault.code = code;
  pthread_mutex_unlock(&lock);
}

void motion_fault_clear(motion_recording *recording) {
  pthread_mutex_lock(&lock);
  recording->fault.code = 0;
  pthread_mutex_unlock(&lock);
}

int motion_fault_count(const motion_recording *recording) { return recording->fault.failed; }
int motion_fault_calls_after(const motion_recording *recording) { return recording->fault.calls_after; }

// MARK: Files

typedef struct {
  sqlite3_file base;
  motion_recording *recording;
  char *path;
  int names_are_unsynced;
  sqlite3_file *real; // directly after this struct
} recorded_file;

#define REAL(file) (((recorded_file *)(file))->real)

static int file_close(sqlite3_file *file) {
  recorded_file *recorded = (recorded_file *)file;
  int result = REAL(file)->pMethods->xClose(REAL(file));
  free(recorded->path);
  pthread_mutex_lock(&lock);
  let_go(recorded->recording);
  pthread_mutex_unlock(&lock);
  return result;
}

static int file_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
  return REAL(file)->pMethods->xRead(REAL(file), bytes, size, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  recorded_file *recorded = (recorded_file *)file;
  pthread_mutex_lock(&lock);
  int code = fault_for(recorded->recording, MOTION_FILE_WRITE, recorded->path);
  // A process that dies, or has no room, may have written some of it.
  int written = !code ? size : (code & 0xff) == SQLITE_READONLY ? 0 : size / 2;
  if (written) add(recorded->recording, MOTION_FILE_WRITE, recorded->path, offset, bytes, (size_t)written);
  pthread_mutex_unlock(&lock);
  int result = written ? REAL(file)->pMethods->xWrite(REAL(file), bytes, written, offset) : SQLITE_OK;
  return code ? code : result;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  recorded_file *recorded = (recorded_file *)file;
  pthread_mutex_lock(&lock);
  int code = fault_for(recorded->recording, MOTION_FILE_TRUNCATE, recorded->path);
  if (!code) add(recorded->recording, MOTION_FILE_TRUNCATE, recorded->path, size, NULL, 0);
  pthread_mutex_unlock(&lock);
  return code ? code : REAL(file)->pMethods->xTruncate(REAL(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  recorded_file *recorded = (recorded_file *)file;
  pthread_mutex_lock(&lock);
  int code = fault_for(recorded->recording, MOTION_FILE_SYNC, recorded->path);
  add(recorded->recording, code ? MOTION_FILE_SYNC_FAILED : MOTION_FILE_SYNC, recorded->path, 0, NULL, 0);
  // SQLite's own layer syncs the folder with the first sync of a log that it opened to create, also if it existed.
  if (!code && recorded->names_are_unsynced) {
    add(recorded->recording, MOTION_NAMES_SYNC, NULL, 0, NULL, 0);
    recorded->names_are_unsynced = 0;
  }
  pthread_mutex_unlock(&lock);
  return code ? code : REAL(file)->pMethods->xSync(REAL(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return REAL(file)->pMethods->xFileSize(REAL(file), size);
}
static int file_lock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xLock(REAL(file), level); }
static int file_unlock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xUnlock(REAL(file), level); }
static int file_is_reserved(sqlite3_file *file, int *result) {
  return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  // It may allocate space by writes that bypass this layer; no code of ours requests it.
  if (operation == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_NOTFOUND;
  if (operation == SQLITE_FCNTL_SIZE_HINT) return SQLITE_OK;
  return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}
static int file_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }
static int file_device(sqlite3_file *file) { return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file)); }

// Version 1: no shared memory and no mapped files, both of which would bypass this layer. A journal needs neither.
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_device,
};

// MARK: The layer

static sqlite3_vfs *below;

// Whether the name is new: the file may have been removed, or recreated, without a call of this layer. The caller holds
// the lock.
static int is_new(motion_recording *recording, const char *path, int was_there, int is_empty_database) {
  struct name **name = find_name(recording, path);
  if (*name && was_there && !is_empty_database) return 0;
  if (!*name) {
    struct name *made = malloc(sizeof *made);
    *made = (struct name){strdup(path), NULL};
    *name = made;
  }
  return 1;
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
  (void)vfs;
  pthread_mutex_lock(&lock);
  motion_recording *recording = recording_of(name);
  if (recording) recording->holders++;
  pthread_mutex_unlock(&lock);
  if (!recording) return below->xOpen(below, name, file, flags, result);
  recorded_file *recorded = (recorded_file *)file;
  memset(recorded, 0, sizeof *recorded);
  recorded->real = (sqlite3_file *)(recorded + 1);
  int was_there = 0;
  below->xAccess(below, name, SQLITE_ACCESS_EXISTS, &was_there);
  int code = below->xOpen(below, name, recorded->real, flags, result);
  sqlite3_int64 size = 0;
  if (!code) recorded->real->pMethods->xFileSize(recorded->real, &size);
  pthread_mutex_lock(&lock);
  if (code) {
    let_go(recording);
  } else {
    recorded->recording = recording;
    recorded->path = strdup(name);
    if (is_new(recording, name, was_there, (flags & SQLITE_OPEN_MAIN_DB) && size == 0))
      add(recording, MOTION_FILE_CREATE, name, 0, NULL, 0);
    recorded->names_are_unsynced =
        (flags & SQLITE_OPEN_CREATE) && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL));
  }
  pthread_mutex_unlock(&lock);
  if (!code) recorded->base.pMethods = &methods;
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync_names) {
  (void)vfs;
  pthread_mutex_lock(&lock);
  motion_recording *recording = recording_of(name);
  int code = recording ? fault_for(recording, MOTION_FILE_DELETE, name) : SQLITE_OK;
  if (!code) code = below->xDelete(below, name, sync_names);
  if (recording && !code) {
    add(recording, MOTION_FILE_DELETE, name, 0, NULL, 0);
    forget_name(find_name(recording, name));
    if (sync_names) add(recording, MOTION_NAMES_SYNC, NULL, 0, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

motion_recording *motion_recording_begin(const char *prefix) {
  motion_recording *recording = calloc(1, sizeof *recording);
  recording->prefix = strdup(prefix);
  recording->holders = 1;
  pthread_mutex_lock(&lock);
  if (!below) {
    static sqlite3_vfs layer;
    below = sqlite3_vfs_find(NULL);
    layer = *below;
    layer.zName = "power-loss";
    layer.szOsFile = (int)sizeof(recorded_file) + below->szOsFile;
    layer.pNext = NULL;
    layer.xOpen = vfs_open;
    layer.xDelete = vfs_delete;
    sqlite3_vfs_register(&layer, 1);
  }
  recording->next = recordings;
  recordings = recording;
  pthread_mutex_unlock(&lock);
  return recording;
}
