// Keeps OpenSSL's tables when the app exits: StoreKit's threads go on until the process is gone, and
// would crash it while they check a file or speak TLS after OpenSSL's own exit handler.
#include <openssl/crypto.h>

// Before anybody else initializes OpenSSL, as libcurl does.
__attribute__((constructor)) static void storekit_keep_openssl(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, 0);
}
