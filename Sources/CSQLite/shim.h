// SQLite, as installed by libsqlite3-dev, and what Swift cannot import from it: functions with variable arguments.
#pragma once

#include <sqlite3.h>

/// Lets closing the connection leave the write-ahead log as it is; 0, or an error of SQLite.
static inline int motion_sqlite_keep_log_on_close(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
