// PostgreSQL's client library.

#ifndef LAMPLIGHTER_CPOSTGRES_SHIM_H
#define LAMPLIGHTER_CPOSTGRES_SHIM_H

#include <libpq-fe.h>

#endif
