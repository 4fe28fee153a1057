package import StoreModel

/// `POST /control/v1/gift-codes`
package struct MakeGiftCodeBody: Codable, Hashable, Sendable {
    /// The environment whose accounts may redeem it; `sandbox` when absent.
    package let environment: StoreEnvironment?
    /// Such as `25` or `4.99`, above 0.
    package let amount: String
    package let currency: Currency
    /// By the world's clock; never expires when absent.
    package let expiresAt: Timestamp?

    package init(
        environment: StoreEnvironment? = nil, amount: String, currency: Currency,
        expiresAt: Timestamp? = nil
    ) {
        self.environment = environment
        self.amount = amount
        self.currency = currency
        self.expiresAt = expiresAt
    }
}

/// A gift code in a list, without the code itself. All times are by the world's clock.
package struct GiftCodeBody: Codable, Hashable, Sendable {
    package let number: Int64
    package let state: GiftCodeState
    package let environment: StoreEnvironment
    package let amountMilliunits: Int64
    package let currency: String
    package let madeAt: Timestamp
    /// Absent for one that never expires.
    package let expiresAt: Timestamp?
    package let voidedAt: Timestamp?
    package let redeemedAt: Timestamp?
    /// The account's name.
    package let redeemedBy: String?

    package init(
        number: Int64, state: GiftCodeState, environment: StoreEnvironment, amount: Money,
        madeAt: Timestamp, expiresAt: Timestamp?, voidedAt: Timestamp?, redeemedAt: Timestamp?,
        redeemedBy: String?
    ) {
        self.number = number
        self.state = state
        self.environment = environment
        amountMilliunits = amount.milliunits
        currency = amount.currency.code
        self.madeAt = madeAt
        self.expiresAt = expiresAt
        self.voidedAt = voidedAt
        self.redeemedAt = redeemedAt
        self.redeemedBy = redeemedBy
    }
}

/// `GET /control/v1/gift-codes`: all of them, including used ones, oldest first.
package struct GiftCodesBody: Codable, Hashable, Sendable {
    package let giftCodes: [GiftCodeBody]
    /// Where the next page continues; absent on the last.
    package let next: Int64?

    package init(giftCodes: [GiftCodeBody], next: Int64?) {
        self.giftCodes = giftCodes
        self.next = next
    }
}

/// The answer to a new gift code; only this answer shows the code.
package struct MadeGiftCodeBody: Codable, Hashable, Sendable {
    package let number: Int64
    /// 20 letters and digits in groups of four.
    package let code: String
    package let environment: StoreEnvironment
    package let amountMilliunits: Int64
    package let currency: String
    package let madeAt: Timestamp
    package let expiresAt: Timestamp?

    package init(
        number: Int64, code: String, environment: StoreEnvironment, amount: Money,
        madeAt: Timestamp, expiresAt: Timestamp?
    ) {
        self.number = number
        self.code = code
        self.environment = environment
        amountMilliunits = amount.milliunits
        currency = amount.currency.code
        self.madeAt = madeAt
        self.expiresAt = expiresAt
    }
}
