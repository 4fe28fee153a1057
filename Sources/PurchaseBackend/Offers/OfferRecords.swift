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

/// The answer to a request for a signature.
enum OfferAnswer: Hashable, Sendable {
    /// The new one, or an earlier one that is still valid.
    case given(OfferSignatureRow)
    case refused(OfferDenial)
    /// One is to be made: with the nonce of the user's own signature that is about to expire, or
    /// with a new nonce.
    case open(nonce: String?)
}

enum OfferRecords {
    /// How long an unused signature is remembered: a receipt may come late.
    private static let memoryMilliseconds: Int64 = 60 * 86_400_000

    /// The answer that needs no write, or what is to be signed.
    static func known(
        _ scope: borrowing ReadScope, _ wanted: OfferRequest, of user: BackendUserID,
        keyID: String, now: Timestamp, _ products: ProductList
    ) throws -> OfferAnswer {
        let oldest = now.adding(milliseconds: 1 - OfferSigning.lifetimeMilliseconds)
        let asked = Asked(user: user, request: wanted, keyID: keyID, now: now, oldest: oldest)
        let standing = try standing(scope, asked, products)
        if let own = try unused(scope, asked), !standing.isRunning,
            OfferRules.offer(wanted, in: products) != nil
        {
            let end = own.row.signedAt.adding(milliseconds: OfferSigning.lifetimeMilliseconds)
            let isNearlyOver = end < now.adding(milliseconds: OfferSigning.restMilliseconds)
            return isNearlyOver && !own.isSignedAgain
                ? .open(nonce: own.row.nonce) : .given(own.row)
        }
        let refusal = OfferRules.refusal(wanted, in: products, standing)
        return refusal.map(OfferAnswer.refused) ?? .open(nonce: nil)
    }

    /// Gives a signature, or the one that the user already has, when the rules allow it.
    ///
    /// `.open` when its nonce is no longer the one to sign: it was used meanwhile.
    static func give(
        _ scope: borrowing WriteScope, _ new: OfferSignatureRow, _ products: ProductList
    ) throws -> OfferAnswer {
        let before = try known(
            scope.reading, new.request, of: new.user, keyID: new.keyID, now: new.signedAt, products)
        guard case .open(let nonce) = before else { return before }
        if let nonce {
            guard nonce == new.nonce else { return before }
            try signAgain(scope, new)
            return .given(new)
        }
        let isTaken =
            try scope.row("SELECT 1 FROM offer_signatures WHERE nonce = ?", [new.nonce])
            != nil
        guard !isTaken else { return before }
        try insert(scope, new)
        return .given(new)
    }

    /// The store accepts a nonce once, so it is promised once, however often it is signed. Signing
    /// it once more is enough: when a payment used it up and its receipt never came, another nonce
    /// replaces it after it expires.
    private static func signAgain(
        _ scope: borrowing WriteScope, _ new: OfferSignatureRow
    ) throws {
        try scope.execute(
            """
            UPDATE offer_signatures SET signed_at = ?, signature = ?, signed_again = 1
            WHERE nonce = ?
            """, [new.signedAt, new.signature, new.nonce])
    }

    private static func insert(
        _ scope: borrowing WriteScope, _ new: OfferSignatureRow
    ) throws {
        let now = new.signedAt
        try scope.execute(
            """
            DELETE FROM offer_signatures WHERE user_id = ? AND used_transaction IS NULL
                AND signed_at < ?
            """, [new.user, now.adding(milliseconds: -memoryMilliseconds)])
        try scope.insert(
            into: "offer_signatures",
            [
                "nonce": new.nonce, "user_id": new.user, "product_id": new.request.productID,
                "offer_id": new.request.offerID,
                "application_username": new.request.applicationUsername, "key_id": new.keyID,
                "signed_at": now, "signature": new.signature,
            ])
    }

    /// The user, the offer and the time of a request, and the key that would sign it.
    private struct Asked {
        let user: BackendUserID
        let request: OfferRequest
        let keyID: String
        let now: Timestamp
        /// When the oldest still valid signature was made.
        let oldest: Timestamp
    }

    /// Only valid signatures of the current key count: those of another key are replaced.
    private static func standing(
        _ scope: borrowing ReadScope, _ asked: Asked, _ products: ProductList
    ) throws -> OfferStanding {
        let rows = try SubscriptionRecords.of(asked.user, scope)
        let clocks = try Clocks(scope, asked.now)
        let isRunning = rows.contains { row in
            let moment = max(clocks.now(row.key.environment), row.facts.answeredAt)
            return row.facts.productID == asked.request.productID
                && row.facts.offerID == asked.request.offerID
                && row.facts.state(at: moment).isServed
        }
        let promises: Int64? = try scope.value(
            """
            SELECT count(*) FROM offer_signatures
            WHERE user_id = ? AND product_id = ? AND offer_id = ?
                AND (used_transaction IS NOT NULL OR (signed_at >= ? AND key_id = ?))
            """,
            [
                asked.user, asked.request.productID, asked.request.offerID, asked.oldest,
                asked.keyID,
            ])
        return OfferStanding(
            groups: Set(rows.compactMap { products[$0.facts.productID]?.group }),
            isRunning: isRunning, promises: promises ?? 0)
    }

    /// One that says the same and can still be used. A signature dated in the future was made under
    /// another clock.
    private static func unused(
        _ scope: borrowing ReadScope, _ asked: Asked
    ) throws -> (row: OfferSignatureRow, isSignedAgain: Bool)? {
        try scope.row(
            """
            SELECT nonce, signed_at, signature, signed_again FROM offer_signatures
            WHERE user_id = ? AND product_id = ? AND offer_id = ? AND application_username = ?
                AND key_id = ? AND used_transaction IS NULL AND signed_at BETWEEN ? AND ?
            ORDER BY signed_at DESC LIMIT 1
            """,
            [
                asked.user, asked.request.productID, asked.request.offerID,
                asked.request.applicationUsername, asked.keyID, asked.oldest, asked.now,
            ]
        ).map { found in
            let row = OfferSignatureRow(
                nonce: try found["nonce"], user: asked.user, request: asked.request,
                keyID: asked.keyID, signedAt: try found["signed_at"],
                signature: try found["signature"])
            return (row: row, isSignedAgain: try found["signed_again"])
        }
    }
}
