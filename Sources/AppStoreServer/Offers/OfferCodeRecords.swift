import StoreDatabase
import StoreModel

/// A code or a batch, with its number of redemptions.
struct CountedOfferCode: Sendable {
    let code: OfferCode
    let redemptionCount: Int64
}

private let codeColumns = """
    offer_code.number, offer_code.app_id, product_id, offer_id, word, redemptions_max, expires_ms,
    made_ms, deactivated_ms
    """

/// A code's redemptions are numbered from 1.
private let redemptionCount = """
    coalesce((SELECT max(ordinal) FROM offer_redemption WHERE code_number = offer_code.number), 0)
        AS redemptions
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
            """, [app, product]
        ).map { try CountedOfferCode($0) }
    }

    borrowing func offerCode(number: Int64) throws -> CountedOfferCode? {
        try row(
            "SELECT \(codeColumns), \(redemptionCount) FROM offer_code WHERE number = ?1", [number]
        ).map { try CountedOfferCode($0) }
    }

    /// The custom code with a word, whatever its state.
    borrowing func customCode(_ word: OfferCodeWord, in app: AppID) throws -> OfferCode? {
        try row(
            "SELECT \(codeColumns) FROM offer_code WHERE app_id = ?1 AND word = ?2",
            [app, word.text]
        ).map { try OfferCode($0) }
    }

    /// The batch of a one-time code, whatever its state.
    borrowing func batch(ofCodeDigest digest: [UInt8], in app: AppID) throws -> OfferCode? {
        try row(
            """
            SELECT \(codeColumns) FROM offer_code
            JOIN one_time_code ON code_number = offer_code.number
            WHERE digest = ?2 AND app_id = ?1
            """, [app, digest]
        ).map { try OfferCode($0) }
    }

    /// How many codes and batches an app keeps, and how many one-time codes are in them.
    borrowing func offerCodeCounts(of app: AppID) throws -> (codes: Int64, oneTime: Int64) {
        let row = try row(
            """
            SELECT count(*) AS codes,
                coalesce(sum(redemptions_max) FILTER (WHERE word IS NULL), 0) AS one_time
            FROM offer_code WHERE app_id = ?1
            """, [app])
        return (try row?["codes"] ?? 0, try row?["one_time"] ?? 0)
    }
}

extension WriteScope {
    /// Stores a new code; `digests` are those of a batch.
    borrowing func addOfferCode(_ code: OfferCode, digests: [[UInt8]]) throws {
        try insert(
            into: "offer_code",
            [
                "number": code.number, "app_id": code.app, "product_id": code.product,
                "offer_id": code.offerID, "word": code.word?.text,
                "redemptions_max": code.redemptionsMax, "expires_ms": code.expiresAt,
                "made_ms": code.madeAt,
            ])
        for digest in digests {
            try insert(
                into: "one_time_code",
                [
                    "digest": digest, "code_number": code.number,
                ])
        }
    }

    borrowing func deactivateOfferCode(_ number: Int64, at now: Timestamp) throws {
        try execute(
            """
            UPDATE offer_code SET deactivated_ms = ?2
            WHERE number = ?1 AND deactivated_ms IS NULL
            """, [number, now])
    }
}

extension CountedOfferCode {
    /// From `codeColumns` and the count of redemptions.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(code: try OfferCode(row), redemptionCount: try row["redemptions"])
    }
}

extension OfferCode {
    /// From `codeColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        var kind = Kind.oneTime
        if let text: String = try row["word"] {
            guard let word = OfferCodeWord(text), word.text == text else {
                throw DatabaseError(code: .notADatabase, detail: "\"\(text)\" is not an offer code")
            }
            kind = .custom(word)
        }
        self.init(
            number: try row["number"], app: try row["app_id"], product: try row["product_id"],
            offerID: try row["offer_id"], kind: kind, redemptionsMax: try row["redemptions_max"],
            expiresAt: try row["expires_ms"],
            madeAt: try row["made_ms"],
            deactivatedAt: try row["deactivated_ms"])
    }
}
