// Argon2, which hashes passwords.

#ifndef LAMPLIGHTER_CARGON2_SHIM_H
#define LAMPLIGHTER_CARGON2_SHIM_H

#include <argon2.h>

#endif
