#ifndef DISK_H
#define DISK_H

#include <pthread.h>
#include <stddef.h>

#include "SimulatedDisk.h"

#define SHARED_LOCKS 8

/// A write that no sync made durable yet; without bytes, a truncation to the offset.
struct unsynced_write {
    struct unsynced_write *next;
    uint64_t offset;
    size_t length;
    uint8_t *bytes;
};

struct contents {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

struct file {
    struct file *next;
    struct simulated_disk *disk;
    char *name;
    bool is_deleted;
    int connections;

    struct contents current;
    struct contents synced;
    struct unsynced_write *first;
    struct unsynced_write *last;

    // Locks as SQLite asks for them; holders are compared, never followed.
    int shared;
    const void *reserved;
    const void *pending;

    // The index of the log that connections share.
    uint8_t **regions;
    int region_count;
    int region_users;
    int index_shared[SHARED_LOCKS];
    const void *index_exclusive[SHARED_LOCKS];
};

struct simulated_disk {
    struct simulated_disk *next;
    char *folder;
    struct file *files;
    pthread_mutex_t lock;
    int connections;
    bool is_released;
    bool is_dead;
    uint64_t countdown;
    enum simulated_failure failure;
    uint64_t failures;
    uint64_t operations;
};

/// The disk of a path and its name there; NULL when none is.
struct simulated_disk *disk_of_path(const char *path, const char **name);
bool is_simulated_path(const char *path);

struct file *file_find(struct simulated_disk *disk, const char *name);
struct file *file_make(struct simulated_disk *disk, const char *name);
void file_delete(struct file *file);
void file_close(struct file *file);

/// Changes of one file, under the lock of its disk; each returns 0, or what SQLite is told.
int file_write(struct file *file, const void *bytes, size_t length, uint64_t offset);
int file_truncate(struct file *file, uint64_t size);
int file_sync(struct file *file);

/// Counts an operation; 0, or what SQLite is told when it must not happen.
int disk_operation(struct simulated_disk *disk, int error);

#endif
