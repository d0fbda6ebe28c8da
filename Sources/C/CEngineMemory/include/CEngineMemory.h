#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Has JavaScriptCore's larger allocations on this thread fail, so that the script gets a RangeError; 0 lets all through.
///
/// The engine looks at a script's memory between its steps only, and one step such as `"x".repeat(n)` or `new Uint8Array(n)` may take gigabytes.
void lamplighter_limit_allocations(size_t bytes);

/// Whether the engine's calls reach the functions of this file. They would not if the program were linked without exporting them.
bool lamplighter_limits_allocations(void);

/// Has the system give this process pages of 4 KB only, so that memory comes back piece by piece and can be counted by pages.
void lamplighter_use_small_pages(void);

/// Gives memory back to the system that the C library holds between pieces in use.
void lamplighter_return_memory(void);

// The memory that the system has given to this thread since the last call with `ends`, in bytes: each page when it was first used.
size_t lamplighter_memory_taken(bool ends);

/// Makes the engine's timers on the calling thread use the shared timer thread. Call it only with the WebKitGTK version that timers.c was made
/// for.
void lamplighter_share_timers(void);

/// The number of timers that have used the shared timer thread.
size_t lamplighter_shared_timers(void);
