// Keeps OpenSSL's tables when the app exits: StoreKit's threads go on until the process is gone, and
// would crash it while they check a file or speak TLS after OpenSSL's own exit handler.
#include <stdint.h>

// OpenSSL's own declaration; absent in a program without libcrypto.
extern int OPENSSL_init_crypto(uint64_t options, const void *settings) __attribute__((weak));

enum { openssl_init_no_atexit = 0x00080000 };

// Before anybody else initializes OpenSSL, as libcurl does.
__attribute__((constructor)) static void storekit_keep_openssl(void) {
    if (OPENSSL_init_crypto != 0) OPENSSL_init_crypto(openssl_init_no_atexit, 0);
}
