import StoreModel
import StoreSigning
import StoreVerification
package import StoreWire

/// Reads what a store signed, as an app's server does: nothing counts before it is verified.
package struct SignedDataReader: Sendable {
    /// Why signed data do not pass.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }

    private let verifier: SignedDataVerifier

    /// `roots` are the certificates (DER) of the stores whose data pass.
    package init(roots: [[UInt8]]) {
        // The verifier compares the bytes; environment and kind of the root are not asked for.
        verifier = SignedDataVerifier(
            roots: TrustedRoots(roots.map { TrustedRoot(.sandbox, isTest: false, der: $0) }))
    }

    /// The payload of a JWS, with the signed data in it decoded likewise.
    package func payload(of jws: String) throws(Refusal) -> JSONValue {
        let bytes: [UInt8]
        do throws(VerificationRefusal) {
            bytes = try verifier.verify(jws).payload
        } catch {
            switch error {
            case .malformed(let why), .notAuthentic(let why): throw Refusal(description: why)
            }
        }
        guard let payload = try? JSONValue(parsing: bytes) else {
            throw Refusal(description: "The payload is not JSON.")
        }
        return try decoded(payload)
    }

    /// A value with the payloads in place of the JWS in it, which Apple names `signed…`.
    package func decoded(_ value: JSONValue) throws(Refusal) -> JSONValue {
        switch value {
        case .object(let members):
            var read: [JSONValue.Member] = []
            for each in members {
                let inner = try each.key.hasPrefix("signed") ? signed(each.value) : each.value
                read.append(JSONValue.Member(each.key, try decoded(inner)))
            }
            return .object(read)
        case .array(let elements):
            return .array(try elements.map { element throws(Refusal) in try decoded(element) })
        case .null, .bool, .number, .string: return value
        }
    }

    /// The payload of a text, or those of several; dates are signed in name only.
    private func signed(_ value: JSONValue) throws(Refusal) -> JSONValue {
        switch value {
        case .string(let jws): return try payload(of: jws)
        case .array(let elements):
            return .array(try elements.map { element throws(Refusal) in try signed(element) })
        case .null, .bool, .number, .object: return value
        }
    }
}
