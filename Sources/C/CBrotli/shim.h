// The decoder of brotli (RFC 7932).

#ifndef LAMPLIGHTER_CBROTLI_SHIM_H
#define LAMPLIGHTER_CBROTLI_SHIM_H

#include <brotli/decode.h>

#endif
