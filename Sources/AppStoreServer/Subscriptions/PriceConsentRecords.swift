import StoreDatabase
import StoreModel

/// A question about a price with the names of whom and what it is about.
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
    /// What waits for an account's answer in an app, oldest first.
    borrowing func pendingPriceConsents(
        of account: AccountID, in app: AppID
    ) throws -> [PriceConsent] {
        try rows(
            """
            SELECT \(consentColumns) FROM price_consent
            WHERE account_id = ?1 AND app_id = ?2 AND answer IS NULL AND withdrawn_ms IS NULL
            ORDER BY number
            """, [.integer(account.rawValue), .integer(app.rawValue)]
        ).map { try PriceConsent($0, from: 0) }
    }

    /// A question, answered or not.
    borrowing func priceConsent(_ number: Int64) throws -> PriceConsent? {
        try row(
            "SELECT \(consentColumns) FROM price_consent WHERE number = ?1", [.integer(number)]
        ).map { try PriceConsent($0, from: 0) }
    }

    /// The same with its names.
    borrowing func namedPriceConsent(_ number: Int64) throws -> NamedPriceConsent? {
        try row("\(namedConsents) WHERE price_consent.number = ?1", [.integer(number)])
            .map { try NamedPriceConsent($0) }
    }

    /// All of them after a number, answered ones too, oldest first.
    borrowing func priceConsents(
        after number: Int64, countMax: Int
    ) throws -> [NamedPriceConsent] {
        try rows(
            """
            \(namedConsents) WHERE price_consent.number > ?1
            ORDER BY price_consent.number LIMIT ?2
            """, [.integer(number), .integer(Int64(countMax))]
        ).map { try NamedPriceConsent($0) }
    }
}

extension WriteScope {
    /// Notes a question that nobody has answered yet.
    borrowing func addPriceConsent(
        of account: AccountID, in app: AppID, to product: ProductID, old: Money, new: Money,
        at now: Timestamp
    ) throws -> PriceConsent {
        let consent = PriceConsent(
            number: try next("price_consent"), account: account, app: app, product: product,
            oldPrice: old, newPrice: new, askedAt: now, state: .pending)
        try execute(
            """
            INSERT INTO price_consent (number, account_id, app_id, product_id, old_milliunits,
                new_milliunits, currency, asked_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .integer(consent.number), .integer(account.rawValue), .integer(app.rawValue),
                .text(product.rawValue), .integer(old.milliunits), .integer(new.milliunits),
                .text(new.currency.code), .integer(now.milliseconds),
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
            """,
            [.integer(consent.number), .text(answer.rawValue), .integer(now.milliseconds)])
    }

    borrowing func withdraw(_ consent: PriceConsent, at now: Timestamp) throws {
        try execute(
            "UPDATE price_consent SET withdrawn_ms = ?2 WHERE number = ?1 AND answer IS NULL",
            [.integer(consent.number), .integer(now.milliseconds)])
    }
}

extension NamedPriceConsent {
    /// From the columns of `namedConsents`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            consent: try PriceConsent(row, from: 5), account: try Account(row),
            bundleID: row.text(4))
    }
}

extension PriceConsent {
    /// From `consentColumns`, of which the first is a number of columns into the row.
    fileprivate init(_ row: Row, from first: Int) throws(DatabaseError) {
        guard let currency = Currency(code: row.text(first + 6)) else {
            throw DatabaseError(
                code: .notADatabase, detail: "\"\(row.text(first + 6))\" is no currency")
        }
        self.init(
            number: row.integer(first), account: AccountID(row.integer(first + 1)),
            app: AppID(row.integer(first + 2)), product: ProductID(row.text(first + 3)),
            oldPrice: Money(milliunits: row.integer(first + 4), currency: currency),
            newPrice: Money(milliunits: row.integer(first + 5), currency: currency),
            askedAt: Timestamp(milliseconds: row.integer(first + 7)),
            state: try State(row, from: first + 8))
    }
}

extension PriceConsent.State {
    /// From three columns: answer and answered_ms, both null or both not, and withdrawn_ms.
    fileprivate init(_ row: Row, from first: Int) throws(DatabaseError) {
        guard let text = row.textOrNil(first), let time = row.integerOrNil(first + 1) else {
            let withdrawn = row.integerOrNil(first + 2).map { Timestamp(milliseconds: $0) }
            self = withdrawn.map { .withdrawn(at: $0) } ?? .pending
            return
        }
        guard let answer = PriceConsent.Answer(rawValue: text) else {
            throw DatabaseError(
                code: .notADatabase, detail: "\"\(text)\" is no answer about a price")
        }
        self = .answered(answer, at: Timestamp(milliseconds: time))
    }
}
