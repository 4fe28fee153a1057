import Foundation

extension Bundle {
    /// What `appStoreReceiptURL` answers on Linux, put in its place by CStoreKit before main().
    ///
    /// The main bundle has an address whether or not there is a file yet, so that an app may keep the
    /// first answer; without a store it leads into the app's own folder, where StoreKit writes nothing.
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
