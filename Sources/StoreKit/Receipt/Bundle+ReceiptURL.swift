import Foundation

extension Bundle {
    /// The implementation of `appStoreReceiptURL` on Linux, installed by CStoreKit before main().
    ///
    /// The main bundle has a URL even before there is a file, so that an app may keep the first
    /// answer; without a store it points into the app's own folder, where StoreKit writes nothing.
    /// Nil for other bundles.
    @_silgen_name("storekit_bundle_app_store_receipt_url")
    final func storeKitAppStoreReceiptURL() -> URL? {
        guard self === Bundle.main else { return nil }
        guard case .success(let configuration?) = StoreKitProcess.configuration else {
            return URL(fileURLWithPath: HomeFolder.receiptFile(home: bundlePath, isSandbox: false))
        }
        return URL(fileURLWithPath: configuration.receiptPath)
    }
}
