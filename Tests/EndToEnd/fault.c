/* Loaded into a program (LD_PRELOAD), ends or fails it at one chosen call that changes something.
 *
 *   FAULT_PROGRAM=NAME     only a program of this file name is meddled with, not what it starts
 *   FAULT=kill:N           the N-th such call does not happen: the process is killed in its place
 *   FAULT=full:N           from the N-th on, whatever needs room fails as on a full disk
 *   FAULT=error:N          the N-th fails with an input/output error
 *   FAULT_COUNT=FILE       how many there were is written there at the end
 *
 * Calls on files count, and those that send to a socket (which only `kill` touches). Standard output and errors, pipes and
 * event counters do not.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum fault { none, killed, full, failing };
enum need { room, any_file, network };

static enum fault fault;
static long chosen;
static atomic_long count;
static int counts;

__attribute__((constructor)) static void prepare(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    const char *name = getenv("FAULT_PROGRAM"), *plan = getenv("FAULT");
    if (length < 0 || !name) return;
    path[length] = 0;
    if (strcmp(basename(path), name) != 0) return;
    counts = 1;
    if (!plan) return;
    const char *number = strchr(plan, ':');
    if (!number) return;
    chosen = atol(number + 1);
    if (!strncmp(plan, "kill:", 5)) fault = killed;
    if (!strncmp(plan, "full:", 5)) fault = full;
    if (!strncmp(plan, "error:", 6)) fault = failing;
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FAULT_COUNT");
    if (!counts || !path) return;
    counts = 0;
    fault = none;
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "%ld\n", (long)count);
    fclose(file);
}

/* Whether the call fails; errno says how. */
static int strikes(enum need need) {
    if (!counts) return 0;
    if (need == network && fault != killed && fault != none) return 0;
    long number = ++count;
    if (fault == killed && number == chosen) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    if (fault == full && number >= chosen && need == room) {
        errno = ENOSPC;
        return 1;
    }
    if (fault == failing && number == chosen) {
        errno = EIO;
        return 1;
    }
    return 0;
}

/* What writing to a descriptor means; -1 for what does not count. */
static int need_of(int descriptor) {
    struct stat facts;
    if (descriptor == 1 || descriptor == 2 || fstat(descriptor, &facts) != 0) return -1;
    if (S_ISREG(facts.st_mode)) return room;
    return S_ISSOCK(facts.st_mode) ? network : -1;
}

#define REAL(result, name, types) \
    static result(*real) types; \
    if (!real) real = (result(*) types)dlsym(RTLD_NEXT, #name)

#define ON_DESCRIPTOR(result, name, types, values, descriptor) \
    result name types { \
        REAL(result, name, types); \
        int need = need_of(descriptor); \
        if (need >= 0 && strikes(need)) return -1; \
        return real values; \
    }

#define ALWAYS(result, name, types, values, need) \
    result name types { \
        REAL(result, name, types); \
        if (strikes(need)) return -1; \
        return real values; \
    }

ON_DESCRIPTOR(ssize_t, write, (int d, const void *b, size_t n), (d, b, n), d)
ON_DESCRIPTOR(ssize_t, writev, (int d, const struct iovec *v, int n), (d, v, n), d)
ON_DESCRIPTOR(ssize_t, pwrite, (int d, const void *b, size_t n, off_t o), (d, b, n, o), d)
ON_DESCRIPTOR(ssize_t, pwrite64, (int d, const void *b, size_t n, off64_t o), (d, b, n, o), d)
ON_DESCRIPTOR(ssize_t, sendmsg, (int d, const struct msghdr *m, int f), (d, m, f), d)
ON_DESCRIPTOR(ssize_t, send, (int d, const void *b, size_t n, int f), (d, b, n, f), d)
ON_DESCRIPTOR(int, ftruncate, (int d, off_t n), (d, n), d)
ON_DESCRIPTOR(int, ftruncate64, (int d, off64_t n), (d, n), d)
ON_DESCRIPTOR(int, fallocate, (int d, int m, off_t o, off_t n), (d, m, o, n), d)
ON_DESCRIPTOR(int, fallocate64, (int d, int m, off64_t o, off64_t n), (d, m, o, n), d)
ALWAYS(int, fsync, (int d), (d), any_file)
ALWAYS(int, fdatasync, (int d), (d), any_file)
ALWAYS(int, syncfs, (int d), (d), any_file)
ALWAYS(int, rename, (const char *a, const char *b), (a, b), any_file)
ALWAYS(int, renameat, (int d, const char *a, int e, const char *b), (d, a, e, b), any_file)
ALWAYS(int, unlink, (const char *p), (p), any_file)
ALWAYS(int, unlinkat, (int d, const char *p, int f), (d, p, f), any_file)
ALWAYS(int, rmdir, (const char *p), (p), any_file)
ALWAYS(int, mkdir, (const char *p, mode_t m), (p, m), room)
ALWAYS(int, mkdirat, (int d, const char *p, mode_t m), (d, p, m), room)
ALWAYS(int, linkat, (int d, const char *a, int e, const char *b, int f), (d, a, e, b, f), room)
ALWAYS(int, symlinkat, (const char *t, int d, const char *p), (t, d, p), room)
ALWAYS(int, chmod, (const char *p, mode_t m), (p, m), any_file)
ALWAYS(int, fchmod, (int d, mode_t m), (d, m), any_file)
ALWAYS(int, fchmodat, (int d, const char *p, mode_t m, int f), (d, p, m, f), any_file)
ALWAYS(int, utimensat, (int d, const char *p, const struct timespec *t, int f), (d, p, t, f), any_file)
ALWAYS(int, futimens, (int d, const struct timespec *t), (d, t), any_file)

char *mkdtemp(char *template) {
    REAL(char *, mkdtemp, (char *));
    return strikes(room) ? NULL : real(template);
}

/* What opening for writing means: a file that is there needs no room. */
static enum need need_to_open(int folder, const char *path, int flags) {
    return (flags & O_CREAT) && faccessat(folder, path, F_OK, 0) != 0 ? room : any_file;
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
        if ((flags & (O_CREAT | O_TRUNC)) && strikes(need_to_open(folder, p, flags))) return -1; \
        return real values; \
    }

OPENING(open, AT_FDCWD, (const char *, int, ...), (const char *p, int flags, ...), (p, flags, mode))
OPENING(open64, AT_FDCWD, (const char *, int, ...), (const char *p, int flags, ...), (p, flags, mode))
OPENING(openat, d, (int, const char *, int, ...), (int d, const char *p, int flags, ...), (d, p, flags, mode))
OPENING(openat64, d, (int, const char *, int, ...), (int d, const char *p, int flags, ...), (d, p, flags, mode))
