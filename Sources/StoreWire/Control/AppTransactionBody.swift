package import StoreModel

/// When, with which version and how an account got an app. Dates are milliseconds since 1970, by
/// the world's clock.
package struct AppTransactionBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let account: String
    package let bundleId: String
    /// The app's number.
    package let appAppleId: Int64
    /// In receipts of production, `download_id`.
    package let appTransactionId: String
    package let originalPurchaseDate: Timestamp
    package let originalApplicationVersion: String
    package let originalPlatform: AppTransaction.Platform
    package let isVolumePurchase: Bool

    package init(
        _ transaction: AppTransaction, environment: StoreEnvironment, account: String,
        bundleId: String, app: AppNumber
    ) {
        self.environment = environment
        self.account = account
        self.bundleId = bundleId
        appAppleId = app.rawValue
        appTransactionId = "\(transaction.id)"
        originalPurchaseDate = transaction.purchasedAt
        originalApplicationVersion = transaction.version
        originalPlatform = transaction.platform
        isVolumePurchase = transaction.isVolumePurchase
    }
}

/// `PUT /control/v1/apps/{bundleId}/app-transaction`; absent members stay as they are.
package struct SetAppTransactionBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent, which has Apple's constants.
    package let environment: StoreEnvironment?
    package let name: String
    package let originalPurchaseDate: Timestamp?
    package let originalApplicationVersion: String?
    package let originalPlatform: AppTransaction.Platform?
    package let isVolumePurchase: Bool?

    package init(
        environment: StoreEnvironment? = nil, name: String, originalPurchaseDate: Timestamp? = nil,
        originalApplicationVersion: String? = nil,
        originalPlatform: AppTransaction.Platform? = nil, isVolumePurchase: Bool? = nil
    ) {
        self.environment = environment
        self.name = name
        self.originalPurchaseDate = originalPurchaseDate
        self.originalApplicationVersion = originalApplicationVersion
        self.originalPlatform = originalPlatform
        self.isVolumePurchase = isVolumePurchase
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}

/// `PUT /control/v1/apps/{bundleId}/number`
package struct AppNumberBody: Codable, Hashable, Sendable {
    package let appAppleId: Int64

    package init(appAppleId: Int64) {
        self.appAppleId = appAppleId
    }
}
