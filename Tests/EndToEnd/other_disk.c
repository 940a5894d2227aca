/* Loaded into a program (LD_PRELOAD), makes a folder look as if it were on another file system.
 *
 *   OTHER_DISK=FOLDER      which one, by its real path
 *   OTHER_DISK_IS=KINDS    how it is, words that may be combined:
 *     folding              `Note.md` and `note.md` are one name, of which the spelling is kept (exFAT, NTFS, SMB)
 *     colonless            no name has a colon (FAT, exFAT, NTFS)
 *     closing              what was written did not arrive, as close tells (NFS, sshfs, quotas)
 *     fuse                 a FUSE server, which no syncfs reaches, and on which each fsync of a file fails
 *     fuse-names           the same, where each fsync of a folder fails instead
 *     mounted              another device than what it stands in; which `fsync` fails there says one of those above
 *     vboxsf               there is no fsync of a folder (shared folders of virtual machines)
 *     refusing             there are no modes: setting one is refused, and all may read everything
 *     passing              the same, and setting one is passed over
 *     timeless             no time can be set: that is refused (CIFS without `uid=`, some FUSE servers)
 *     lockless             there are no locks (NFS where nobody serves them)
 *     shut                 a folder of the name `shut` may not be opened
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define REAL(result, name, types) \
    static result(*real) types; \
    if (!real) real = (result(*) types)dlsym(RTLD_NEXT, #name)

static int is(const char *kind) {
    const char *kinds = getenv("OTHER_DISK_IS");
    return kinds && strstr(kinds, kind) != NULL;
}

/* Whether a descriptor is of something in the folder, or of that itself. */
static int is_there(int descriptor) {
    const char *top = getenv("OTHER_DISK");
    char link[64], path[PATH_MAX];
    if (!top || descriptor < 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    size_t size = strlen(top);
    if (length < (ssize_t)size) return 0;
    path[length] = 0;
    return !strncmp(path, top, size) && (path[size] == '/' || !path[size]);
}

/* The spelling that a name has in a folder, where it is there. */
static const char *spelled(int folder, const char *name, char *found) {
    if (!is("folding") || !is_there(folder)) return name;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    DIR *all = opendir(link);
    if (!all) return name;
    const char *spelling = name;
    for (struct dirent *entry; (entry = readdir(all));)
        if (!strcasecmp(entry->d_name, name)) spelling = strcpy(found, entry->d_name);
    closedir(all);
    return spelling;
}

/* Whether the folder is on a disk that gives nothing this name. */
static int is_refused(int folder, const char *name) {
    if (!is("colonless") || !strchr(name, ':') || !is_there(folder)) return 0;
    errno = EINVAL;
    return 1;
}

/* Whether a path is of something in the folder. */
static int is_below(const char *path) {
    const char *top = getenv("OTHER_DISK");
    size_t size = top ? strlen(top) : 0;
    return size && !strncmp(path, top, size) && path[size] == '/';
}

/* As the disk has it: neither own bits nor other ones, or on another device. */
static void change(struct stat *facts) {
    if (is("refusing") || is("passing")) facts->st_mode |= 0755;
    if (is("mounted")) facts->st_dev += 1;
}

int openat(int folder, const char *name, int flags, ...) {
    REAL(int, openat, (int, const char *, int, ...));
    char found[PATH_MAX];
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (is("shut") && !strcmp(name, "shut") && is_there(folder)) {
        errno = EACCES;
        return -1;
    }
    if (flags & O_CREAT && is_refused(folder, name)) return -1;
    return real(folder, spelled(folder, name, found), flags, mode);
}

int fstatat(int folder, const char *name, struct stat *facts, int flags) {
    REAL(int, fstatat, (int, const char *, struct stat *, int));
    char found[PATH_MAX];
    int result = real(folder, spelled(folder, name, found), facts, flags);
    if (!result && is_there(folder)) change(facts);
    return result;
}

int fstat(int descriptor, struct stat *facts) {
    REAL(int, fstat, (int, struct stat *));
    int result = real(descriptor, facts);
    if (!result && is_there(descriptor)) change(facts);
    return result;
}

int mkdirat(int folder, const char *name, mode_t mode) {
    REAL(int, mkdirat, (int, const char *, mode_t));
    char found[PATH_MAX];
    if (is_refused(folder, name)) return -1;
    return real(folder, spelled(folder, name, found), mode);
}

int unlinkat(int folder, const char *name, int flags) {
    REAL(int, unlinkat, (int, const char *, int));
    char found[PATH_MAX];
    return real(folder, spelled(folder, name, found), flags);
}

int renameat2(int folder, const char *name, int other, const char *new, unsigned int flags) {
    REAL(int, renameat2, (int, const char *, int, const char *, unsigned int));
    char found[PATH_MAX], taken[PATH_MAX];
    if (is_refused(other, new)) return -1;
    const char *old = spelled(folder, name, found), *spelling = spelled(other, new, taken);
    /* A name that is given another spelling stands in its own way. */
    if (folder == other && !strcmp(old, spelling)) spelling = new;
    return real(folder, old, other, spelling, flags);
}

int renameat(int folder, const char *name, int other, const char *new) {
    return renameat2(folder, name, other, new, 0);
}

int close(int descriptor) {
    REAL(int, close, (int));
    int fails = is("closing") && is_there(descriptor) && (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
    int result = real(descriptor);
    if (!fails) return result;
    errno = EIO;
    return -1;
}

int fstatfs(int descriptor, struct statfs *facts) {
    REAL(int, fstatfs, (int, struct statfs *));
    int result = real(descriptor, facts);
    if (!result && is("fuse") && is_there(descriptor)) facts->f_type = 0x65735546;
    return result;
}

int fsync(int descriptor) {
    REAL(int, fsync, (int));
    struct stat facts;
    if (is("vboxsf") && is_there(descriptor) && !fstat(descriptor, &facts) && S_ISDIR(facts.st_mode)) {
        errno = EINVAL;
        return -1;
    }
    if (!is("fuse") || !is_there(descriptor)) return real(descriptor);
    if (fstat(descriptor, &facts) || S_ISDIR(facts.st_mode) != is("fuse-names")) return real(descriptor);
    errno = EIO;
    return -1;
}

int fchmod(int descriptor, mode_t mode) {
    REAL(int, fchmod, (int, mode_t));
    if (!is_there(descriptor) || is("passing")) return is("passing") && is_there(descriptor) ? 0 : real(descriptor, mode);
    if (!is("refusing")) return real(descriptor, mode);
    errno = EPERM;
    return -1;
}

int futimens(int descriptor, const struct timespec times[2]) {
    REAL(int, futimens, (int, const struct timespec *));
    if (!is("timeless") || !is_there(descriptor)) return real(descriptor, times);
    errno = EPERM;
    return -1;
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
    REAL(int, utimensat, (int, const char *, const struct timespec *, int));
    if (!is("timeless") || !is_below(path)) return real(folder, path, times, flags);
    errno = EPERM;
    return -1;
}

/* What stands behind a command, if anything, has the size of a pointer at most. */
static int control(const char *name, int descriptor, int command, void *rest) {
    int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, name);
    int locks = command == F_SETLK || command == F_SETLKW || command == F_GETLK || command == F_OFD_SETLK;
    if (!locks || !is("lockless") || !is_there(descriptor)) return real(descriptor, command, rest);
    errno = ENOLCK;
    return -1;
}

int fcntl(int descriptor, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *given = va_arg(rest, void *);
    va_end(rest);
    return control("fcntl", descriptor, command, given);
}

int fcntl64(int descriptor, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *given = va_arg(rest, void *);
    va_end(rest);
    return control("fcntl64", descriptor, command, given);
}
