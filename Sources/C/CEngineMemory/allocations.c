// These functions have the names of JavaScriptCore's own. The dynamic linker takes them in place of the library's, since a program's symbols
// come before those of its libraries, and the library calls them through it. All are those that may fail: their callers throw then. They take
// the memory of strings and of array buffers.
#define _GNU_SOURCE
#include "include/CEngineMemory.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/prctl.h>

static _Thread_local size_t most;

void lamplighter_limit_allocations(size_t bytes) { most = bytes; }

static bool is_too_large(size_t size) { return __builtin_expect(most != 0 && size > most, 0); }

// Threads that come here at once find the same.
#define ORIGINAL(type, symbol)                                                                                                             \
    static type original;                                                                                                                  \
    if (__builtin_expect(original == NULL, 0)) original = (type)dlsym(RTLD_NEXT, #symbol)

// C++ returns a WTF::TryMallocReturnValue, which has a destructor, through a pointer that comes first.
#define RETURNS_OBJECT(symbol, parameters, arguments, size)                                                                                \
    void **symbol parameters;                                                                                                              \
    void **symbol parameters {                                                                                                             \
        typedef void **(*Function) parameters;                                                                                             \
        ORIGINAL(Function, symbol);                                                                                                        \
        if (is_too_large(size)) {                                                                                                          \
            *result = NULL;                                                                                                                \
            return result;                                                                                                                 \
        }                                                                                                                                  \
        return original arguments;                                                                                                         \
    }

#define RETURNS_POINTER(symbol, parameters, arguments, size)                                                                               \
    void *symbol parameters;                                                                                                               \
    void *symbol parameters {                                                                                                              \
        typedef void *(*Function) parameters;                                                                                              \
        ORIGINAL(Function, symbol);                                                                                                        \
        return is_too_large(size) ? NULL : original arguments;                                                                             \
    }

static size_t product(size_t count, size_t size) {
    size_t total;
    return __builtin_mul_overflow(count, size, &total) ? (size_t)-1 : total;
}

RETURNS_OBJECT(_ZN3WTF13tryFastMallocEm, (void **result, size_t size), (result, size), size)
RETURNS_OBJECT(_ZN3WTF19tryFastZeroedMallocEm, (void **result, size_t size), (result, size), size)
RETURNS_OBJECT(_ZN3WTF20tryFastCompactMallocEm, (void **result, size_t size), (result, size), size)
RETURNS_OBJECT(_ZN3WTF26tryFastCompactZeroedMallocEm, (void **result, size_t size), (result, size), size)
RETURNS_OBJECT(_ZN3WTF13tryFastCallocEmm, (void **result, size_t count, size_t size), (result, count, size), product(count, size))
RETURNS_OBJECT(_ZN3WTF21tryFastCompactReallocEPvm, (void **result, void *old, size_t size), (result, old, size), size)
RETURNS_POINTER(_ZN8Gigacage9tryMallocENS_4KindEm, (int kind, size_t size), (kind, size), size)
RETURNS_POINTER(_ZN8Gigacage15tryZeroedMallocENS_4KindEm, (int kind, size_t size), (kind, size), size)
RETURNS_POINTER(_ZN8Gigacage29tryAllocateZeroedVirtualPagesENS_4KindEm, (int kind, size_t size), (kind, size), size)
RETURNS_POINTER(_ZN8Gigacage10tryReallocENS_4KindEPvm, (int kind, void *old, size_t size), (kind, old, size), size)

bool lamplighter_limits_allocations(void) {
    return dlsym(RTLD_DEFAULT, "_ZN3WTF13tryFastMallocEm") == (void *)_ZN3WTF13tryFastMallocEm
        && dlsym(RTLD_DEFAULT, "_ZN8Gigacage9tryMallocENS_4KindEm") == (void *)_ZN8Gigacage9tryMallocENS_4KindEm
        && dlsym(RTLD_NEXT, "_ZN3WTF13tryFastMallocEm") != NULL;
}

void lamplighter_use_small_pages(void) { prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

void lamplighter_return_memory(void) { malloc_trim(0); }

size_t lamplighter_memory_taken(bool ends) {
    static _Thread_local long counted;
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    long pages = usage.ru_minflt - counted;
    if (ends) counted = usage.ru_minflt;
    return (size_t)pages * 4096;
}
