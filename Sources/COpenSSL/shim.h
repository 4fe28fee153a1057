#pragma once

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

/* OpenSSL's stacks are macros, which Swift cannot call. */

static inline STACK_OF(X509) *shim_x509_stack_new(void) { return sk_X509_new_null(); }

static inline int shim_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}

/* Frees the stack alone; its certificates stay their owner's. */
static inline void shim_x509_stack_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
