#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Has JavaScriptCore's larger allocations on this thread fail, so that the script gets a RangeError; 0 lets all through.
///
/// The engine looks at a script's memory between its steps only, and one step such as `"x".repeat(n)` or `new Uint8Array(n)` may take gigabytes.
void lamplighter_limit_allocations(size_t bytes);

/// Whether the engine's calls reach the functions of this file. They would not if the program were linked without exporting them.
bool lamplighter_limits_allocations(void);
