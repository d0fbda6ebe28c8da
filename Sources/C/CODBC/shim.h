// unixODBC's driver manager. Characters of its W functions are UTF-16 units.

#ifndef LAMPLIGHTER_CODBC_SHIM_H
#define LAMPLIGHTER_CODBC_SHIM_H

#include <sql.h>
#include <sqlext.h>
#include <sqlucode.h>

#endif
