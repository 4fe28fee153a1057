import StoreKit

/// An error that a test session can have an interface of StoreKit fail with.
///
/// Apple: <https://developer.apple.com/documentation/storekittest/sktestfailure>
public protocol SKTestFailure: Equatable, Sendable {}

/// An interface of StoreKit that a test session can have fail.
///
/// ```swift
/// func closeShop(in session: SKTestSession) async throws {
///     try await session.setSimulatedError(.generic(.notAvailableInStorefront), forAPI: .loadProducts)
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekittest/failablestorekitapi>
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// What it can fail with.
    associatedtype Failure: SKTestFailure
}

/// `Product.products(for:)`.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.LoadProducts
    /// The interface.
    public init() {}
}

/// `Product.purchase(options:)`.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.Purchase
    /// The interface.
    public init() {}
}

/// The verification of signed data.
public struct StoreKitVerificationAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.Verification
    /// The interface.
    public init() {}
}

/// `AppStore.sync()`.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.AppStoreSync
    /// The interface.
    public init() {}
}

/// `Product.SubscriptionInfo.status(for:)`.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.SubscriptionStatus
    /// The interface.
    public init() {}
}

/// `AppTransaction.shared`.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.AppTransaction
    /// The interface.
    public init() {}
}

/// The sheet for subscriptions, which a device without a screen does not have: its error is kept,
/// and nothing fails with it.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.ManageSubscriptions
    /// The interface.
    public init() {}
}

/// The sheet for refunds, which a device without a screen does not have: its error is kept, and
/// nothing fails with it.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.RefundRequest
    /// The interface.
    public init() {}
}

/// The sheet for offer codes of StoreKit 2, which a device without a screen does not have: its error
/// is kept, and nothing fails with it.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.OfferCodeRedeem
    /// The interface.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// `Product.products(for:)`.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// `Product.purchase(options:)`.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// The verification of signed data.
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// `AppStore.sync()`.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// `Product.SubscriptionInfo.status(for:)`.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI {
        StoreKitSubscriptionStatusAPI()
    }
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// `AppTransaction.shared`.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// The sheet for subscriptions.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI {
        StoreKitManageSubscriptionsAPI()
    }
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// The sheet for refunds.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// The sheet for offer codes.
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}
