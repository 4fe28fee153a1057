import StoreDatabase
import StoreModel

/// A signature that was given out.
struct OfferSignatureRow: Hashable, Sendable {
    let nonce: String
    let user: BackendUserID
    let request: OfferRequest
    let keyID: String
    /// By our clock: signatures are dated by the real one.
    let signedAt: Timestamp
    /// DER.
    let signature: [UInt8]
}

/// What became of asking for a signature.
enum OfferAnswer: Hashable, Sendable {
    /// The new one, or one from before that is good still.
    case given(OfferSignatureRow)
    case refused(OfferDenial)
}

enum OfferQueries {
    /// How long what was never used is remembered: a receipt may come late.
    private static let memoryMilliseconds: Int64 = 60 * 86_400_000

    /// What can be answered without writing; nil when a new signature may be given.
    static func known(
        _ scope: borrowing ReadScope, _ wanted: OfferRequest, of user: BackendUserID,
        keyID: String, now: Timestamp, _ products: ProductList
    ) throws -> OfferAnswer? {
        let oldest = now.adding(milliseconds: 1 - OfferSigning.lifetimeMilliseconds)
        let asked = Asked(user: user, request: wanted, keyID: keyID, now: now, oldest: oldest)
        let standing = try standing(scope, asked, products)
        if let open = try open(scope, asked), !standing.isRunning,
            OfferRules.offer(wanted, in: products) != nil
        {
            return .given(open)
        }
        return OfferRules.refusal(wanted, in: products, standing).map(OfferAnswer.refused)
    }

    /// Gives a signature, or the one that the user has already, when the rules allow it.
    static func give(
        _ scope: borrowing WriteScope, _ new: OfferSignatureRow, _ products: ProductList
    ) throws -> OfferAnswer {
        let now = new.signedAt
        let before = try scope.reading {
            try known($0, new.request, of: new.user, keyID: new.keyID, now: now, products)
        }
        if let before { return before }
        try scope.execute(
            """
            DELETE FROM offer_signatures WHERE user_id = ? AND used_transaction IS NULL
                AND signed_at < ?
            """,
            [
                .text(new.user.rawValue),
                .integer(now.adding(milliseconds: -memoryMilliseconds).milliseconds),
            ])
        try scope.execute(
            """
            INSERT INTO offer_signatures (nonce, user_id, product_id, offer_id,
                application_username, key_id, signed_at, signature)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(new.nonce), .text(new.user.rawValue), .text(new.request.productID),
                .text(new.request.offerID), .text(new.request.applicationUsername),
                .text(new.keyID), .integer(now.milliseconds), .blob(new.signature),
            ])
        return .given(new)
    }

    /// Who asks for what, when, and with which key it would be signed.
    private struct Asked {
        let user: BackendUserID
        let request: OfferRequest
        let keyID: String
        let now: Timestamp
        /// When the oldest signature was made that is good still.
        let oldest: Timestamp
    }

    /// Only signatures of the present key count while they are good: those of another are replaced.
    private static func standing(
        _ scope: borrowing ReadScope, _ asked: Asked, _ products: ProductList
    ) throws -> OfferStanding {
        let rows = try SubscriptionQueries.of(asked.user, scope)
        let clocks = try Clocks(scope, asked.now)
        let isRunning = rows.contains { row in
            let moment = max(clocks.now(row.key.environment), row.facts.answeredAt)
            return row.facts.productID == asked.request.productID
                && row.facts.offerID == asked.request.offerID
                && row.facts.state(at: moment).isServed
        }
        let promises = try scope.row(
            """
            SELECT count(*) FROM offer_signatures
            WHERE user_id = ? AND product_id = ? AND offer_id = ?
                AND (used_transaction IS NOT NULL OR (signed_at >= ? AND key_id = ?))
            """,
            [
                .text(asked.user.rawValue), .text(asked.request.productID),
                .text(asked.request.offerID), .integer(asked.oldest.milliseconds),
                .text(asked.keyID),
            ])
        return OfferStanding(
            groups: Set(rows.compactMap { products[$0.facts.productID]?.group }),
            isRunning: isRunning, promises: promises?.integer(0) ?? 0)
    }

    /// One that says the same and can still be used. What lies in the future was signed under
    /// another clock.
    private static func open(
        _ scope: borrowing ReadScope, _ asked: Asked
    ) throws -> OfferSignatureRow? {
        try scope.row(
            """
            SELECT nonce, signed_at, signature FROM offer_signatures
            WHERE user_id = ? AND product_id = ? AND offer_id = ? AND application_username = ?
                AND key_id = ? AND used_transaction IS NULL AND signed_at BETWEEN ? AND ?
            ORDER BY signed_at DESC LIMIT 1
            """,
            [
                .text(asked.user.rawValue), .text(asked.request.productID),
                .text(asked.request.offerID), .text(asked.request.applicationUsername),
                .text(asked.keyID), .integer(asked.oldest.milliseconds),
                .integer(asked.now.milliseconds),
            ]
        ).map {
            OfferSignatureRow(
                nonce: $0.text(0), user: asked.user, request: asked.request, keyID: asked.keyID,
                signedAt: Timestamp(milliseconds: $0.integer(1)), signature: $0.blob(2))
        }
    }
}
