#include <zlib.h>

// Macros with arguments, which Swift does not import.

static inline int lamplighter_deflateInit(z_stream *stream) {
    // 15 + 16: the widest window, and gzip's header. Level 6 is zlib's own middle way.
    return deflateInit2(stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int lamplighter_inflateInit(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}
