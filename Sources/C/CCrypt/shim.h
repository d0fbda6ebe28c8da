// libxcrypt's hashes of passwords.

#ifndef LAMPLIGHTER_CCRYPT_SHIM_H
#define LAMPLIGHTER_CCRYPT_SHIM_H

#include <crypt.h>

#endif
