package import StoreModel

/// `POST /control/v1/purchases`: the owner buys for an account, under an id that the sender made.
///
/// The store buys on a device that it keeps for the account and the app, by the rules of a device's
/// attempts; the answer is what the device would be told.
package struct MakePurchaseBody: Codable, Hashable, Sendable {
    /// A UUID in uppercase; the same id with the same body is the same purchase.
    package let attemptId: String
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let account: String
    package let bundleId: String
    /// Of the app on the device; 1.0 when absent.
    package let appVersion: String?
    package let productId: String
    /// 1 when absent.
    package let quantity: Int?
    package let applicationUsername: String?
    package let offer: PurchaseOfferBody?
    /// Whether to finish the transaction once it is made.
    package let finish: Bool?
    /// What only the sandbox of a test session takes.
    package let test: TestPurchaseBody?

    package init(
        attemptId: String, environment: StoreEnvironment? = nil, account: String, bundleId: String,
        appVersion: String? = nil, productId: String, quantity: Int? = nil,
        applicationUsername: String? = nil, offer: PurchaseOfferBody? = nil,
        finish: Bool? = nil, test: TestPurchaseBody? = nil
    ) {
        self.attemptId = attemptId
        self.environment = environment
        self.account = account
        self.bundleId = bundleId
        self.appVersion = appVersion
        self.productId = productId
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.offer = offer
        self.finish = finish
        self.test = test
    }
}

/// The offer that the owner buys with: one of the members, or none.
package struct PurchaseOfferBody: Codable, Hashable, Sendable {
    /// Whether to refuse a purchase to which no introductory offer applies; one applies by itself.
    package let introductory: Bool?
    /// A promotional offer's identifier; the owner's word replaces the signature of the app's
    /// server.
    package let promotional: String?
    /// A promotional offer with what the app's server signed, as an app would send it.
    package let signed: DiscountBody?
    /// A win-back offer's identifier.
    package let winBack: String?
    /// An offer code, as typed.
    package let code: String?

    package init(
        introductory: Bool? = nil, promotional: String? = nil, signed: DiscountBody? = nil,
        winBack: String? = nil, code: String? = nil
    ) {
        self.introductory = introductory
        self.promotional = promotional
        self.signed = signed
        self.winBack = winBack
        self.code = code
    }
}

/// `POST /control/v1/restores`: a page of an account's purchases, restored on the same device.
package struct MakeRestoreBody: Codable, Hashable, Sendable {
    /// A UUID in uppercase; the same id and position are the same page.
    package let restoreId: String
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let account: String
    package let bundleId: String
    /// Of the app on the device; 1.0 when absent.
    package let appVersion: String?
    package let applicationUsername: String?
    /// The `next` of the previous page; absent for the first.
    package let after: String?
    /// Whether to finish the restored transactions.
    package let finish: Bool?

    package init(
        restoreId: String, environment: StoreEnvironment? = nil, account: String, bundleId: String,
        appVersion: String? = nil, applicationUsername: String? = nil, after: String? = nil,
        finish: Bool? = nil
    ) {
        self.restoreId = restoreId
        self.environment = environment
        self.account = account
        self.bundleId = bundleId
        self.appVersion = appVersion
        self.applicationUsername = applicationUsername
        self.after = after
        self.finish = finish
    }
}
