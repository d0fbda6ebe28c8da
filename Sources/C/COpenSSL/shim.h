// OpenSSL's libcrypto: PKCS#12 files, clients' certificates, RSA keys of 512 bits. TLS is NIOSSL's, whose symbols have other names.

#ifndef LAMPLIGHTER_COPENSSL_SHIM_H
#define LAMPLIGHTER_COPENSSL_SHIM_H

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509.h>

#endif
