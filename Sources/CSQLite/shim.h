#include <sqlite3.h>

// Without counts of the memory that SQLite has in use, which take a lock at each allocation. Has an effect before the
// first database is opened. The function has a variable number of arguments, which Swift cannot call.
static inline int sqlite3_config_memstatus(int is_on) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, is_on); }
