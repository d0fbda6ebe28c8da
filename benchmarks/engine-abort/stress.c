// Creates, times out and destroys JavaScriptCore machines, to show the race that Sources/JavaScriptEngine/Machine/
// TrapBookkeeping.swift repairs. See benchmarks/README.md.
//
//     stress MODE [SECONDS [MACHINES]]
//
// plain     the library's own functions
// wide      the same, each a moment late: the race's windows are a millisecond wide instead of 20 ns
// replaced  functions that do nothing, as in Lamplighter

#define _GNU_SOURCE
#include <JavaScriptCore/JavaScript.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef bool (*Callback)(JSContextRef, void *);
void JSContextGroupSetExecutionTimeLimit(JSContextGroupRef, double, Callback, void *);

static const double slice = 0.001;
static enum { plain, wide, replaced } mode;
static double end;
static atomic_long slices, scripts;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void pause_if_wide(long microseconds) {
    struct timespec time = {0, microseconds * 1000};
    if (mode == wide) nanosleep(&time, NULL);
}

// In place of the library's: a program's symbols come first.

void _ZN3JSC7VMTraps25requestThreadStopIfNeededEj(void *traps, unsigned event) {
    static void (*original)(void *, unsigned);
    if (mode == replaced) return;
    if (!original) original = dlsym(RTLD_NEXT, "_ZN3JSC7VMTraps25requestThreadStopIfNeededEj");
    pause_if_wide(200);
    original(traps, event);
}

void _ZN3JSC7VMTraps24cancelThreadStopIfNeededEv(void *traps) {
    static void (*original)(void *);
    if (mode == replaced) return;
    if (!original) original = dlsym(RTLD_NEXT, "_ZN3JSC7VMTraps24cancelThreadStopIfNeededEv");
    pause_if_wide(2000);
    original(traps);
}

typedef struct {
    JSContextGroupRef group;
    double deadline;
} Machine;

static bool slice_is_over(JSContextRef context, void *data) {
    Machine *machine = data;
    slices++;
    JSContextGroupSetExecutionTimeLimit(machine->group, slice, slice_is_over, machine);
    return now() >= machine->deadline;
}

static void *run(void *unused) {
    JSStringRef script = JSStringCreateWithUTF8CString("for (var i = 0; ; i++) {}");
    while (now() < end) {
        Machine machine = {JSContextGroupCreate(), 0};
        JSGlobalContextRef context = JSGlobalContextCreateInGroup(machine.group, NULL);
        JSContextGroupSetExecutionTimeLimit(machine.group, slice, slice_is_over, &machine);
        for (int count = 0; count < 3; count++) {
            machine.deadline = now() + 0.1;
            JSValueRef thrown = NULL;
            JSEvaluateScript(context, script, NULL, NULL, 1, &thrown);
            scripts++;
        }
        JSGlobalContextRelease(context);
        JSContextGroupRelease(machine.group);
    }
    JSStringRelease(script);
    return unused;
}

int main(int count, char **arguments) {
    const char *names[] = {"plain", "wide", "replaced"};
    while (mode <= replaced && (count < 2 || strcmp(arguments[1], names[mode]))) mode++;
    double seconds = count > 2 ? atof(arguments[2]) : 10;
    int machines = count > 3 ? atoi(arguments[3]) : 4;
    if (mode > replaced || seconds <= 0 || seconds > 3600 || machines < 1 || machines > 64) {
        fprintf(stderr, "usage: stress plain|wide|replaced [SECONDS [MACHINES]]\n");
        return 2;
    }
    setenv("JSC_usePollingTraps", "1", 1);
    end = now() + seconds;
    pthread_t threads[64];
    for (int i = 0; i < machines; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < machines; i++) pthread_join(threads[i], NULL);
    printf("%s: no abort in %.0f s, %ld scripts stopped, %ld slices\n", names[mode], seconds, scripts, slices);
    return 0;
}
