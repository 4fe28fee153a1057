/// The number of an app in the App Store, `appAppleId`; receipts have it as `adam_id`.
package struct AppNumber: Hashable, Sendable {
    /// Up to twelve digits; Apple's have nine or ten.
    package static let range: ClosedRange<Int64> = 1...999_999_999_999

    package let rawValue: Int64

    /// Nil outside the range.
    package init?(_ number: Int64) {
        guard Self.range.contains(number) else { return nil }
        rawValue = number
    }

    /// The number written in digits, without zeros in front; nil for anything else.
    package init?(_ text: String) {
        guard let number = Int64(text), "\(number)" == text else { return nil }
        self.init(number)
    }
}

package enum AppTransactionEntity {}

/// Names an `AppTransaction`: fifteen or sixteen digits below 2^53. Receipts of production have it
/// as `download_id`.
package typealias AppTransactionID = Identifier<AppTransactionEntity, Int64>

/// That an account got an app: when, with which version, and how. An account has one for each app,
/// from its first device on; later devices and versions do not change it.
package struct AppTransaction: Hashable, Sendable {
    /// The kind of the first device, by the name in *originalPlatform*.
    package enum Platform: String, Codable, CaseIterable, Sendable {
        case iOS
        case macOS
        case tvOS
        case visionOS
    }

    package let id: AppTransactionID
    /// As *originalPurchaseDate*.
    package var purchasedAt: Timestamp
    /// As *originalApplicationVersion*.
    package var version: String
    package var platform: Platform
    /// Whether an organisation bought it in volume and gave it to the account.
    package var isVolumePurchase: Bool

    package init(
        id: AppTransactionID, purchasedAt: Timestamp, version: String, platform: Platform = .iOS,
        isVolumePurchase: Bool = false
    ) {
        self.id = id
        self.purchasedAt = purchasedAt
        self.version = version
        self.platform = platform
        self.isVolumePurchase = isVolumePurchase
    }

    /// The date of every app's purchase in the sandbox: 2013-08-01 07:00 UTC.
    package static let sandboxPurchaseDate = Timestamp(seconds: 1_375_340_400)
    /// The first version of every app in the sandbox.
    package static let sandboxVersion = "1.0"

    /// An app that an account gets at a moment with a version. The sandbox has Apple's constants.
    package static func first(
        _ id: AppTransactionID, version: String, at now: Timestamp,
        in environment: StoreEnvironment
    ) -> AppTransaction {
        switch environment {
        case .production: AppTransaction(id: id, purchasedAt: now, version: version)
        case .sandbox:
            AppTransaction(id: id, purchasedAt: sandboxPurchaseDate, version: sandboxVersion)
        }
    }
}
