import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreVerification
import StoreWire
import Testing

@testable import AppStoreServer

// What devices ask of signed data.
extension TestStore {
    static let device = "/sandbox/device/v1"
    static let otherGuid = "0D6A4D7C-61A4-4B0E-9A3C-7B2B7A3C9E22"

    func signed(
        after: Int64 = 0, limit: Int? = nil, token: String, in base: String = "/sandbox"
    ) async throws -> SignedChangesBody {
        let limit = limit.map { "&limit=\($0)" } ?? ""
        let answer = await send(
            "GET", "\(base)/device/v1/signed?after=\(after)\(limit)", token: token)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(SignedChangesBody.self, from: answer.body)
    }

    /// Buys, and gives the answer with the signed data.
    func buySigned(
        _ product: String, id: String = UUID().uuidString, query: String = "?signed=true",
        token: String
    ) async throws -> AttemptAnswerBody {
        let answer = await send(
            "POST", Self.device + "/attempts" + query, token: token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: id, productId: product, quantity: 1, applicationUsername: nil)))
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
    }

    /// The payload of a JWS after every check that a device makes, for the device with a guid.
    func payload(
        _ header: String?, _ behind: String, guid: String = TestStore.guid
    ) throws -> JSONValue {
        try payload(ofJWS: "\(try #require(header)).\(behind)", guid: guid)
    }

    func payload(ofJWS jws: String, guid: String = TestStore.guid) throws -> JSONValue {
        let payload = try JSONValue(
            parsing: parts.keys.dataVerifier().verify(jws).payload)
        let nonce = try #require(payload["deviceVerificationNonce"]?.string)
        #expect(nonce == UUID(uuidString: nonce)?.uuidString.lowercased(), "\(nonce)")
        let verification = Data(sha384(Array((nonce + guid.lowercased()).utf8)))
        #expect(payload["deviceVerification"]?.string == verification.base64EncodedString())
        return payload
    }

    func payloads(
        of answer: SignedChangesBody, guid: String = TestStore.guid
    ) throws -> [JSONValue] {
        try answer.transactions.map { try payload(answer.header, $0.transaction, guid: guid) }
    }

    /// The cursor of a device that knows everything.
    func cursor(token: String) async throws -> Int64 { try await signed(token: token).cursor }
}

extension JSONValue {
    /// Without what differs from one signature, and from one device, to the next.
    var withoutDevice: JSONValue {
        let other = ["signedDate", "deviceVerification", "deviceVerificationNonce"]
        return .object((object ?? []).filter { !other.contains($0.key) })
    }

    /// The payload of a JWS that the App Store Server API answered.
    static func payload(ofServers answer: HTTPResponse, _ member: String) throws -> JSONValue {
        let body = try JSONValue(parsing: answer.body)
        let jws = try #require(body[member]?.string)
        let part = try #require(jws.split(separator: ".").dropFirst().first)
        return try JSONValue(parsing: bytes(ofBase64URL: String(part)))
    }
}

func bytes(ofBase64URL text: String) throws -> [UInt8] {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
    return Array(try #require(Data(base64Encoded: plain + padding)))
}
