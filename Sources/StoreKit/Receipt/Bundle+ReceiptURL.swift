import Foundation
import Glibc

extension Bundle {
    /// What `appStoreReceiptURL` answers on Linux, put in its place by CStoreKit before main().
    ///
    /// Nil unless this is the main bundle, a store is configured and the receipt is on disk.
    @_silgen_name("storekit_bundle_app_store_receipt_url")
    final func storeKitAppStoreReceiptURL() -> URL? {
        guard self === Bundle.main,
            case .success(let configuration?) = StoreKitProcess.configuration,
            let path = configuration.receiptPath, access(path, R_OK) == 0
        else { return nil }
        return URL(fileURLWithPath: path)
    }
}
