import Foundation
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreWire

/// Gives out promotional offers to users who may have them.
struct OfferService: Sendable {
    let database: Database
    let products: ProductList
    /// Nil when the backend has no key.
    let signing: OfferSigning?
    let tokens: TokenMint
    let clock: WallClock
    let log: Log

    /// `POST /v1/offers`: signs an offer for a user; the same again while that is good and was not
    /// used.
    func sign(_ request: HTTPRequest, for user: BackendUserID) throws -> HTTPResponse {
        let wanted = try wanted(request.body)
        guard let signing, OfferRules.offer(wanted, in: products) != nil else {
            throw RequestRefusal.noOffer
        }
        let signature = try signature(signing, wanted, user)
        let products = products
        let result = try database.write { scope in
            try OfferQueries.give(scope, signature, products)
        }
        switch result {
        case .refused(let refusal): throw RequestRefusal(refusal)
        case .given(let signature):
            log(
                .offerSigned, .request(request.id), .user(user), .product(wanted.productID),
                .detail(wanted.offerID))
            return jsonResponse(status: 200, signature.body)
        }
    }

    private func wanted(_ bytes: [UInt8]) throws(RequestRefusal) -> OfferRequest {
        let body: OfferRequestBody
        do {
            body = try WireJSON.decode(OfferRequestBody.self, from: bytes)
        } catch {
            throw .badBody(WireJSON.explain(error))
        }
        let username = body.applicationUsername ?? ""
        for (name, text, bytesMax) in [
            ("productId", body.productId, BackendLimits.productIDBytesMax),
            ("offerId", body.offerId, BackendLimits.offerIDBytesMax),
            // It may be empty.
            ("applicationUsername", username + " ", BackendLimits.applicationUsernameBytesMax + 1),
        ] where !isPlainWord(text, bytesMax: bytesMax) {
            throw .badField("\(name) is empty, too long or has control characters.")
        }
        guard !username.unicodeScalars.contains("\u{2063}") else {
            throw .badField(
                "applicationUsername holds U+2063, which separates what is signed.")
        }
        return OfferRequest(
            productID: body.productId, offerID: body.offerId, applicationUsername: username)
    }

    /// Made before the database is asked whether it may be given, whose commands only read and write.
    private func signature(
        _ signing: OfferSigning, _ wanted: OfferRequest, _ user: BackendUserID
    ) throws -> OfferSignatureRow {
        let now = clock.now()
        let nonce = tokens.nonce()
        return OfferSignatureRow(
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

extension RequestRefusal {
    static let noOffer = Self.notFound("This backend gives out no such offer.")

    fileprivate init(_ refusal: OfferDenial) {
        switch refusal {
        case .unknown: self = .noOffer
        case .notEligible:
            self.init(
                status: 403, code: "notEligible",
                message: "Offers are for who has, or had, a subscription of the same group.")
        case .inUse:
            self.init(
                status: 409, code: "offerInUse",
                message: "Your subscription runs at this offer's price.")
        case .usedUp:
            self.init(
                status: 409, code: "offerUsedUp",
                message: "You have used this offer as often as it is given out.")
        }
    }
}
