// Gives `Bundle.main.appStoreReceiptURL` a value on Linux.
//
// Foundation declares the property there and always returns nil; it can be neither redeclared nor
// overridden from outside. Its getter is called through a slot in Bundle's class metadata, so this
// file searches the first words of that metadata for the getter's address and replaces it with our
// own method, before main() runs. If the address is not found, the property stays nil, and one line
// on standard error reports it.
#include "include/CStoreKit.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { scanned_words_max = 200 };

#define WEAK __attribute__((weak))

// The metadata of Foundation's class Bundle.
extern uintptr_t bundle_metadata[] __asm__("$s10Foundation6BundleCN") WEAK;
// The getter of Bundle.appStoreReceiptURL in Foundation.
extern char foundation_getter[] __asm__(
    "$s10Foundation6BundleC18appStoreReceiptURL0A10Essentials0F0VSgvg") WEAK;
// The method in the StoreKit module that replaces it.
extern char storekit_getter[] __asm__("storekit_bundle_app_store_receipt_url") WEAK;

static int replace(uintptr_t *slot) {
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)slot & ~(page_size - 1);
    // The slot is aligned, so it never spans two pages.
    if (mprotect((void *)page, page_size, PROT_READ | PROT_WRITE) != 0) return 0;
    *slot = (uintptr_t)storekit_getter;
    return 1;
}

__attribute__((constructor)) static void storekit_install_receipt_url(void) {
    if (storekit_getter == 0) return;
    if (bundle_metadata != 0 && foundation_getter != 0) {
        for (int word = 0; word < scanned_words_max; word++) {
            if (bundle_metadata[word] == (uintptr_t)foundation_getter) {
                if (replace(&bundle_metadata[word])) return;
                break;
            }
        }
    }
    fputs("StoreKit: this Foundation keeps Bundle.appStoreReceiptURL elsewhere than expected, "
          "so it stays nil; read the file StoreKit/receipt or StoreKit/sandboxReceipt in "
          "STOREKIT_HOME instead.\n", stderr);
}
