import StoreDatabase
import StoreModel

/// A code or a batch with how often it was redeemed.
struct CountedOfferCode: Sendable {
    let code: OfferCode
    let redemptionCount: Int64
}

private let codeColumns = """
    offer_code.number, offer_code.app_id, product_id, offer_id, word, redemptions_max, expires_ms,
    made_ms, deactivated_ms
    """

/// A code's redemptions have the ordinals from 1 up.
private let redemptionCount = """
    coalesce((SELECT max(ordinal) FROM offer_redemption WHERE code_number = offer_code.number), 0)
    """

extension ReadScope {
    /// A product's codes and batches, newest first.
    borrowing func offerCodes(
        of product: ProductID, in app: AppID
    ) throws -> [CountedOfferCode] {
        try rows(
            """
            SELECT \(codeColumns), \(redemptionCount) FROM offer_code
            WHERE app_id = ?1 AND product_id = ?2 ORDER BY number DESC
            """, [.integer(app.rawValue), .text(product.rawValue)]
        ).map { try CountedOfferCode($0) }
    }

    borrowing func offerCode(number: Int64) throws -> CountedOfferCode? {
        try row(
            "SELECT \(codeColumns), \(redemptionCount) FROM offer_code WHERE number = ?1",
            [.integer(number)]
        ).map { try CountedOfferCode($0) }
    }

    /// The custom code of a word, whatever became of it.
    borrowing func customCode(_ word: OfferCodeWord, in app: AppID) throws -> OfferCode? {
        try row(
            "SELECT \(codeColumns) FROM offer_code WHERE app_id = ?1 AND word = ?2",
            [.integer(app.rawValue), .text(word.text)]
        ).map { try OfferCode($0) }
    }

    /// The batch of a one-time code, whatever became of it.
    borrowing func batch(ofCodeDigest digest: [UInt8], in app: AppID) throws -> OfferCode? {
        try row(
            """
            SELECT \(codeColumns) FROM offer_code
            JOIN one_time_code ON code_number = offer_code.number
            WHERE digest = ?2 AND app_id = ?1
            """, [.integer(app.rawValue), .blob(digest)]
        ).map { try OfferCode($0) }
    }

    /// How many codes and batches an app keeps, and how many one-time codes are in them.
    borrowing func offerCodeCounts(of app: AppID) throws -> (codes: Int64, oneTime: Int64) {
        let row = try row(
            """
            SELECT count(*),
                coalesce(sum(CASE WHEN word IS NULL THEN redemptions_max ELSE 0 END), 0)
            FROM offer_code WHERE app_id = ?1
            """, [.integer(app.rawValue)])
        return (row?.integer(0) ?? 0, row?.integer(1) ?? 0)
    }
}

extension WriteScope {
    /// Keeps a new code; `digests` are those of a batch.
    borrowing func addOfferCode(_ code: OfferCode, digests: [[UInt8]]) throws {
        try execute(
            """
            INSERT INTO offer_code (number, app_id, product_id, offer_id, word, redemptions_max,
                expires_ms, made_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .integer(code.number), .integer(code.app.rawValue), .text(code.product.rawValue),
                .text(code.offerID), .text(code.word?.text), .integer(code.redemptionsMax),
                .integer(code.expiresAt?.milliseconds), .integer(code.madeAt.milliseconds),
            ])
        for digest in digests {
            try execute(
                "INSERT INTO one_time_code (digest, code_number) VALUES (?1, ?2)",
                [.blob(digest), .integer(code.number)])
        }
    }

    borrowing func deactivateOfferCode(_ number: Int64, at now: Timestamp) throws {
        try execute(
            """
            UPDATE offer_code SET deactivated_ms = ?2
            WHERE number = ?1 AND deactivated_ms IS NULL
            """, [.integer(number), .integer(now.milliseconds)])
    }
}

extension CountedOfferCode {
    /// From `codeColumns` and the count of redemptions.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(code: try OfferCode(row), redemptionCount: row.integer(9))
    }
}

extension OfferCode {
    /// From `codeColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        var kind = Kind.oneTime
        if let text = row.textOrNil(4) {
            guard let word = OfferCodeWord(text), word.text == text else {
                throw DatabaseError(code: .notADatabase, detail: "\"\(text)\" is no offer code")
            }
            kind = .custom(word)
        }
        self.init(
            number: row.integer(0), app: AppID(row.integer(1)), product: ProductID(row.text(2)),
            offerID: row.text(3), kind: kind, redemptionsMax: row.integer(5),
            expiresAt: row.integerOrNil(6).map { Timestamp(milliseconds: $0) },
            madeAt: Timestamp(milliseconds: row.integer(7)),
            deactivatedAt: row.integerOrNil(8).map { Timestamp(milliseconds: $0) })
    }
}
