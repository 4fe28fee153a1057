import Foundation
public import StoreKit

extension SKTestSession {
    // MARK: - Buying

    /// Buys for the account as on another device: the transaction comes to the queue's observers and
    /// to `Transaction.updates`.
    ///
    /// - Throws: `SKTestError`: `invalidProductIdentifier`, or `invalidAction` when it was not sold.
    @available(*, deprecated, message: "Use buyProduct(identifier:options:), since iOS 17.0.")
    public func buyProduct(productIdentifier: String) throws {
        _ = try world.buyNow(productIdentifier)
    }

    /// Buys for the account as on another device: the transaction comes to `Transaction.updates` and
    /// to the queue's observers.
    ///
    /// - Parameters:
    ///   - identifier: The product.
    ///   - options: A quantity, a token of the account, an offer, a date in the past. Of a promotional
    ///     offer only the identifier counts, since the test's word stands for the signature.
    /// - Throws: `SKTestError`, or `Product.PurchaseError` for options that contradict each other.
    @discardableResult
    public func buyProduct(
        identifier: Product.ID, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let order = try TestOrder(options)
        let number = try await world.buy(identifier, order)
        guard let bought = await world.context.bought(number) else {
            throw SKTestError(
                .serviceUnavailable,
                "The store sold \(identifier) as \(number), and does not list it.")
        }
        return bought
    }

    // MARK: - Transactions

    /// Everything that was tried, the oldest first: failed and waiting transactions, and finished
    /// consumables, too. Empty when the session's store is gone, which a line on standard error says.
    public func allTransactions() -> [SKTestTransaction] {
        do throws(SKTestError) {
            return try world.transactions()
        } catch {
            Self.say(error)
            return []
        }
    }

    /// Deletes a transaction, and its renewals.
    ///
    /// - Throws: `SKTestError.noTransactionFound`.
    public func deleteTransaction(identifier: Int) throws {
        try world.delete(identifier)
    }

    /// Begins anew with a buyer who has no transactions, and who may have introductory offers.
    ///
    /// Subscriptions of the buyer before end with their account.
    public func clearTransactions() {
        do throws(SKTestError) {
            try world.replaceBuyer()
        } catch {
            Self.say(error)
        }
    }

    /// Refunds a purchase at once, for the reason `other`.
    ///
    /// - Throws: `SKTestError`: `noTransactionFound`, or `invalidAction` when it cannot be refunded.
    public func refundTransaction(identifier: Int) throws {
        try world.refund(identifier)
    }

    // MARK: - Waiting purchases

    /// Approves a purchase that waits for it.
    ///
    /// - Throws: `SKTestError`: `noTransactionFound`, or `invalidAction` when it does not wait.
    public func approveAskToBuyTransaction(identifier: Int) throws {
        try world.answerApproval(identifier, "approve")
    }

    /// Declines a purchase that waits for approval.
    ///
    /// - Throws: `SKTestError`: `noTransactionFound`, or `invalidAction` when it does not wait.
    public func declineAskToBuyTransaction(identifier: Int) throws {
        try world.answerApproval(identifier, "decline")
    }

    /// Resolves what interrupted the account's purchases, which are made then; or lets the payments of
    /// a subscription succeed again.
    ///
    /// - Throws: `SKTestError`: `noTransactionFound`, or `invalidAction` when it has no issue.
    public func resolveIssueForTransaction(identifier: Int) throws {
        let found = try world.transaction(identifier)
        guard found.hasPurchaseIssue else {
            throw SKTestError(
                .invalidAction, "The transaction \(identifier) has nothing to resolve.")
        }
        if found.state == .failed {
            try world.resolveInterruptions()
        } else {
            try world.changeSubscription(of: identifier, "recover")
        }
    }
}
