/* Loaded into a program (LD_PRELOAD), writes down each call that changes files, with what is written, and each that syncs.
 *
 *   RECORD_PROGRAM=NAME    only a program of this file name is listened to, not what it starts
 *   RECORD=FILE            where the calls are written, one `struct record` each, its names and bytes behind it
 *
 * `disk_model.py` reads this. A call and its record are one step for all threads of the process, so the order is the one in
 * which things happened; between processes the clock tells. Failed calls, standard output and errors are left out.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum what { created = 1, made_folder, written, cut, renamed, removed, linked, synced, all_synced };

struct key { uint64_t device, number; };

struct record {
    uint64_t time;
    struct key file, folder, other_folder;
    int64_t offset;
    uint64_t byte_count;
    uint32_t what, name_length, other_length, unused;
};

static int log_file = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void prepare(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    const char *name = getenv("RECORD_PROGRAM"), *target = getenv("RECORD");
    if (length < 0 || !name || !target) return;
    path[length] = 0;
    if (strcmp(basename(path), name) != 0) return;
    log_file = (int)syscall(SYS_openat, AT_FDCWD, target, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static struct key key_of(const struct stat *facts) { return (struct key){facts->st_dev, facts->st_ino}; }

static struct key opened(int descriptor) {
    struct stat facts;
    return fstat(descriptor, &facts) == 0 ? key_of(&facts) : (struct key){0, 0};
}

static struct key named(int folder, const char *path) {
    struct stat facts;
    return fstatat(folder, path, &facts, AT_SYMLINK_NOFOLLOW) == 0 ? key_of(&facts) : (struct key){0, 0};
}

/* The folder that a path stands in; `name` is its last part. */
static struct key folder_of(int folder, const char *path, const char **name) {
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", path);
    char *slash = strrchr(copy, '/');
    *name = slash ? path + (slash - copy) + 1 : path;
    if (slash) slash[slash == copy ? 1 : 0] = 0;
    struct stat facts;
    return fstatat(folder, slash ? copy : ".", &facts, 0) == 0 ? key_of(&facts) : (struct key){0, 0};
}

static void tell(struct record record, const char *name, const char *other, const struct iovec *bytes, int count) {
    int kept = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    record.time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    record.name_length = name ? (uint32_t)strlen(name) : 0;
    record.other_length = other ? (uint32_t)strlen(other) : 0;
    struct iovec parts[3 + 1024] = {{&record, sizeof record}, {(void *)name, record.name_length}, {(void *)other, record.other_length}};
    size_t left = record.byte_count;
    int used = 3;
    for (int index = 0; index < count && left > 0; index++) {
        size_t taken = bytes[index].iov_len < left ? bytes[index].iov_len : left;
        parts[used++] = (struct iovec){bytes[index].iov_base, taken};
        left -= taken;
    }
    size_t whole = sizeof record + record.name_length + record.other_length + record.byte_count;
    if ((size_t)syscall(SYS_writev, log_file, parts, used) != whole) {
        fprintf(stderr, "a call could not be recorded\n");
        abort();
    }
    errno = kept;
}

#define REAL(result, name, types) \
    static result(*real) types; \
    if (!real) real = (result(*) types)dlsym(RTLD_NEXT, #name)

/* Runs the call and, when it went well, what records it. */
#define STEP(result, name, types, values, recording) \
    result name types { \
        REAL(result, name, types); \
        if (log_file < 0) return real values; \
        pthread_mutex_lock(&lock); \
        result outcome = real values; \
        if (outcome >= 0) { recording } \
        pthread_mutex_unlock(&lock); \
        return outcome; \
    }

static int is_file(int d) {
    struct stat facts;
    return d != 1 && d != 2 && fstat(d, &facts) == 0 && S_ISREG(facts.st_mode);
}

static void tell_write(int d, int64_t offset, const struct iovec *bytes, int count, ssize_t size) {
    if (!is_file(d)) return;
    if (offset < 0) offset = lseek(d, 0, SEEK_CUR) - size;
    tell((struct record){.what = written, .file = opened(d), .offset = offset, .byte_count = (uint64_t)size}, NULL, NULL, bytes, count);
}

#define ONE (&(struct iovec){(void *)b, n}), 1
STEP(ssize_t, write, (int d, const void *b, size_t n), (d, b, n), tell_write(d, -1, ONE, outcome);)
STEP(ssize_t, writev, (int d, const struct iovec *v, int n), (d, v, n), tell_write(d, -1, v, n, outcome);)
STEP(ssize_t, pwrite, (int d, const void *b, size_t n, off_t o), (d, b, n, o), tell_write(d, o, ONE, outcome);)
STEP(ssize_t, pwrite64, (int d, const void *b, size_t n, off64_t o), (d, b, n, o), tell_write(d, o, ONE, outcome);)

#define SYNCED tell((struct record){.what = synced, .file = opened(d)}, NULL, NULL, NULL, 0);
STEP(int, fsync, (int d), (d), SYNCED)
STEP(int, fdatasync, (int d), (d), SYNCED)
STEP(int, syncfs, (int d), (d), tell((struct record){.what = all_synced}, NULL, NULL, NULL, 0);)

#define CUT tell((struct record){.what = cut, .file = opened(d), .offset = n}, NULL, NULL, NULL, 0);
STEP(int, ftruncate, (int d, off_t n), (d, n), CUT)
STEP(int, ftruncate64, (int d, off64_t n), (d, n), CUT)

static void tell_name(enum what what, struct key file, int folder, const char *path) {
    const char *name;
    struct key parent = folder_of(folder, path, &name);
    tell((struct record){.what = what, .file = file, .folder = parent}, name, NULL, NULL, 0);
}

STEP(int, mkdir, (const char *p, mode_t m), (p, m), tell_name(made_folder, named(AT_FDCWD, p), AT_FDCWD, p);)
STEP(int, mkdirat, (int d, const char *p, mode_t m), (d, p, m), tell_name(made_folder, named(d, p), d, p);)
STEP(int, unlink, (const char *p), (p), tell_name(removed, (struct key){0, 0}, AT_FDCWD, p);)
STEP(int, unlinkat, (int d, const char *p, int f), (d, p, f), tell_name(removed, (struct key){0, 0}, d, p);)
STEP(int, rmdir, (const char *p), (p), tell_name(removed, (struct key){0, 0}, AT_FDCWD, p);)
STEP(int, linkat, (int d, const char *a, int e, const char *b, int f), (d, a, e, b, f), tell_name(linked, named(e, b), e, b);)

static void tell_rename(int d, const char *a, int e, const char *b) {
    const char *old, *new;
    struct key from = folder_of(d, a, &old), to = folder_of(e, b, &new);
    tell((struct record){.what = renamed, .folder = from, .other_folder = to}, old, new, NULL, 0);
}

STEP(int, rename, (const char *a, const char *b), (a, b), tell_rename(AT_FDCWD, a, AT_FDCWD, b);)
STEP(int, renameat, (int d, const char *a, int e, const char *b), (d, a, e, b), tell_rename(d, a, e, b);)
STEP(int, renameat2, (int d, const char *a, int e, const char *b, unsigned f), (d, a, e, b, f), tell_rename(d, a, e, b);)

static void tell_open(int opened_file, int d, const char *p, int flags, int existed) {
    if (!is_file(opened_file)) return;
    if ((flags & __O_TMPFILE) == __O_TMPFILE) {
        tell((struct record){.what = created, .file = opened(opened_file)}, NULL, NULL, NULL, 0);
    } else if (!existed) {
        tell_name(created, opened(opened_file), d, p);
    } else if (flags & O_TRUNC) {
        tell((struct record){.what = cut, .file = opened(opened_file)}, NULL, NULL, NULL, 0);
    }
}

#define OPENING(name, folder, before, types, values) \
    int name types { \
        mode_t mode = 0; \
        if (flags & (O_CREAT | __O_TMPFILE)) { \
            va_list rest; \
            va_start(rest, flags); \
            mode = va_arg(rest, mode_t); \
            va_end(rest); \
        } \
        static int(*real) before; \
        if (!real) real = (int(*) before)dlsym(RTLD_NEXT, #name); \
        if (log_file < 0 || !(flags & (O_CREAT | O_TRUNC | __O_TMPFILE))) return real values; \
        pthread_mutex_lock(&lock); \
        int existed = faccessat(folder, p, F_OK, 0) == 0; \
        int outcome = real values; \
        if (outcome >= 0) tell_open(outcome, folder, p, flags, existed); \
        pthread_mutex_unlock(&lock); \
        return outcome; \
    }

OPENING(open, AT_FDCWD, (const char *, int, ...), (const char *p, int flags, ...), (p, flags, mode))
OPENING(open64, AT_FDCWD, (const char *, int, ...), (const char *p, int flags, ...), (p, flags, mode))
OPENING(openat, d, (int, const char *, int, ...), (int d, const char *p, int flags, ...), (d, p, flags, mode))
OPENING(openat64, d, (int, const char *, int, ...), (int d, const char *p, int flags, ...), (d, p, flags, mode))
