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

    /// Gives a signature, or the one that the user has already, when the rules allow it.
    static func give(
        _ scope: borrowing WriteScope, _ new: OfferSignatureRow, _ products: ProductList
    ) throws -> OfferAnswer {
        let now = new.signedAt
        let oldest = now.adding(milliseconds: 1 - OfferSigning.lifetimeMilliseconds)
        let standing = try standing(scope, new, products, goodSince: oldest)
        if let open = try open(scope, like: new, goodSince: oldest), !standing.isRunning,
            OfferRules.offer(new.request, in: products) != nil
        {
            return .given(open)
        }
        if let refusal = OfferRules.refusal(new.request, in: products, standing) {
            return .refused(refusal)
        }
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

    /// Notes that a period was bought with an offer, for the oldest of its user's signatures that
    /// was not used; once for each transaction.
    static func use(
        _ scope: borrowing WriteScope, _ period: ReceiptSummary.Purchase, by user: BackendUserID,
        in environment: StoreEnvironment
    ) throws {
        guard let offer = period.offerID else { return }
        try scope.execute(
            """
            UPDATE offer_signatures SET used_environment = ?1, used_transaction = ?2
            WHERE nonce = (SELECT nonce FROM offer_signatures
                    WHERE user_id = ?3 AND product_id = ?4 AND offer_id = ?5
                        AND used_transaction IS NULL
                    ORDER BY signed_at, nonce LIMIT 1)
                AND NOT EXISTS (SELECT 1 FROM offer_signatures
                    WHERE used_transaction = ?2 AND used_environment = ?1)
            """,
            [
                .text(environment.rawValue), .text(period.transactionID), .text(user.rawValue),
                .text(period.productID), .text(offer),
            ])
    }

    private static func standing(
        _ scope: borrowing WriteScope, _ new: OfferSignatureRow, _ products: ProductList,
        goodSince oldest: Timestamp
    ) throws -> OfferStanding {
        let (rows, clocks) = try scope.reading { scope in
            (
                try SubscriptionQueries.of(new.user, scope),
                try Clocks(scope, new.signedAt)
            )
        }
        let isRunning = rows.contains { row in
            let moment = max(clocks.now(row.key.environment), row.facts.answeredAt)
            return row.facts.productID == new.request.productID
                && row.facts.offerID == new.request.offerID
                && row.facts.state(at: moment).isServed
        }
        let promises = try scope.row(
            """
            SELECT count(*) FROM offer_signatures
            WHERE user_id = ? AND product_id = ? AND offer_id = ?
                AND (used_transaction IS NOT NULL OR signed_at >= ?)
            """,
            [
                .text(new.user.rawValue), .text(new.request.productID),
                .text(new.request.offerID), .integer(oldest.milliseconds),
            ])
        return OfferStanding(
            groups: Set(rows.compactMap { products[$0.facts.productID]?.group }),
            isRunning: isRunning, promises: promises?.integer(0) ?? 0)
    }

    /// One that says the same and can still be used. What lies in the future was signed under
    /// another clock.
    private static func open(
        _ scope: borrowing WriteScope, like new: OfferSignatureRow, goodSince oldest: Timestamp
    ) throws -> OfferSignatureRow? {
        try scope.row(
            """
            SELECT nonce, signed_at, signature FROM offer_signatures
            WHERE user_id = ? AND product_id = ? AND offer_id = ? AND application_username = ?
                AND key_id = ? AND used_transaction IS NULL AND signed_at BETWEEN ? AND ?
            ORDER BY signed_at DESC LIMIT 1
            """,
            [
                .text(new.user.rawValue), .text(new.request.productID),
                .text(new.request.offerID), .text(new.request.applicationUsername),
                .text(new.keyID), .integer(oldest.milliseconds),
                .integer(new.signedAt.milliseconds),
            ]
        ).map {
            OfferSignatureRow(
                nonce: $0.text(0), user: new.user, request: new.request, keyID: new.keyID,
                signedAt: Timestamp(milliseconds: $0.integer(1)), signature: $0.blob(2))
        }
    }
}
