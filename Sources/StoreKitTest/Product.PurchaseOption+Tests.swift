public import Foundation
public import StoreKit

extension Product.PurchaseOption {
    /// What becomes of a subscription that was bought in the past.
    public enum SubscriptionRenewalBehavior: Hashable, Sendable {
        /// It does not renew.
        case cancelImmediately
        /// It renewed until now, and goes on.
        case renewUntilNow
    }

    /// Buys at a date in the past; only in a test session.
    ///
    /// - Parameters:
    ///   - date: When; not in the future.
    ///   - renewalBehavior: What becomes of a subscription since.
    public static func purchaseDate(
        _ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow
    ) -> Product.PurchaseOption {
        Self(
            test: .purchaseDate(date, cancelsAtOnce: renewalBehavior == .cancelImmediately))
    }

    /// Buys with an offer for codes, as if its code had been redeemed; only in a test session.
    public static func codeOffer(referenceName: String) -> Product.PurchaseOption {
        Self(test: .codeOffer(referenceName: referenceName))
    }

    /// Buys with a promotional offer that nobody signed; only in a test session.
    public static func promotionalOffer(id identifier: String) -> Product.PurchaseOption {
        Self(test: .promotionalOffer(id: identifier))
    }
}
