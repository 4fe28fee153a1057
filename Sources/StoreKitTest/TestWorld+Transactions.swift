import BodegaTesting
import Foundation
import StoreKit
import StoreModel
import StoreWire

extension TestWorld {
    // MARK: - Buying

    /// Buys on the device that the store keeps for the account; the number of the transaction.
    func buy(_ product: String, _ order: TestOrder) async throws(SKTestError) -> UInt64 {
        try Self.bought(
            product,
            try await askLater(
                AttemptAnswerBody.self, "POST", "/purchases", purchase(of: product, order),
                Self.unknownProduct))
    }

    /// The same on the caller's thread.
    func buyNow(_ product: String) throws(SKTestError) -> UInt64 {
        try Self.bought(
            product,
            try ask(
                AttemptAnswerBody.self, "POST", "/purchases", purchase(of: product, nil),
                Self.unknownProduct))
    }

    private static let unknownProduct = [
        "productUnknown": SKTestError.Code.invalidProductIdentifier
    ]

    private func purchase(of product: String, _ order: TestOrder?) -> MakePurchaseBody {
        MakePurchaseBody(
            attemptId: UUID().uuidString, account: account, bundleId: bundleID,
            productId: product, quantity: order?.quantity,
            applicationUsername: order?.applicationUsername, offer: order?.offer,
            test: order?.test)
    }

    private static func bought(
        _ product: String, _ answer: AttemptAnswerBody
    ) throws(SKTestError) -> UInt64 {
        if let id = answer.transaction.flatMap({ UInt64($0.transactionId) }) { return id }
        guard let refusal = answer.refusal else {
            throw SKTestError(
                .invalidAction, "\(product) was not sold yet: the purchase is \(answer.state).")
        }
        throw SKTestError(
            refusal.code == .productUnknown ? .invalidProductIdentifier : .invalidAction,
            refusal.message)
    }

    // MARK: - Reading

    /// Everything of the buyer, the oldest first.
    func transactions() throws(SKTestError) -> [SKTestTransaction] {
        let subscriptions = try subscriptions()
        let sold = try sales().map { sale in
            transaction(
                sale,
                subscriptions.first { $0.originalTransactionId == sale.sold.originalTransactionId })
        }
        let waiting = try approvals().filter { $0.state == .pending }.map { approval in
            SKTestTransaction(
                identifier: Self.number(ofAttempt: approval.attemptId), product: approval.productId,
                state: .deferred,
                date: Date(milliseconds: approval.askedAt), asksToBuy: true)
        }
        return (sold + waiting + (try failures())).sorted {
            ($0.purchaseDate, $0.identifier) < ($1.purchaseDate, $1.identifier)
        }
    }

    func transaction(_ identifier: Int) throws(SKTestError) -> SKTestTransaction {
        guard let found = try transactions().first(where: { $0.identifier == identifier }) else {
            throw Self.unknown(identifier)
        }
        return found
    }

    private func transaction(_ sale: SaleBody, _ subscription: SubscriptionBody?)
        -> SKTestTransaction
    {
        let sold = sale.sold
        let isNewest = subscription?.transactionId == sold.transactionId
        return SKTestTransaction(
            identifier: Int(sold.transactionId) ?? 0, original: Int(sold.originalTransactionId),
            product: sold.productId, state: .purchased,
            date: Date(milliseconds: Timestamp(milliseconds: sold.purchasedAt)),
            cancelDate: sold.revokedAt.map { Date(milliseconds: Timestamp(milliseconds: $0)) },
            expirationDate: sale.expiresAt.map { Date(milliseconds: $0) },
            renews: isNewest && subscription?.autoRenews == true,
            hasIssue: isNewest && subscription?.nextPaymentDate != nil,
            asksForConsent: isNewest && subscription?.priceIncrease?.consent == .pending)
    }

    /// What was tried in vain. Like those that wait, they have numbers made of their attempts'
    /// identifiers, so that an answer does not change a number.
    private func failures() throws(SKTestError) -> [SKTestTransaction] {
        try attempts().compactMap { attempt in
            // What was refused at once was no purchase.
            guard let product = attempt.productId,
                [.refused, .interrupted].contains(attempt.state)
            else { return nil }
            return SKTestTransaction(
                identifier: Self.number(ofAttempt: attempt.attemptId), product: product,
                state: .failed, date: Date(milliseconds: attempt.triedAt),
                hasIssue: attempt.state == .interrupted)
        }
    }

    /// The first 48 bits: far below the numbers of transactions.
    static func number(ofAttempt id: String) -> Int {
        Int(id.filter { $0 != "-" }.prefix(12), radix: 16) ?? 0
    }

    private func sales() throws(SKTestError) -> [SaleBody] {
        var sales: [SaleBody] = []
        var after: String?
        repeat {
            let place = after.map { "&after=\(ControlDoor.escaped($0))" } ?? ""
            let page = try ask(
                SalesBody.self, "GET",
                "/transactions?environment=sandbox&order=oldest&limit=100"
                    + "&account=\(ControlDoor.escaped(account))\(place)")
            sales += page.transactions
            after = page.next
        } while after != nil
        return sales
    }

    private func attempts() throws(SKTestError) -> [DeviceAttemptBody] {
        let account = account
        var attempts: [DeviceAttemptBody] = []
        for device in try devices() {
            var after: String?
            repeat {
                let place = after.map { "?after=\(ControlDoor.escaped($0))" } ?? ""
                let page = try ask(
                    DeviceDetailsBody.self, "GET", "/devices/\(device.deviceId)\(place)")
                attempts += page.attempts
                after = page.next
            } while after != nil
        }
        return attempts.filter { $0.account == account }
    }

    /// This device, and the one on which the store buys for the buyer.
    private func devices() throws(SKTestError) -> [DeviceBody] {
        var devices: [DeviceBody] = []
        var after: Int64?
        repeat {
            let page = try ask(
                DevicesBody.self, "GET",
                "/devices?environment=sandbox&account=\(ControlDoor.escaped(account))"
                    + (after.map { "&after=\($0)" } ?? ""))
            devices += page.devices
            after = page.next
        } while after != nil
        return devices
    }

    private func approvals() throws(SKTestError) -> [ApprovalBody] {
        var approvals: [ApprovalBody] = []
        var after: Int64?
        repeat {
            let page = try ask(
                ApprovalsBody.self, "GET", "/approvals" + (after.map { "?after=\($0)" } ?? ""))
            approvals += page.approvals
            after = page.next
        } while after != nil
        let account = account
        return approvals.filter { $0.account == account }
    }

    // MARK: - Changing

    /// Refunds a purchase of the buyer.
    func refund(_ identifier: Int) throws(SKTestError) {
        let sale = try details(identifier).transaction
        guard sale.sold.revokedAt == nil else {
            throw SKTestError(.invalidAction, "The transaction \(identifier) was refunded before.")
        }
        try send(
            "POST", "/transactions/\(sale.sold.transactionId)/revoke", RevokeBody(reason: .other))
    }

    /// Deletes a transaction of the buyer, with what came of it.
    func delete(_ identifier: Int) throws(SKTestError) {
        let sold = try details(identifier).transaction.sold
        try send(
            "DELETE", "/transactions/\(sold.transactionId)", nil,
            ["transactionUnknown": .noTransactionFound])
    }

    private func details(_ identifier: Int) throws(SKTestError) -> SaleDetailsBody {
        guard identifier > 0 else { throw Self.unknown(identifier) }
        let details = try ask(
            SaleDetailsBody.self, "GET", "/transactions/\(identifier)", nil,
            ["transactionUnknown": .noTransactionFound])
        guard details.transaction.account == account else { throw Self.unknown(identifier) }
        return details
    }

    static func unknown(_ identifier: Int) -> SKTestError {
        SKTestError(
            .noTransactionFound,
            "There is no transaction \(identifier); allTransactions() has those that there are.")
    }

    /// Approves or declines a purchase that waits.
    func answerApproval(_ identifier: Int, _ answer: String) throws(SKTestError) {
        let waiting = try approvals().first { approval in
            approval.state == .pending && Self.number(ofAttempt: approval.attemptId) == identifier
        }
        guard let waiting else {
            // It was answered, or never waited.
            let isAnswered = try attempts().contains {
                Self.number(ofAttempt: $0.attemptId) == identifier
            }
            if !isAnswered { _ = try details(identifier) }
            throw SKTestError(
                .invalidAction, "The transaction \(identifier) does not wait for approval.")
        }
        try send("POST", "/approvals/\(waiting.number)/\(answer)")
    }

    func resolveInterruptions() throws(SKTestError) {
        try send("POST", "/accounts/resolve", NamedAccountBody(name: account))
    }

    // MARK: - Subscriptions

    private func subscriptions() throws(SKTestError) -> [SubscriptionBody] {
        var subscriptions: [SubscriptionBody] = []
        var after: Int64?
        repeat {
            let page = try ask(
                SubscriptionsBody.self, "GET",
                "/subscriptions" + (after.map { "?after=\($0)" } ?? ""))
            subscriptions += page.subscriptions
            after = page.next
        } while after != nil
        let account = account
        return subscriptions.filter { $0.account == account && $0.bundleId == bundleID }
    }

    /// Changes the buyer's subscription to a product.
    func change(subscriptionTo product: String, _ action: String) throws(SKTestError) {
        let found = try subscriptions().filter { $0.productId == product }
        guard let subscription = found.last else { throw try noSubscription(to: product) }
        try act(on: subscription.originalTransactionId, action)
    }

    private func noSubscription(to product: String) throws(SKTestError) -> SKTestError {
        let known = try ask(CatalogueProductsBody.self, "GET", "\(app)/products").products
        guard let known = known.first(where: { $0.productId == product }) else {
            return SKTestError(
                .invalidProductIdentifier,
                "\(file.url.lastPathComponent) has no product \(product).")
        }
        guard known.kind == .autoRenewable else {
            return SKTestError(
                .invalidProductType, "\(product) is no auto-renewable subscription.")
        }
        return SKTestError(.noSubscriptionFound, "The buyer has no subscription to \(product).")
    }

    /// Changes the subscription that a transaction is of.
    func changeSubscription(of identifier: Int, _ action: String) throws(SKTestError) {
        try act(on: try subscription(of: identifier).originalTransactionId, action)
    }

    private func subscription(of identifier: Int) throws(SKTestError) -> SubscriptionBody {
        let original = try details(identifier).transaction.sold.originalTransactionId
        guard let found = try subscriptions().first(where: { $0.originalTransactionId == original })
        else {
            throw SKTestError(
                .noSubscriptionFound,
                "The transaction \(identifier) is of no auto-renewable subscription.")
        }
        return found
    }

    private func act(
        on original: String, _ action: String, _ body: (any Encodable & Sendable)? = nil
    ) throws(SKTestError) {
        try send(
            "POST", "/subscriptions/\(original)/\(action)", body,
            ["subscriptionUnknown": .noSubscriptionFound])
    }

    // MARK: - Prices

    func raisePrice(of identifier: Int) throws(SKTestError) {
        let subscription = try subscription(of: identifier)
        guard subscription.priceIncrease?.consent != .pending else {
            throw SKTestError(.invalidAction, "The customer is asked about a higher price already.")
        }
        // A thousandth would not be a price in every currency; a whole unit is.
        let price = subscription.priceMilliunits + 1_000
        try act(
            on: subscription.originalTransactionId, "price-increase",
            IncreaseSubscriptionPriceBody(
                price: "\(price / 1_000).\(String(format: "%03d", price % 1_000))",
                needsConsent: true))
    }

    /// Answers the price question of a transaction's subscription for the customer.
    func answerPrice(of identifier: Int, _ answer: String) throws(SKTestError) {
        let subscription = try subscription(of: identifier)
        let (account, bundleID) = (account, bundleID)
        var after: Int64?
        repeat {
            let page = try ask(
                PriceConsentsBody.self, "GET",
                "/price-consents" + (after.map { "?after=\($0)" } ?? ""))
            let asked = page.priceConsents.last { consent in
                consent.state == .pending && consent.account == account
                    && consent.bundleId == bundleID
                    && consent.productId == subscription.productId
            }
            if let asked {
                return try send("POST", "/price-consents/\(asked.number)/\(answer)")
            }
            after = page.next
        } while after != nil
        throw SKTestError(.invalidAction, "The customer is not asked about a higher price.")
    }
}

extension Date {
    fileprivate init(milliseconds time: Timestamp) {
        self.init(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
    }
}
