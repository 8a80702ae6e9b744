#include "PowerLossVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// MARK: The recording

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char prefix[1024];
static int is_recording;
static motion_file_step *steps;
static size_t count, capacity;

static int concerns(const char *path) { return path && prefix[0] && strncmp(path, prefix, strlen(prefix)) == 0; }

static void add(motion_file_step_kind kind, const char *path, int64_t offset, const void *bytes, size_t size) {
  if (!is_recording) return;
  if (count == capacity) {
    capacity = capacity ? 2 * capacity : 1024;
    steps = realloc(steps, capacity * sizeof *steps);
  }
  uint8_t *copy = NULL;
  if (bytes) {
    copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
  }
  steps[count++] = (motion_file_step){kind, strdup(path ? path : ""), offset, copy, size};
}

static int is_known(const char *path) {
  for (size_t index = count; index-- > 0;)
    if (strcmp(steps[index].path, path) == 0 && steps[index].kind != MOTION_MARK) return steps[index].kind != MOTION_FILE_DELETE;
  return 0;
}

void motion_recording_add(motion_file_step_kind kind, const char *path, int64_t offset, const void *bytes, size_t size) {
  pthread_mutex_lock(&lock);
  add(kind, path, offset, bytes, size);
  pthread_mutex_unlock(&lock);
}

size_t motion_recording_count(void) { return count; }
motion_file_step motion_recording_step(size_t index) { return steps[index]; }

// MARK: Faults

static struct {
  motion_file_step_kind kind;
  char suffix[64];
  int after, times, code, failed, calls_after;
} fault;

static int ends_with(const char *path, const char *suffix) {
  size_t length = strlen(path), tail = strlen(suffix);
  return length >= tail && strcmp(path + length - tail, suffix) == 0;
}

// What the call is to return: SQLITE_OK unless it is to fail. The caller holds the lock.
static int fault_for(motion_file_step_kind kind, const char *path) {
  if (!fault.code || fault.kind != kind || !ends_with(path, fault.suffix)) return SQLITE_OK;
  if (fault.failed) fault.calls_after++;
  if (fault.after > 0) {
    fault.after--;
    return SQLITE_OK;
  }
  if (fault.times == 0) return SQLITE_OK;
  fault.times--;
  fault.failed++;
  return fault.code;
}

void motion_fault_set(motion_file_step_kind kind, const char *suffix, int after, int times, int code) {
  pthread_mutex_lock(&lock);
  memset(&fault, 0, sizeof fault);
  fault.kind = kind;
  strncpy(fault.suffix, suffix, sizeof fault.suffix - 1);
  fault.after = after;
  fault.times = times;
  fault.code = code;
  pthread_mutex_unlock(&lock);
}

void motion_fault_clear(void) {
  pthread_mutex_lock(&lock);
  fault.code = 0;
  pthread_mutex_unlock(&lock);
}

int motion_fault_count(void) { return fault.failed; }
int motion_fault_calls_after(void) { return fault.calls_after; }

// MARK: Files

typedef struct {
  sqlite3_file base;
  char *path;
  int names_are_unsynced;
  sqlite3_file *real; // right behind this
} recorded_file;

#define REAL(file) (((recorded_file *)(file))->real)
#define PATH(file) (((recorded_file *)(file))->path)

static int file_close(sqlite3_file *file) {
  int result = REAL(file)->pMethods->xClose(REAL(file));
  free(PATH(file));
  return result;
}

static int file_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
  return REAL(file)->pMethods->xRead(REAL(file), bytes, size, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  pthread_mutex_lock(&lock);
  int code = fault_for(MOTION_FILE_WRITE, PATH(file));
  if (!code) add(MOTION_FILE_WRITE, PATH(file), offset, bytes, size);
  pthread_mutex_unlock(&lock);
  return code ? code : REAL(file)->pMethods->xWrite(REAL(file), bytes, size, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  pthread_mutex_lock(&lock);
  int code = fault_for(MOTION_FILE_TRUNCATE, PATH(file));
  if (!code) add(MOTION_FILE_TRUNCATE, PATH(file), size, NULL, 0);
  pthread_mutex_unlock(&lock);
  return code ? code : REAL(file)->pMethods->xTruncate(REAL(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  pthread_mutex_lock(&lock);
  int code = fault_for(MOTION_FILE_SYNC, PATH(file));
  if (!code) {
    add(MOTION_FILE_SYNC, PATH(file), 0, NULL, 0);
    // SQLite's own layer syncs the folder with the first sync of a log that it made.
    if (((recorded_file *)file)->names_are_unsynced) add(MOTION_NAMES_SYNC, NULL, 0, NULL, 0);
    ((recorded_file *)file)->names_are_unsynced = 0;
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
  // It may make room by writing past us; nothing of ours asks for it.
  if (operation == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_NOTFOUND;
  if (operation == SQLITE_FCNTL_SIZE_HINT) return SQLITE_OK;
  return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}
static int file_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }
static int file_device(sqlite3_file *file) { return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file)); }

// Version 1: no shared memory and no mapped files, both of which would go past us. A journal needs neither.
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

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
  (void)vfs;
  if (!concerns(name)) return below->xOpen(below, name, file, flags, result);
  recorded_file *recorded = (recorded_file *)file;
  memset(recorded, 0, sizeof *recorded);
  recorded->real = (sqlite3_file *)(recorded + 1);
  int code = below->xOpen(below, name, recorded->real, flags, result);
  if (code) return code;
  recorded->path = strdup(name);
  pthread_mutex_lock(&lock);
  if (is_recording && !is_known(name)) {
    add(MOTION_FILE_CREATE, name, 0, NULL, 0);
    recorded->names_are_unsynced = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
  }
  pthread_mutex_unlock(&lock);
  recorded->base.pMethods = &methods;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync_names) {
  (void)vfs;
  int code = below->xDelete(below, name, sync_names);
  if (code == SQLITE_OK && concerns(name)) {
    motion_recording_add(MOTION_FILE_DELETE, name, 0, NULL, 0);
    if (sync_names) motion_recording_add(MOTION_NAMES_SYNC, NULL, 0, NULL, 0);
  }
  return code;
}

void motion_recording_begin(const char *path) {
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
  for (size_t index = 0; index < count; index++) {
    free((void *)steps[index].path);
    free((void *)steps[index].bytes);
  }
  count = 0;
  strncpy(prefix, path, sizeof prefix - 1);
  is_recording = 1;
  pthread_mutex_unlock(&lock);
}

void motion_recording_end(void) {
  pthread_mutex_lock(&lock);
  is_recording = 0;
  prefix[0] = 0;
  pthread_mutex_unlock(&lock);
}
