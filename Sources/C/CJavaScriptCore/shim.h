// JavaScriptCore's C API, and the functions that its library exports without declaring them.
//
// The undeclared ones are weak: a library without one of them still loads, and lamplighterMissingJSCFunction() says
// which is missing before anything calls it. Their signatures are those of WebKit's JSContextRefPrivate.h,
// JSBasePrivate.h and JSVirtualMachine sources, 2.50.

#ifndef LAMPLIGHTER_CJAVASCRIPTCORE_SHIM_H
#define LAMPLIGHTER_CJAVASCRIPTCORE_SHIM_H

#include <JavaScriptCore/JavaScript.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LAMPLIGHTER_WEAK __attribute__((weak))

typedef bool (*JSShouldTerminateCallback)(JSContextRef context, void *data);

/// Calls `callback` on the script's thread once a script has used `limit` seconds of that thread's CPU time since it was
/// entered. The callback returning true stops the script; returning false lets it run, but the limit must be set anew.
LAMPLIGHTER_WEAK void JSContextGroupSetExecutionTimeLimit(JSContextGroupRef group, double limit,
                                                          JSShouldTerminateCallback callback, void *data);

/// Chooses the signal that suspends threads for garbage collection. False once the engine has started.
LAMPLIGHTER_WEAK bool JSConfigureSignalForGC(int signal);

/// Turns `eval` and `Function` off (or on); using them throws an EvalError with `message`.
LAMPLIGHTER_WEAK void JSGlobalContextSetEvalEnabled(JSGlobalContextRef context, bool enabled, JSStringRef message);

/// An object with `heapSize` in bytes and more. Walks the whole heap.
LAMPLIGHTER_WEAK JSObjectRef JSGetMemoryUsageStatistics(JSContextRef context);

/// Collects all garbage before it returns.
LAMPLIGHTER_WEAK void JSSynchronousGarbageCollectForDebugging(JSContextRef context);
LAMPLIGHTER_WEAK void JSReportExtraMemoryCost(JSContextRef context, size_t size);

/// The calls that are running, innermost first, one to a line; at most `depth` of them. The caller releases the text.
LAMPLIGHTER_WEAK JSStringRef JSContextCreateBacktrace(JSContextRef context, unsigned depth);

/// Has an object of a C API class hold on to a value that scripts can't see.
LAMPLIGHTER_WEAK bool JSObjectSetPrivateProperty(JSContextRef context, JSObjectRef object, JSStringRef name,
                                                 JSValueRef value);

/// What JSObjectSetPrivateProperty put there; NULL for nothing.
LAMPLIGHTER_WEAK JSValueRef JSObjectGetPrivateProperty(JSContextRef context, JSObjectRef object, JSStringRef name);

/// The object behind a Proxy; NULL for what is not a Proxy.
LAMPLIGHTER_WEAK JSObjectRef JSObjectGetProxyTarget(JSObjectRef object);

/// The library's version, of its GLib interface.
extern unsigned jsc_get_major_version(void);
extern unsigned jsc_get_minor_version(void);
extern unsigned jsc_get_micro_version(void);

/// The name of the first undeclared function that the installed library lacks, or NULL when all are there.
static inline const char *lamplighterMissingJSCFunction(void) {
    if (!JSContextGroupSetExecutionTimeLimit) return "JSContextGroupSetExecutionTimeLimit";
    if (!JSConfigureSignalForGC) return "JSConfigureSignalForGC";
    if (!JSGlobalContextSetEvalEnabled) return "JSGlobalContextSetEvalEnabled";
    if (!JSGetMemoryUsageStatistics) return "JSGetMemoryUsageStatistics";
    if (!JSSynchronousGarbageCollectForDebugging) return "JSSynchronousGarbageCollectForDebugging";
    if (!JSReportExtraMemoryCost) return "JSReportExtraMemoryCost";
    if (!JSContextCreateBacktrace) return "JSContextCreateBacktrace";
    if (!JSObjectSetPrivateProperty) return "JSObjectSetPrivateProperty";
    if (!JSObjectGetPrivateProperty) return "JSObjectGetPrivateProperty";
    if (!JSObjectGetProxyTarget) return "JSObjectGetProxyTarget";
    return NULL;
}

/// SIGRTMIN + 5: a macro that Swift cannot read. No one else on this platform uses it.
static inline int lamplighterGarbageCollectionSignal(void) { return SIGRTMIN + 5; }

/// Marks a signal as ignored for the process, as SIG_IGN is a macro that Swift cannot read either.
static inline void lamplighterIgnoreSignal(int number) { signal(number, SIG_IGN); }

/// The system call behind eventfd(2), for a function that takes the C library's place.
static inline int lamplighterMakeEventDescriptor(unsigned value, int flags) {
    return (int)syscall(SYS_eventfd2, value, flags);
}

extern int pthread_setname_np(pthread_t thread, const char *name);

/// Names the calling thread, for whoever looks at the process from outside; at most 15 bytes.
static inline void lamplighterNameThread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

#endif
