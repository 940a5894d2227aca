#include "index.h"

#include <stdlib.h>

int connection_lock(struct connection *connection, int level)
{
    struct file *file = connection->file;
    if (connection->level >= level)
        return SQLITE_OK;
    if (connection->level == SQLITE_LOCK_NONE) {
        if (file->pending && file->pending != connection)
            return SQLITE_BUSY;
        file->shared++;
        connection->level = SQLITE_LOCK_SHARED;
    }
    if (level == SQLITE_LOCK_SHARED)
        return SQLITE_OK;
    if (file->reserved && file->reserved != connection)
        return SQLITE_BUSY;
    if (level == SQLITE_LOCK_RESERVED) {
        file->reserved = connection;
        connection->level = level;
        return SQLITE_OK;
    }
    if (file->pending && file->pending != connection)
        return SQLITE_BUSY;
    file->reserved = connection;
    file->pending = connection;
    connection->level = file->shared > 1 ? SQLITE_LOCK_PENDING : SQLITE_LOCK_EXCLUSIVE;
    return file->shared > 1 ? SQLITE_BUSY : SQLITE_OK;
}

int connection_unlock(struct connection *connection, int level)
{
    struct file *file = connection->file;
    if (connection->level <= level)
        return SQLITE_OK;
    if (file->reserved == connection)
        file->reserved = NULL;
    if (file->pending == connection)
        file->pending = NULL;
    if (level == SQLITE_LOCK_NONE)
        file->shared--;
    connection->level = level;
    return SQLITE_OK;
}

int connection_map(struct connection *connection, int region, int size, int extend, void volatile **place)
{
    struct file *file = connection->file;
    if (!connection->is_mapped) {
        connection->is_mapped = true;
        file->region_users++;
    }
    *place = NULL;
    if (region >= file->region_count) {
        if (!extend)
            return SQLITE_OK;
        file->regions = realloc(file->regions, (size_t)(region + 1) * sizeof *file->regions);
        while (file->region_count <= region)
            file->regions[file->region_count++] = calloc(1, (size_t)size);
    }
    *place = file->regions[region];
    return SQLITE_OK;
}

int connection_unmap(struct connection *connection)
{
    struct file *file = connection->file;
    if (!connection->is_mapped)
        return SQLITE_OK;
    for (int i = 0; i < SHARED_LOCKS; i++) {
        if (connection->shared_index & (1u << i))
            file->index_shared[i]--;
        if (file->index_exclusive[i] == connection)
            file->index_exclusive[i] = NULL;
    }
    connection->shared_index = 0;
    connection->is_mapped = false;
    if (--file->region_users == 0) {
        // The next connection finds nothing and reads the log itself, as after a restart.
        while (file->region_count > 0)
            free(file->regions[--file->region_count]);
    }
    return SQLITE_OK;
}

int connection_index_lock(struct connection *connection, int offset, int count, int flags)
{
    struct file *file = connection->file;
    for (int i = offset; i < offset + count && !(flags & SQLITE_SHM_UNLOCK); i++) {
        bool is_ours = connection->shared_index & (1u << i);
        if (file->index_exclusive[i] && file->index_exclusive[i] != connection)
            return SQLITE_BUSY;
        if ((flags & SQLITE_SHM_EXCLUSIVE) && file->index_shared[i] > (is_ours ? 1 : 0))
            return SQLITE_BUSY;
    }
    for (int i = offset; i < offset + count; i++) {
        unsigned bit = 1u << i;
        if (flags & SQLITE_SHM_EXCLUSIVE) {
            file->index_exclusive[i] = flags & SQLITE_SHM_UNLOCK ? NULL : connection;
        } else if (flags & SQLITE_SHM_UNLOCK) {
            if (connection->shared_index & bit)
                file->index_shared[i]--;
            connection->shared_index &= ~bit;
        } else if (!(connection->shared_index & bit)) {
            connection->shared_index |= bit;
            file->index_shared[i]++;
        }
    }
    return SQLITE_OK;
}
