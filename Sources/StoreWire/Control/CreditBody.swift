package import StoreModel

/// `GET /control/v1/accounts/credit?account=…`: an account's balances and the entries behind them,
/// newest first.
package struct CreditBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let account: String
    /// One for each currency that the account has ever had, by their codes.
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

/// An entry that changed an account's credit.
package struct CreditEntryBody: Codable, Hashable, Sendable {
    package let number: Int64
    package let kind: LedgerEntryKind
    /// Milliseconds since 1970, by the world's clock.
    package let at: Timestamp
    /// In thousandths; negative for a debit.
    package let amountMilliunits: Int64
    package let currency: String
    /// The balance in this currency after the entry.
    package let balanceMilliunits: Int64
    /// The origin of the entry, such as `giftCode/3`; unique.
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
    /// A UUID made by the sender: a request repeated with the same one is done once.
    package let requestId: String
    /// Such as `10` or `4.99`, above 0.
    package let amount: String
    /// The currency of the account's storefront; may be absent.
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
    /// Such as `-4.99` to take that much, at most the balance; without a hyphen to give.
    package let amount: String
    /// By default the currency of the account's storefront; a balance in another currency can be
    /// taken.
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
    /// As issued; hyphens, blanks and the case of its letters are ignored.
    package let code: String

    package init(environment: StoreEnvironment? = nil, name: String, code: String) {
        self.environment = environment
        self.name = name
        self.code = code
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}
