public import Foundation

/// What the store does for an app beside selling.
///
/// ```swift
/// func restorePurchases() async throws {
///     try await AppStore.sync()
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/appstore>
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public enum AppStore {
    /// Whether this device may buy.
    public static var canMakePayments: Bool {
        StoreContext.current.signedPurchases.canMakePayments
    }

    /// The number of this device, which goes into signed data that are for it; nil without a store.
    public static var deviceVerificationID: UUID? {
        StoreContext.current.signedPurchases.deviceVerificationID
    }

    /// Gets everything that the account bought from the store, after asking for the account.
    ///
    /// StoreKit keeps purchases up to date by itself: call it only when the customer asks for it.
    ///
    /// - Throws: `StoreKitError`; `userCancelled` when the customer does not sign in.
    public static func sync() async throws {
        try await StoreContext.current.signedPurchases.sync()
    }
}
