public import StoreKit

/// What a test session can have StoreKit fail with.
///
/// ```swift
/// func refuseCustomer(in session: SKTestSession) async throws {
///     try await session.setSimulatedError(.purchase(.purchaseNotAllowed), forAPI: .purchase)
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekittest/sktestfailures>
public enum SKTestFailures {
    /// Of `Product.products(for:)`.
    public enum LoadProducts: SKTestFailure {
        /// The error that it throws.
        case generic(StoreKitError)
    }

    /// Of `Product.purchase(options:)`.
    public enum Purchase: SKTestFailure {
        /// The error that it throws.
        case generic(StoreKitError)
        /// The error that it throws.
        case purchase(Product.PurchaseError)
    }

    /// Of the verification of signed data.
    public enum Verification: SKTestFailure {
        /// The error of every value, which comes as `.unverified`.
        case verification(VerificationResult<Any>.VerificationError)
    }

    /// Of `AppStore.sync()`.
    public enum AppStoreSync: SKTestFailure {
        /// It throws `StoreKitError.unknown`.
        case generic
    }

    /// Of `Product.SubscriptionInfo.status(for:)`.
    public enum SubscriptionStatus: SKTestFailure {
        /// It throws `StoreKitError.unknown`.
        case generic
    }

    /// Of `AppTransaction.shared`.
    public enum AppTransaction: SKTestFailure {
        /// It throws `StoreKitError.unknown`.
        case generic
    }

    /// Of the sheet for subscriptions.
    public enum ManageSubscriptions: SKTestFailure {
        /// Nothing more is known.
        case generic
    }

    /// Of the sheet for refunds.
    public enum RefundRequest: SKTestFailure {
        /// Nothing more is known.
        case generic
        /// The error of the request.
        case refundRequest(Transaction.RefundRequestError)
    }

    /// Of the sheet for offer codes.
    public enum OfferCodeRedeem: SKTestFailure {
        /// Nothing more is known.
        case generic
    }
}

extension SKTestFailures.LoadProducts {
    /// Whether both are the same error; two that hold an error of the system are compared by its
    /// domain and code.
    public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.generic(let one), .generic(let other)): one.isSame(as: other)
        }
    }
}

extension SKTestFailures.Purchase {
    /// Whether both are the same error; two that hold an error of the system are compared by its
    /// domain and code.
    public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.generic(let one), .generic(let other)): one.isSame(as: other)
        case (.purchase(let one), .purchase(let other)): one == other
        default: false
        }
    }
}
