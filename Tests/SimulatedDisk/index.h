#ifndef INDEX_H
#define INDEX_H

#include <sqlite3.h>

#include "disk.h"

/// One connection of SQLite to one file.
struct connection {
    sqlite3_file base;
    struct file *file;
    int level;
    bool is_mapped;
    unsigned shared_index;
};

/// All under the lock of the disk.
int connection_lock(struct connection *connection, int level);
int connection_unlock(struct connection *connection, int level);
int connection_map(struct connection *connection, int region, int size, int extend, void volatile **place);
int connection_unmap(struct connection *connection);
int connection_index_lock(struct connection *connection, int offset, int count, int flags);

#endif
