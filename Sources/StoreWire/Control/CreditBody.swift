package import StoreModel

/// `GET /control/v1/accounts/credit?account=…`: what an account can spend, and how that came
/// about, newest first.
package struct CreditBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let account: String
    /// One for each currency that it ever had, by their codes.
    package let balances: [BalanceBody]
    package let entries: [CreditEntryBody]
    /// Where the next page continues; absent on the last.
    package let next: Int64?

    package init(
        environment: StoreEnvironment, account: String, balances: [BalanceBody],
        entries: [CreditEntryBody], next: Int64?
    ) {
        self.environment = environment
        self.account = account
        self.balances = balances
        self.entries = entries
        self.next = next
    }
}

/// An amount in thousandths.
package struct BalanceBody: Codable, Hashable, Sendable {
    package let currency: String
    package let milliunits: Int64

    package init(_ money: Money) {
        currency = money.currency.code
        milliunits = money.milliunits
    }
}

/// What changed an account's credit.
package struct CreditEntryBody: Codable, Hashable, Sendable {
    package let number: Int64
    package let kind: LedgerEntryKind
    /// Milliseconds since 1970, by the world's clock.
    package let at: Timestamp
    /// In thousandths; below 0 for what was taken.
    package let amountMilliunits: Int64
    package let currency: String
    /// What the account had in this currency after it.
    package let balanceMilliunits: Int64
    /// What it came of, such as `giftCode/3`; no two entries have the same.
    package let reference: String
    /// Present for charges and refunds.
    package let transactionId: String?
    /// Present for corrections.
    package let reason: String?

    package init(
        number: Int64, kind: LedgerEntryKind, at: Timestamp, amount: Money, balance: Money,
        reference: String, transactionId: String?, reason: String?
    ) {
        self.number = number
        self.kind = kind
        self.at = at
        amountMilliunits = amount.milliunits
        currency = amount.currency.code
        balanceMilliunits = balance.milliunits
        self.reference = reference
        self.transactionId = transactionId
        self.reason = reason
    }
}

/// `POST /control/v1/accounts/credit/top-up`
package struct TopUpBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let name: String
    /// A UUID of the sender's: however often it is asked with the same, it is done once.
    package let requestId: String
    /// Such as `10` or `4.99`, above 0.
    package let amount: String
    /// That of the account's storefront; when absent, it is taken to be that.
    package let currency: Currency?

    package init(
        environment: StoreEnvironment? = nil, name: String, requestId: String, amount: String,
        currency: Currency? = nil
    ) {
        self.environment = environment
        self.name = name
        self.requestId = requestId
        self.amount = amount
        self.currency = currency
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}

/// `POST /control/v1/accounts/credit/correct`
package struct CorrectCreditBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let name: String
    /// As for a top-up.
    package let requestId: String
    /// Such as `-4.99` to take so much, down to nothing; without a hyphen to give.
    package let amount: String
    /// That of the account's storefront when absent; what is there in another can be taken.
    package let currency: Currency?
    package let reason: String

    package init(
        environment: StoreEnvironment? = nil, name: String, requestId: String, amount: String,
        currency: Currency? = nil, reason: String
    ) {
        self.environment = environment
        self.name = name
        self.requestId = requestId
        self.amount = amount
        self.currency = currency
        self.reason = reason
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}

/// `POST /control/v1/accounts/credit/redeem`
package struct RedeemGiftCodeBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let name: String
    /// As it was made; hyphens, blanks and the case of its letters do not matter.
    package let code: String

    package init(environment: StoreEnvironment? = nil, name: String, code: String) {
        self.environment = environment
        self.name = name
        self.code = code
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}
