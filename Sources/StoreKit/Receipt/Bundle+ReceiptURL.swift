import Foundation

extension Bundle {
    /// The implementation of `appStoreReceiptURL` on Linux, installed by CStoreKit before main().
    ///
    /// The main bundle has a URL even before there is a file, so that an app may keep the first
    /// answer. Nil for other bundles.
    @_silgen_name("storekit_bundle_app_store_receipt_url")
    final func storeKitAppStoreReceiptURL() -> URL? {
        self === Bundle.main ? StoreContext.current.receiptURL : nil
    }
}
