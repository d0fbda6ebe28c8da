#include <sqlite3.h>

// Swift does not call functions with a variable number of arguments.

/// Keeps SQL from writing what would damage the file: the schema table, shadow tables, the journal mode off.
static inline int lamplighterMakeDefensive(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
