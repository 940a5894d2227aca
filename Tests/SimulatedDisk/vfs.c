#include "disk.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "index.h"

static sqlite3_vfs *real;
static char registered[512];

bool is_simulated_path(const char *path)
{
    return path && strncmp(path, registered, strlen(registered)) == 0;
}

static struct connection *of(sqlite3_file *file) { return (struct connection *)file; }

#define LOCKED(connection, result, expression)                                                                         \
    do {                                                                                                               \
        pthread_mutex_lock(&(connection)->file->disk->lock);                                                           \
        (result) = (expression);                                                                                       \
        pthread_mutex_unlock(&(connection)->file->disk->lock);                                                         \
    } while (0)

static int vfs_close(sqlite3_file *file)
{
    file_close(of(file)->file);
    return SQLITE_OK;
}

static int vfs_read(sqlite3_file *file, void *buffer, int amount, sqlite3_int64 offset)
{
    struct file *read = of(file)->file;
    pthread_mutex_lock(&read->disk->lock);
    size_t size = read->current.size;
    size_t count = (uint64_t)offset >= size ? 0 : size - (size_t)offset;
    if (count > (size_t)amount)
        count = (size_t)amount;
    if (count > 0)
        memcpy(buffer, read->current.bytes + offset, count);
    pthread_mutex_unlock(&read->disk->lock);
    if (count == (size_t)amount)
        return SQLITE_OK;
    memset((uint8_t *)buffer + count, 0, (size_t)amount - count);
    return SQLITE_IOERR_SHORT_READ;
}

static int vfs_write(sqlite3_file *file, const void *bytes, int amount, sqlite3_int64 offset)
{
    int result;
    LOCKED(of(file), result, file_write(of(file)->file, bytes, (size_t)amount, (uint64_t)offset));
    return result;
}

static int vfs_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    int result;
    LOCKED(of(file), result, file_truncate(of(file)->file, (uint64_t)size));
    return result;
}

static int vfs_sync(sqlite3_file *file, int flags)
{
    (void)flags;
    int result;
    LOCKED(of(file), result, file_sync(of(file)->file));
    return result;
}

static int vfs_size(sqlite3_file *file, sqlite3_int64 *size)
{
    LOCKED(of(file), *size, (sqlite3_int64)of(file)->file->current.size);
    return SQLITE_OK;
}

static int vfs_lock(sqlite3_file *file, int level)
{
    int result;
    LOCKED(of(file), result, connection_lock(of(file), level));
    return result;
}

static int vfs_unlock(sqlite3_file *file, int level)
{
    int result;
    LOCKED(of(file), result, connection_unlock(of(file), level));
    return result;
}

static int vfs_is_reserved(sqlite3_file *file, int *result)
{
    LOCKED(of(file), *result, of(file)->file->reserved != NULL);
    return SQLITE_OK;
}

static int vfs_control(sqlite3_file *file, int operation, void *argument)
{
    return (void)file, (void)operation, (void)argument, SQLITE_NOTFOUND;
}

static int vfs_sector(sqlite3_file *file) { return (void)file, 4096; }

static int vfs_characteristics(sqlite3_file *file)
{
    (void)file;
    // What SQLite assumes of disks of our time: a torn write leaves its surroundings alone.
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int vfs_index_map(sqlite3_file *file, int region, int size, int extend, void volatile **place)
{
    int result;
    LOCKED(of(file), result, connection_map(of(file), region, size, extend, place));
    return result;
}

static int vfs_index_lock(sqlite3_file *file, int offset, int count, int flags)
{
    int result;
    LOCKED(of(file), result, connection_index_lock(of(file), offset, count, flags));
    return result;
}

static void vfs_index_barrier(sqlite3_file *file)
{
    pthread_mutex_lock(&of(file)->file->disk->lock);
    pthread_mutex_unlock(&of(file)->file->disk->lock);
}

static int vfs_index_unmap(sqlite3_file *file, int is_deleted)
{
    (void)is_deleted;
    int result;
    LOCKED(of(file), result, connection_unmap(of(file)));
    return result;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = vfs_close,
    .xRead = vfs_read,
    .xWrite = vfs_write,
    .xTruncate = vfs_truncate,
    .xSync = vfs_sync,
    .xFileSize = vfs_size,
    .xLock = vfs_lock,
    .xUnlock = vfs_unlock,
    .xCheckReservedLock = vfs_is_reserved,
    .xFileControl = vfs_control,
    .xSectorSize = vfs_sector,
    .xDeviceCharacteristics = vfs_characteristics,
    .xShmMap = vfs_index_map,
    .xShmLock = vfs_index_lock,
    .xShmBarrier = vfs_index_barrier,
    .xShmUnmap = vfs_index_unmap,
};

/// A database in a folder below: programs look there whether it exists, so an empty file of its name is there.
static void leave_sign(const char *path, const char *name, int flags)
{
    if (!(flags & SQLITE_OPEN_MAIN_DB) || !strchr(name, '/'))
        return;
    int sign = open(path, O_CREAT | O_CLOEXEC | O_WRONLY, 0600);
    if (sign >= 0)
        close(sign);
}

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out)
{
    (void)vfs;
    if (!is_simulated_path(path))
        return real->xOpen(real, path, file, flags, out);
    struct connection *connection = of(file);
    memset(connection, 0, sizeof *connection);
    const char *name;
    struct simulated_disk *disk = disk_of_path(path, &name);
    if (!disk)
        return SQLITE_CANTOPEN;
    pthread_mutex_lock(&disk->lock);
    struct file *found = file_find(disk, name);
    if (!found && (flags & SQLITE_OPEN_CREATE) && !disk->is_dead)
        found = file_make(disk, name);
    if (found) {
        leave_sign(path, name, flags);
        found->connections++;
        disk->connections++;
    }
    pthread_mutex_unlock(&disk->lock);
    if (!found)
        return SQLITE_CANTOPEN;
    connection->file = found;
    connection->base.pMethods = &methods;
    if (out)
        *out = flags;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int is_durable)
{
    (void)vfs;
    if (!is_simulated_path(path))
        return real->xDelete(real, path, is_durable);
    const char *name;
    struct simulated_disk *disk = disk_of_path(path, &name);
    if (!disk)
        return SQLITE_IOERR_DELETE_NOENT;
    pthread_mutex_lock(&disk->lock);
    struct file *found = file_find(disk, name);
    int result = found ? disk_operation(disk, SQLITE_IOERR_DELETE) : SQLITE_IOERR_DELETE_NOENT;
    if (result == SQLITE_OK)
        file_delete(found);
    pthread_mutex_unlock(&disk->lock);
    return result;
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *result)
{
    (void)vfs;
    if (!is_simulated_path(path))
        return real->xAccess(real, path, flags, result);
    const char *name;
    struct simulated_disk *disk = disk_of_path(path, &name);
    *result = 0;
    if (!disk)
        return SQLITE_OK;
    pthread_mutex_lock(&disk->lock);
    struct file *found = file_find(disk, name);
    // An empty file counts as none, as with SQLite's own files.
    *result = found && (flags != SQLITE_ACCESS_EXISTS || found->current.size > 0);
    pthread_mutex_unlock(&disk->lock);
    return SQLITE_OK;
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *path, int size, char *result)
{
    (void)vfs;
    if (!is_simulated_path(path))
        return real->xFullPathname(real, path, size, result);
    if (strlen(path) >= (size_t)size)
        return SQLITE_CANTOPEN;
    strcpy(result, path);
    return SQLITE_OK;
}

bool simulated_disk_register(const char *prefix)
{
    static sqlite3_vfs vfs;
    real = sqlite3_vfs_find(NULL);
    if (!real || strlen(prefix) >= sizeof registered)
        return false;
    strcpy(registered, prefix);
    vfs = *real;
    vfs.pNext = NULL;
    vfs.zName = "lockbook-simulation";
    vfs.szOsFile = real->szOsFile > (int)sizeof(struct connection) ? real->szOsFile : (int)sizeof(struct connection);
    vfs.xOpen = vfs_open;
    vfs.xDelete = vfs_delete;
    vfs.xAccess = vfs_access;
    vfs.xFullPathname = vfs_full_path;
    return sqlite3_vfs_register(&vfs, 1) == SQLITE_OK;
}
