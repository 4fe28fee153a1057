import Foundation
import StoreKit

extension SKTestSession {
    /// Ends a subscription now; it does not renew.
    ///
    /// - Throws: `SKTestError`: `invalidProductIdentifier`, `invalidProductType`,
    ///   `noSubscriptionFound`; `invalidAction` when it has ended.
    public func expireSubscription(productIdentifier: String) throws {
        try world.change(subscriptionTo: productIdentifier, "expire")
    }

    /// Ends a subscription's period now, and begins the next one.
    ///
    /// - Throws: `SKTestError`: `invalidProductIdentifier`, `invalidProductType`,
    ///   `noSubscriptionFound`; `invalidAction` when it cannot renew.
    public func forceRenewalOfSubscription(productIdentifier: String) throws {
        try world.change(subscriptionTo: productIdentifier, "renew")
    }

    /// Lets a transaction's subscription renew.
    ///
    /// - Throws: `SKTestError`: `noTransactionFound`, `noSubscriptionFound`; `invalidAction` when it
    ///   has ended.
    public func enableAutoRenewForTransaction(identifier: Int) throws {
        try world.changeSubscription(of: identifier, "resume")
    }

    /// Has a transaction's subscription end with its period.
    ///
    /// - Throws: `SKTestError`: `noTransactionFound`, `noSubscriptionFound`; `invalidAction` when it
    ///   has ended.
    public func disableAutoRenewForTransaction(identifier: Int) throws {
        try world.changeSubscription(of: identifier, "cancel")
    }

    // MARK: - Higher prices

    /// Raises the price of a transaction's subscription, and asks the customer for consent.
    ///
    /// - Throws: `SKTestError`: `noTransactionFound`, `noSubscriptionFound`; `invalidAction` when the
    ///   customer is asked already.
    public func requestPriceIncreaseConsentForTransaction(identifier: Int) throws {
        try world.raisePrice(of: identifier)
    }

    /// Agrees to the price that the customer is asked about.
    ///
    /// - Throws: `SKTestError`: `noTransactionFound`, `noSubscriptionFound`; `invalidAction` when the
    ///   customer is not asked.
    public func consentToPriceIncreaseForTransaction(identifier: Int) throws {
        try world.answerPrice(of: identifier, "agree")
    }

    /// Declines the price that the customer is asked about: the subscription ends with its period.
    ///
    /// - Throws: `SKTestError`: `noTransactionFound`, `noSubscriptionFound`; `invalidAction` when the
    ///   customer is not asked.
    public func declinePriceIncreaseForTransaction(identifier: Int) throws {
        try world.answerPrice(of: identifier, "decline")
    }
}
