// Gives methods of Foundation's Bundle another implementation on Linux: `appStoreReceiptURL`, which
// always returns nil there, and those that find resources, which know nothing of on-demand ones.
//
// Foundation's methods can be neither redeclared nor overridden from outside. They are called
// through slots in Bundle's class metadata, so this file searches the first words of that metadata
// for each method's address and replaces it with our own method, before main() runs. A method whose
// address is not found stays as it is, and one line on standard error reports it.
#include "include/CStoreKit.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { scanned_words_max = 200 };

#define WEAK __attribute__((weak))

// The metadata of Foundation's class Bundle.
extern uintptr_t bundle_metadata[] __asm__("$s10Foundation6BundleCN") WEAK;

// Foundation's methods, and the methods in the StoreKit module that replace them.
#define HOOKS(hook) \
    hook(receipt, "18appStoreReceiptURL0A10Essentials0F0VSgvg", "app_store_receipt_url") \
    hook(url, "3url11forResource13withExtension0A10Essentials3URLVSgSSSg_AKtF", "url") \
    hook(url_in, \
         "3url11forResource13withExtension12subdirectory0A10Essentials3URLVSgSSSg_A2LtF", \
         "url_in") \
    hook(url_for, \
         "3url11forResource13withExtension12subdirectory12localization0A10Essentials3URLVSgSSSg_" \
         "A3MtF", "url_for") \
    hook(urls_in, \
         "4urls25forResourcesWithExtension12subdirectorySayAA5NSURLCGSgSSSg_AKtF", "urls_in") \
    hook(urls_for, \
         "4urls25forResourcesWithExtension12subdirectory12localizationSayAA5NSURLCGSgSSSg_A2LtF", \
         "urls_for") \
    hook(path, "4path11forResource6ofTypeSSSgAG_AGtF", "path") \
    hook(path_in, "4path11forResource6ofType11inDirectorySSSgAH_A2HtF", "path_in") \
    hook(path_for, "4path11forResource6ofType11inDirectory0D12LocalizationSSSgAI_A3ItF", \
         "path_for") \
    hook(paths_in, "5paths18forResourcesOfType11inDirectorySaySSGSSSg_AHtF", "paths_in") \
    hook(paths_for, "5paths18forResourcesOfType11inDirectory0D12LocalizationSaySSGSSSg_A2ItF", \
         "paths_for")

#define DECLARE(name, foundation, storekit) \
    extern char foundation_##name[] __asm__("$s10Foundation6BundleC" foundation) WEAK; \
    extern char storekit_##name[] __asm__("storekit_bundle_" storekit) WEAK;
HOOKS(DECLARE)

static const struct {
    char *foundation;
    char *storekit;
} hooks[] = {
#define ENTRY(name, foundation, storekit) {foundation_##name, storekit_##name},
    HOOKS(ENTRY)
};
enum { hooks_count = sizeof hooks / sizeof hooks[0] };

unsigned long storekit_bundle_method(StoreKitBundleMethod method) {
    return (unsigned long)hooks[method].foundation;
}

static int replace(uintptr_t *slot, char *method) {
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)slot & ~(page_size - 1);
    // The slot is aligned, so it never spans two pages.
    if (mprotect((void *)page, page_size, PROT_READ | PROT_WRITE) != 0) return 0;
    *slot = (uintptr_t)method;
    return 1;
}

static int install(int hook) {
    if (bundle_metadata == 0 || hooks[hook].foundation == 0) return 0;
    for (int word = 0; word < scanned_words_max; word++) {
        if (bundle_metadata[word] == (uintptr_t)hooks[hook].foundation)
            return replace(&bundle_metadata[word], hooks[hook].storekit);
    }
    return 0;
}

__attribute__((constructor)) static void storekit_install_bundle_methods(void) {
    int missing = 0;
    for (int hook = 0; hook < hooks_count; hook++) {
        if (hooks[hook].storekit == 0 || install(hook)) continue;
        if (hook != StoreKitBundleReceipt) missing = 1;
        else
            fputs("StoreKit: this Foundation keeps Bundle.appStoreReceiptURL elsewhere than "
                  "expected, so it stays nil; read the file StoreKit/receipt or "
                  "StoreKit/sandboxReceipt in STOREKIT_HOME instead.\n", stderr);
    }
    if (missing)
        fputs("StoreKit: this Foundation keeps methods of Bundle elsewhere than expected, so they "
              "do not find on-demand resources; look below OnDemandResources in STOREKIT_HOME "
              "instead.\n", stderr);
}
