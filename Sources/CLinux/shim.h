// Calls of Linux's C library that its Swift module leaves out.
int syncfs(int fd);
