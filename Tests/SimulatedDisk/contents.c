#include "disk.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static void contents_write(struct contents *contents, const void *bytes, size_t length, uint64_t offset)
{
    size_t end = (size_t)offset + length;
    if (end > contents->capacity) {
        size_t capacity = contents->capacity * 2 > end ? contents->capacity * 2 : end + 16384;
        contents->bytes = realloc(contents->bytes, capacity);
        contents->capacity = capacity;
    }
    if (offset > contents->size)
        memset(contents->bytes + contents->size, 0, (size_t)offset - contents->size);
    if (length > 0)
        memcpy(contents->bytes + offset, bytes, length);
    if (end > contents->size)
        contents->size = end;
}

static void contents_truncate(struct contents *contents, uint64_t size)
{
    if (size < contents->size)
        contents->size = (size_t)size;
    else
        contents_write(contents, NULL, 0, size);
}

static void contents_apply(struct contents *contents, const struct unsynced_write *write, size_t length)
{
    if (write->bytes)
        contents_write(contents, write->bytes, length, write->offset);
    else
        contents_truncate(contents, write->offset);
}

static void remember(struct file *file, const void *bytes, size_t length, uint64_t offset)
{
    struct unsynced_write *write = calloc(1, sizeof *write);
    write->offset = offset;
    write->length = length;
    if (bytes) {
        write->bytes = malloc(length + 1);
        memcpy(write->bytes, bytes, length);
    }
    if (file->last)
        file->last->next = write;
    else
        file->first = write;
    file->last = write;
}

int file_write(struct file *file, const void *bytes, size_t length, uint64_t offset)
{
    int error = disk_operation(file->disk, SQLITE_IOERR_WRITE);
    if (error)
        return error;
    contents_write(&file->current, bytes, length, offset);
    remember(file, bytes, length, offset);
    return SQLITE_OK;
}

int file_truncate(struct file *file, uint64_t size)
{
    int error = disk_operation(file->disk, SQLITE_IOERR_TRUNCATE);
    if (error)
        return error;
    contents_truncate(&file->current, size);
    remember(file, NULL, 0, size);
    return SQLITE_OK;
}

int file_sync(struct file *file)
{
    int error = disk_operation(file->disk, SQLITE_IOERR_FSYNC);
    if (error)
        return error;
    while (file->first) {
        struct unsynced_write *write = file->first;
        contents_apply(&file->synced, write, write->length);
        file->first = write->next;
        free(write->bytes);
        free(write);
    }
    file->last = NULL;
    return SQLITE_OK;
}

uint64_t simulated_disk_unsynced_bytes(simulated_disk *disk)
{
    uint64_t count = 0;
    pthread_mutex_lock(&disk->lock);
    for (struct file *file = disk->files; file; file = file->next)
        for (struct unsynced_write *write = file->first; write; write = write->next)
            count += write->length;
    pthread_mutex_unlock(&disk->lock);
    return count;
}

/// Files are linked newest first; a copy has them in the same order.
static void copy_files(simulated_disk *to, struct file *file, void (*fill)(struct file *, const struct file *, void *),
    void *context)
{
    if (!file)
        return;
    copy_files(to, file->next, fill, context);
    if (file->is_deleted)
        return;
    struct file *copy = file_make(to, file->name);
    fill(copy, file, context);
    contents_write(&copy->synced, copy->current.bytes, copy->current.size, 0);
}

static void fill_whole(struct file *copy, const struct file *file, void *context)
{
    (void)context;
    contents_write(&copy->current, file->current.bytes, file->current.size, 0);
}

simulated_disk *simulated_disk_copy(simulated_disk *disk, const char *folder)
{
    simulated_disk *copy = simulated_disk_create(folder);
    pthread_mutex_lock(&disk->lock);
    copy_files(copy, disk->files, fill_whole, NULL);
    pthread_mutex_unlock(&disk->lock);
    return copy;
}

/// SplitMix64.
static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static void fill_crashed(struct file *copy, const struct file *file, void *context)
{
    contents_write(&copy->current, file->synced.bytes, file->synced.size, 0);
    uint64_t *state = context;
    uint64_t manner = draw(state) % 4;
    for (const struct unsynced_write *write = file->first; write; write = write->next) {
        uint64_t drawn = draw(state);
        // None, all, or some of them, of which some are torn at a sector.
        if (manner == 0 || (manner > 1 && drawn % 2 == 0))
            continue;
        size_t length = write->length;
        if (manner == 3 && (drawn >> 8) % 4 == 0)
            length = length / 512 ? (drawn >> 16) % (length / 512 + 1) * 512 : 0;
        if (length > write->length)
            length = write->length;
        if (length > 0 || !write->bytes)
            contents_apply(&copy->current, write, length);
    }
}

simulated_disk *simulated_disk_crash_copy(simulated_disk *disk, const char *folder, uint64_t seed)
{
    simulated_disk *copy = simulated_disk_create(folder);
    pthread_mutex_lock(&disk->lock);
    copy_files(copy, disk->files, fill_crashed, &seed);
    pthread_mutex_unlock(&disk->lock);
    return copy;
}
