// OpenLDAP's client library, and what of it Swift cannot read by itself.

#ifndef LAMPLIGHTER_CLDAP_SHIM_H
#define LAMPLIGHTER_CLDAP_SHIM_H

#include <ldap.h>

// Macros with casts, which Swift does not take over.
static void *const lamplighterLDAPOn = LDAP_OPT_ON;
static void *const lamplighterLDAPOff = LDAP_OPT_OFF;

#endif
