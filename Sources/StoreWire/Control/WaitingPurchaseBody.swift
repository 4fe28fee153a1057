package import StoreModel

/// `POST /control/v1/accounts/settings`: absent settings stay unchanged.
package struct AccountSettingsBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let name: String
    package let needsApproval: Bool?
    package let interruptsPurchases: Bool?
    package let failsRenewals: Bool?

    package init(
        environment: StoreEnvironment? = nil, name: String, needsApproval: Bool? = nil,
        interruptsPurchases: Bool? = nil, failsRenewals: Bool? = nil
    ) {
        self.environment = environment
        self.name = name
        self.needsApproval = needsApproval
        self.interruptsPurchases = interruptsPurchases
        self.failsRenewals = failsRenewals
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}

/// `POST /control/v1/accounts/resolve`: the outcome of interrupted purchases, oldest first; empty
/// if none were waiting.
package struct ResolvedPurchasesBody: Codable, Hashable, Sendable {
    package let purchases: [ResolvedPurchaseBody]

    package init(purchases: [ResolvedPurchaseBody]) {
        self.purchases = purchases
    }
}

package struct ResolvedPurchaseBody: Codable, Hashable, Sendable {
    package let attemptId: String
    package let bundleId: String
    package let productId: String
    package let quantity: Int
    /// Present when it was bought.
    package let transactionId: String?
    /// Present when the store no longer sells the product.
    package let refusal: RefusalBody?

    package init(
        attemptId: String, bundleId: String, productId: String, quantity: Int,
        transactionId: String?, refusal: RefusalBody?
    ) {
        self.attemptId = attemptId
        self.bundleId = bundleId
        self.productId = productId
        self.quantity = quantity
        self.transactionId = transactionId
        self.refusal = refusal
    }
}

/// `GET /control/v1/approvals`: purchases that wait for approval, oldest first.
package struct ApprovalsBody: Codable, Hashable, Sendable {
    package let approvals: [ApprovalBody]
    /// Where the next page continues; absent on the last.
    package let next: Int64?

    package init(approvals: [ApprovalBody], next: Int64?) {
        self.approvals = approvals
        self.next = next
    }
}

/// A purchase that needs approval.
package struct ApprovalBody: Codable, Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        case pending
        case approved
        case declined
        /// Approved, but not sold by the rules of that moment.
        case refused
    }

    package let number: Int64
    /// The device's own identifier of the purchase.
    package let attemptId: String
    package let state: State
    package let environment: StoreEnvironment
    package let account: String
    package let bundleId: String
    package let productId: String
    package let quantity: Int
    /// Milliseconds since 1970, by the world's clock.
    package let askedAt: Timestamp
    /// The total price now, in thousandths; absent once answered or when not for sale.
    package let priceMilliunits: Int64?
    package let currency: String?
    /// The price on the sheet; absent when it showed none.
    package let shownPriceMilliunits: Int64?
    package let shownCurrency: String?
    /// Present when it was bought.
    package let transactionId: String?
    /// Present when it was declined or refused.
    package let refusal: RefusalBody?

    package init(
        number: Int64, attemptId: String, state: State, environment: StoreEnvironment,
        account: String,
        bundleId: String, productId: String, quantity: Int, askedAt: Timestamp, price: Money?,
        shownPrice: Money?, transactionId: String?, refusal: RefusalBody?
    ) {
        self.number = number
        self.attemptId = attemptId
        self.state = state
        self.environment = environment
        self.account = account
        self.bundleId = bundleId
        self.productId = productId
        self.quantity = quantity
        self.askedAt = askedAt
        priceMilliunits = price?.milliunits
        currency = price?.currency.code
        shownPriceMilliunits = shownPrice?.milliunits
        shownCurrency = shownPrice?.currency.code
        self.transactionId = transactionId
        self.refusal = refusal
    }
}
