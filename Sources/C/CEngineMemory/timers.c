#define _GNU_SOURCE
#include "CEngineMemory.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

// EXPIRES: every supported Debian has WebKitGTK 2.52 or later, which does not use this; looked at 2026-11-27, next 2027-05-27

// Each time a machine begins to run a script, the engine starts a timer for the end of the time slice. Its own timers wake a thread twice each,
// which was more than half of all context switches. Here one thread checks all timers every 5 ms.

// WTF::Function<void()> is a pointer to an object whose virtual functions are its two destructors, the second of which frees it, and call().
struct callable {
    void (**functions)(struct callable *);
};

struct timer {
    uint64_t due;
    struct callable *callable;
};

// In nanoseconds.
static const uint64_t pause = 5000000;
// After so many pauses without a timer the thread sleeps until the next one is started.
static const int idle_pauses = 200;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ordered = PTHREAD_COND_INITIALIZER;
static struct timer *timers;
static size_t count, capacity, total;
static bool is_started, is_asleep;
static _Thread_local bool is_shared;

void lamplighter_share_timers(void) { is_shared = true; }

size_t lamplighter_shared_timers(void) {
    pthread_mutex_lock(&lock);
    size_t number = total;
    pthread_mutex_unlock(&lock);
    return number;
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void *look(void *nothing) {
    (void)nothing;
    pthread_setname_np(pthread_self(), "js-timers");
    struct timer *due = NULL;
    size_t room = 0;
    int unused = 0;
    pthread_mutex_lock(&lock);
    while (true) {
        if (count == 0 && ++unused > idle_pauses) {
            is_asleep = true;
            while (count == 0) pthread_cond_wait(&ordered, &lock);
            is_asleep = false;
        }
        if (count > 0) unused = 0;
        pthread_mutex_unlock(&lock);
        nanosleep(&(struct timespec){.tv_nsec = (long)pause}, NULL);
        pthread_mutex_lock(&lock);
        if (room < count) {
            struct timer *larger = realloc(due, capacity * sizeof(struct timer));
            if (!larger) continue;
            due = larger;
            room = capacity;
        }
        size_t taken = 0, left = 0;
        uint64_t time = now();
        for (size_t i = 0; i < count; i++) {
            if (timers[i].due <= time) due[taken++] = timers[i];
            else timers[left++] = timers[i];
        }
        count = left;
        pthread_mutex_unlock(&lock);
        for (size_t i = 0; i < taken; i++) {
            due[i].callable->functions[2](due[i].callable);
            due[i].callable->functions[1](due[i].callable);
        }
        pthread_mutex_lock(&lock);
    }
}

static bool start(void) {
    pthread_t thread;
    if (!is_started && pthread_create(&thread, NULL, look, NULL) == 0) {
        pthread_detach(thread);
        is_started = true;
    }
    return is_started;
}

static bool order(uint64_t due, struct callable *callable) {
    if (!start()) return false;
    if (count == capacity) {
        size_t larger = capacity ? 2 * capacity : 64;
        struct timer *more = realloc(timers, larger * sizeof(struct timer));
        if (!more) return false;
        timers = more;
        capacity = larger;
    }
    timers[count++] = (struct timer){due, callable};
    total++;
    if (is_asleep) pthread_cond_signal(&ordered);
    return true;
}

// WTF::WorkQueueBase::dispatchAfter(Seconds, Function<void()> &&): on the threads that share timers, and the library's own on all others.
void _ZN3WTF13WorkQueueBase13dispatchAfterENS_7SecondsEONS_8FunctionIFvvEEE(void *queue, double seconds, struct callable **function);
void _ZN3WTF13WorkQueueBase13dispatchAfterENS_7SecondsEONS_8FunctionIFvvEEE(void *queue, double seconds, struct callable **function) {
    if (is_shared && seconds >= 0 && seconds < 1) {
        uint64_t due = now() + (uint64_t)(seconds * 1e9);
        pthread_mutex_lock(&lock);
        bool is_ordered = order(due, *function);
        pthread_mutex_unlock(&lock);
        if (is_ordered) {
            *function = NULL;
            return;
        }
    }
    static void (*original)(void *, double, struct callable **);
    if (!original) {
        original = (void (*)(void *, double, struct callable **))dlsym(
            RTLD_NEXT, "_ZN3WTF13WorkQueueBase13dispatchAfterENS_7SecondsEONS_8FunctionIFvvEEE");
    }
    if (original) original(queue, seconds, function);
}
