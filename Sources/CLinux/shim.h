#include <stddef.h>

// Calls of Linux's C library that its Swift module leaves out.
int syncfs(int fd);
void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);
void *memrchr(const void *bytes, int byte, size_t length);
