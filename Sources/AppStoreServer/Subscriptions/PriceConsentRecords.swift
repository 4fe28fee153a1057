import StoreDatabase
import StoreModel

/// A price question with the names of its account and app.
struct NamedPriceConsent: Sendable {
    let consent: PriceConsent
    let account: Account
    let bundleID: String
}

private let consentColumns = """
    price_consent.number, price_consent.account_id, price_consent.app_id, product_id,
    old_milliunits, new_milliunits, currency, asked_ms, answer, answered_ms,
    withdrawn_ms
    """

private let namedConsents = """
    SELECT account.id, account.environment, account.name, account.storefront, app.bundle_id,
        \(consentColumns)
    FROM price_consent
    JOIN account ON account.id = price_consent.account_id
    JOIN app ON app.id = price_consent.app_id
    """

extension ReadScope {
    /// The unanswered questions to an account in an app, oldest first.
    borrowing func pendingPriceConsents(
        of account: AccountID, in app: AppID
    ) throws -> [PriceConsent] {
        try rows(
            """
            SELECT \(consentColumns) FROM price_consent
            WHERE account_id = ?1 AND app_id = ?2 AND answer IS NULL AND withdrawn_ms IS NULL
            ORDER BY number
            """, [account, app]
        ).map { try PriceConsent($0) }
    }

    /// A question, answered or not; nil when there is none with that number.
    borrowing func priceConsent(_ number: Int64) throws -> PriceConsent? {
        try row(
            "SELECT \(consentColumns) FROM price_consent WHERE number = ?1", [number]
        ).map { try PriceConsent($0) }
    }

    /// The same with its names.
    borrowing func namedPriceConsent(_ number: Int64) throws -> NamedPriceConsent? {
        try row("\(namedConsents) WHERE price_consent.number = ?1", [number])
            .map { try NamedPriceConsent($0) }
    }

    /// All questions after a number, answered ones included, oldest first.
    borrowing func priceConsents(
        after number: Int64, countMax: Int
    ) throws -> [NamedPriceConsent] {
        try rows(
            """
            \(namedConsents) WHERE price_consent.number > ?1
            ORDER BY price_consent.number LIMIT ?2
            """, [number, countMax]
        ).map { try NamedPriceConsent($0) }
    }
}

extension WriteScope {
    /// Stores a question that waits for an answer.
    borrowing func addPriceConsent(
        of account: AccountID, in app: AppID, to product: ProductID, old: Money, new: Money,
        at now: Timestamp
    ) throws -> PriceConsent {
        let consent = PriceConsent(
            number: try next("price_consent"), account: account, app: app, product: product,
            oldPrice: old, newPrice: new, askedAt: now, state: .pending)
        try insert(
            into: "price_consent",
            [
                "number": consent.number, "account_id": account, "app_id": app,
                "product_id": product, "old_milliunits": old.milliunits,
                "new_milliunits": new.milliunits, "currency": new.currency.code, "asked_ms": now,
            ])
        return consent
    }

    borrowing func answer(
        _ consent: PriceConsent, _ answer: PriceConsent.Answer, at now: Timestamp
    ) throws {
        try execute(
            """
            UPDATE price_consent SET answer = ?2, answered_ms = ?3
            WHERE number = ?1 AND answer IS NULL AND withdrawn_ms IS NULL
            """, [consent.number, answer, now])
    }

    /// Withdraws an unanswered question.
    borrowing func withdrawPriceConsent(_ number: Int64, at now: Timestamp) throws {
        try execute(
            """
            UPDATE price_consent SET withdrawn_ms = ?2
            WHERE number = ?1 AND answer IS NULL AND withdrawn_ms IS NULL
            """, [number, now])
    }
}

extension NamedPriceConsent {
    /// From the columns of `namedConsents`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            consent: try PriceConsent(row), account: try Account(row),
            bundleID: try row["bundle_id"])
    }
}

extension PriceConsent {
    /// From `consentColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            number: try row["number"], account: try row["account_id"], app: try row["app_id"],
            product: try row["product_id"],
            oldPrice: try row.money("old_milliunits", "currency"),
            newPrice: try row.money("new_milliunits", "currency"),
            askedAt: try row["asked_ms"], state: try State(row))
    }
}

extension PriceConsent.State {
    fileprivate init(_ row: Row) throws(DatabaseError) {
        if let answer: PriceConsent.Answer = try row["answer"] {
            self = .answered(answer, at: try row["answered_ms"])
        } else if let withdrawn: Timestamp = try row["withdrawn_ms"] {
            self = .withdrawn(at: withdrawn)
        } else {
            self = .pending
        }
    }
}
