#include "disk.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct simulated_disk *all;

struct simulated_disk *disk_of_path(const char *path, const char **name)
{
    pthread_mutex_lock(&all_lock);
    struct simulated_disk *disk = all;
    size_t length = 0;
    for (; disk; disk = disk->next) {
        length = strlen(disk->folder);
        if (strncmp(disk->folder, path, length) == 0 && path[length] == '/')
            break;
    }
    pthread_mutex_unlock(&all_lock);
    *name = disk ? path + length + 1 : path;
    return disk;
}

simulated_disk *simulated_disk_create(const char *folder)
{
    struct simulated_disk *disk = calloc(1, sizeof *disk);
    disk->folder = strdup(folder);
    pthread_mutex_init(&disk->lock, NULL);
    pthread_mutex_lock(&all_lock);
    disk->next = all;
    all = disk;
    pthread_mutex_unlock(&all_lock);
    return disk;
}

static void file_free(struct file *file)
{
    while (file->first) {
        struct unsynced_write *next = file->first->next;
        free(file->first->bytes);
        free(file->first);
        file->first = next;
    }
    for (int i = 0; i < file->region_count; i++)
        free(file->regions[i]);
    free(file->regions);
    free(file->current.bytes);
    free(file->synced.bytes);
    free(file->name);
    free(file);
}

/// Frees a disk that was released and has no connection; its lock is held and goes with it.
static void disk_unlock(struct simulated_disk *disk)
{
    bool is_over = disk->is_released && disk->connections == 0;
    pthread_mutex_unlock(&disk->lock);
    if (!is_over)
        return;
    while (disk->files) {
        struct file *next = disk->files->next;
        file_free(disk->files);
        disk->files = next;
    }
    pthread_mutex_destroy(&disk->lock);
    free(disk->folder);
    free(disk);
}

void simulated_disk_release(simulated_disk *disk)
{
    pthread_mutex_lock(&all_lock);
    struct simulated_disk **link = &all;
    while (*link && *link != disk)
        link = &(*link)->next;
    if (*link)
        *link = disk->next;
    pthread_mutex_unlock(&all_lock);
    pthread_mutex_lock(&disk->lock);
    disk->is_released = true;
    disk_unlock(disk);
}

struct file *file_find(struct simulated_disk *disk, const char *name)
{
    struct file *file = disk->files;
    while (file && (file->is_deleted || strcmp(file->name, name) != 0))
        file = file->next;
    return file;
}

struct file *file_make(struct simulated_disk *disk, const char *name)
{
    struct file *file = calloc(1, sizeof *file);
    file->disk = disk;
    file->name = strdup(name);
    file->next = disk->files;
    disk->files = file;
    return file;
}

static void file_unlink(struct file *file)
{
    struct file **link = &file->disk->files;
    while (*link != file)
        link = &(*link)->next;
    *link = file->next;
    file_free(file);
}

void file_delete(struct file *file)
{
    file->is_deleted = true;
    if (file->connections == 0)
        file_unlink(file);
}

void file_close(struct file *file)
{
    struct simulated_disk *disk = file->disk;
    pthread_mutex_lock(&disk->lock);
    file->connections--;
    disk->connections--;
    if (file->is_deleted && file->connections == 0)
        file_unlink(file);
    disk_unlock(disk);
}

int disk_operation(struct simulated_disk *disk, int error)
{
    if (disk->is_dead)
        return error;
    if (disk->countdown > 0 && --disk->countdown == 0) {
        disk->failures++;
        if (disk->failure == SIMULATED_DEATH)
            disk->is_dead = true;
        return disk->failure == SIMULATED_FULL ? SQLITE_FULL : error;
    }
    disk->operations++;
    return SQLITE_OK;
}

void simulated_disk_fail_after(simulated_disk *disk, uint64_t operations, enum simulated_failure kind)
{
    pthread_mutex_lock(&disk->lock);
    disk->countdown = operations;
    disk->failure = kind;
    pthread_mutex_unlock(&disk->lock);
}

void simulated_disk_kill(simulated_disk *disk)
{
    pthread_mutex_lock(&disk->lock);
    disk->is_dead = true;
    pthread_mutex_unlock(&disk->lock);
}

bool simulated_disk_is_dead(simulated_disk *disk)
{
    pthread_mutex_lock(&disk->lock);
    bool is_dead = disk->is_dead;
    pthread_mutex_unlock(&disk->lock);
    return is_dead;
}

bool simulated_disk_operate(simulated_disk *disk)
{
    pthread_mutex_lock(&disk->lock);
    bool is_done = disk_operation(disk, SQLITE_IOERR) == SQLITE_OK;
    pthread_mutex_unlock(&disk->lock);
    return is_done;
}

uint64_t simulated_disk_failures(simulated_disk *disk)
{
    pthread_mutex_lock(&disk->lock);
    uint64_t failures = disk->failures;
    pthread_mutex_unlock(&disk->lock);
    return failures;
}

uint64_t simulated_disk_operations(simulated_disk *disk)
{
    pthread_mutex_lock(&disk->lock);
    uint64_t operations = disk->operations;
    pthread_mutex_unlock(&disk->lock);
    return operations;
}
