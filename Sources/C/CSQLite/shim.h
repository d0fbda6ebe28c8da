#include <sqlite3.h>

// Swift does not call functions with a variable number of arguments.

/// Keeps SQL from writing what would damage the file: the schema table, shadow tables, the journal mode off.
static inline int lamplighterMakeDefensive(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/// Sets whether foreign keys are enforced.
///
/// - Parameter value: 1, 0, or -1 to change nothing.
/// - Returns: an error code; the present value for -1.
static inline int lamplighterSetForeignKeys(sqlite3 *database, int value) {
    int present = 0;
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FKEY, value, &present);
    return value < 0 ? present : code;
}
