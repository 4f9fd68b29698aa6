/* Preloaded into a benchmark on a fast disk, makes every fsync and fdatasync take 2 ms longer, as on a slow one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

typedef int (*sync_call)(int);

static int slowly(const char *name, int file) {
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, 0);
    return ((sync_call)dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
