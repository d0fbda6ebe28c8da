#include <errno.h>

// WTF::Thread::suspend(const ThreadSuspendLocker &). C++ returns its Expected<void, int>, the error and whether it is one, through a pointer
// that comes first.
//
// The engine stops each thread that a machine has ever run on while it collects the machine's garbage, and reads its stack. A machine runs on
// one thread from the beginning of a call to its end, and collects on that thread, so the stacks of others hold nothing of it. A thread that
// cannot be stopped is left out. To stop 50 threads that do other machines' work took 100 ms on two busy processors.
void *_ZN3WTF6Thread7suspendERKNS_19ThreadSuspendLockerE(void *result, void *thread, const void *locker);
void *_ZN3WTF6Thread7suspendERKNS_19ThreadSuspendLockerE(void *result, void *thread, const void *locker) {
    (void)thread;
    (void)locker;
    *(int *)result = ESRCH;
    ((unsigned char *)result)[sizeof(int)] = 1;
    return result;
}
