public import Foundation

/// A transaction of a test session, as it was when it was asked for.
///
/// ```swift
/// func failed(in session: SKTestSession) -> [SKTestTransaction] {
///     session.allTransactions().filter { $0.state == .failed }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekittest/sktesttransaction>
public final class SKTestTransaction: NSObject, Sendable {
    /// Its number: the transaction's own if it was sold, and otherwise one of the session's.
    public let identifier: Int
    /// The number of the first transaction of the subscription, or its own.
    public let originalTransactionIdentifier: Int
    /// The product.
    public let productIdentifier: String
    /// `.purchased`, `.deferred` while it waits for approval, and `.failed`.
    public let state: SKPaymentTransactionState
    /// When it was sold, or tried.
    public let purchaseDate: Date
    /// When it was refunded or taken back; nil if it was not.
    public let cancelDate: Date?
    /// The end of the period that it paid for; nil unless it is of a subscription.
    public let expirationDate: Date?
    /// Whether its subscription renews.
    public let autoRenewingEnabled: Bool
    /// Whether something must be resolved first, by `resolveIssueForTransaction(identifier:)`: the
    /// purchase was interrupted, or its subscription's renewal failed.
    public let hasPurchaseIssue: Bool
    /// Whether the customer is asked for consent to a higher price of its subscription.
    public let isPendingPriceIncreaseConsent: Bool
    /// Whether it waits for approval.
    public let pendingAskToBuyConfirmation: Bool

    init(
        identifier: Int, original: Int? = nil, product: String, state: SKPaymentTransactionState,
        date: Date, cancelDate: Date? = nil, expirationDate: Date? = nil, renews: Bool = false,
        hasIssue: Bool = false, asksForConsent: Bool = false, asksToBuy: Bool = false
    ) {
        self.identifier = identifier
        originalTransactionIdentifier = original ?? identifier
        productIdentifier = product
        self.state = state
        purchaseDate = date
        self.cancelDate = cancelDate
        self.expirationDate = expirationDate
        autoRenewingEnabled = renews
        hasPurchaseIssue = hasIssue
        isPendingPriceIncreaseConsent = asksForConsent
        pendingAskToBuyConfirmation = asksToBuy
    }
}
