import Foundation
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Gives out promotional offers to eligible users.
struct OfferService: Sendable {
    let database: Database
    let products: ProductList
    /// Nil when the backend has no key.
    let signing: OfferSigning?
    let tokens: TokenMint
    let clock: WallClock
    let log: Log

    /// `POST /v1/offers`: signs an offer for a user; returns the same signature while it is valid
    /// for another hour and unused. A request that needs no new signature is answered from a read.
    func sign(_ scene: BackendScene) throws {
        let user = try scene.user()
        let wanted = try wanted(scene.request.body, for: user)
        guard let signing, OfferRules.offer(wanted, in: products) != nil else {
            throw Refusal.noOffer
        }
        let (now, products, requestID) = (clock.now(), products, scene.request.id)
        let known = try database.read { scope in
            try OfferRecords.known(
                scope, wanted, of: user, keyID: signing.keyID, now: now, products)
        }
        guard case .open(let nonce) = known else {
            return scene.answer { try response(known, requestID) }
        }
        let new = try signature(signing, wanted, user, nonce: nonce ?? tokens.nonce(), at: now)
        scene.commit {
            try OfferRecords.give($0, new, products)
        } then: {
            try response($0, requestID)
        }
    }

    private func response(_ answer: OfferAnswer, _ requestID: String) throws -> HTTPResponse {
        switch answer {
        case .refused(let refusal): throw Refusal(refusal)
        // Its nonce was used while it was being signed: the next request gets another.
        case .open: throw Refusal.busy
        case .given(let row):
            log(
                .offerSigned, .request(requestID), .user(row.user),
                .product(row.request.productID), .detail(row.request.offerID))
            return try .json(encoding: row.body)
        }
    }

    private func wanted(
        _ bytes: [UInt8], for user: BackendUserID
    ) throws(Refusal) -> OfferRequest {
        let body: OfferRequestBody
        do {
            body = try WireJSON.decodeBody(OfferRequestBody.self, from: bytes)
        } catch {
            throw .badBody(WireJSON.explain(error))
        }
        for (name, text, bytesMax) in [
            ("productId", body.productId, BackendLimits.productIDBytesMax),
            ("offerId", body.offerId, BackendLimits.offerIDBytesMax),
        ] where !isPlainWord(text, bytesMax: bytesMax) {
            throw .badField("\(name) is empty, too long, or has control characters.")
        }
        // Receipts must show whose offer it is, whoever pays and submits them.
        let username = TokenMint.applicationUsername(of: user)
        guard ["", username].contains(body.applicationUsername ?? "") else {
            throw .badField("applicationUsername is not the name that this backend gives you.")
        }
        return OfferRequest(
            productID: body.productId, offerID: body.offerId, applicationUsername: username)
    }

    /// Made before the database decides whether it may be given, because its commands only read and
    /// write.
    private func signature(
        _ signing: OfferSigning, _ wanted: OfferRequest, _ user: BackendUserID, nonce: String,
        at now: Timestamp
    ) throws -> OfferSignatureRow {
        OfferSignatureRow(
            nonce: nonce, user: user, request: wanted, keyID: signing.keyID, signedAt: now,
            signature: try signing.signature(for: wanted, nonce: nonce, at: now))
    }
}

extension OfferSignatureRow {
    fileprivate var body: OfferSignatureBody {
        OfferSignatureBody(
            productId: request.productID, offerId: request.offerID,
            applicationUsername: request.applicationUsername, keyIdentifier: keyID, nonce: nonce,
            timestamp: signedAt.milliseconds,
            signature: Data(signature).base64EncodedString())
    }
}

extension Refusal {
    static let noOffer = Self.notFound("This backend does not give out such an offer.")

    fileprivate init(_ refusal: OfferDenial) {
        switch refusal {
        case .unknown: self = .noOffer
        case .notEligible:
            self.init(
                403, "notEligible",
                "This offer is for users who have or had a subscription in the same group.")
        case .inUse:
            self.init(
                409, "offerInUse",
                "Your subscription already runs at this offer's price.")
        case .usedUp:
            self.init(
                409, "offerUsedUp",
                "You have used this offer as often as one user may use it.")
        }
    }
}
