#include <stddef.h>
#include <sys/vfs.h>

// Calls of Linux's C library that its Swift module leaves out.
int syncfs(int fd);
// The mask is a sigset_t, which stays that of the Swift module.
int signalfd(int fd, const void *mask, int flags);
int wcwidth(wchar_t character);
void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);
void *memrchr(const void *bytes, int byte, size_t length);
int inotify_init1(int flags);
int inotify_add_watch(int fd, const char *path, unsigned int mask);
int pidfd_open(int pid, unsigned int flags);
int memfd_create(const char *name, unsigned int flags);
int renameat2(int folder, const char *name, int other_folder, const char *other_name, unsigned int flags);
// The mask is a cpu_set_t: a bit for each core.
int sched_getaffinity(int pid, size_t size, void *mask);
// The actions are a posix_spawn_file_actions_t.
int posix_spawn_file_actions_addchdir_np(void *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);
