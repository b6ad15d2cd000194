#pragma once
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a macro that Swift cannot read: SQLite copies the bytes before these return. */
static inline int adhand_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_text(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT);
}
static inline int adhand_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
