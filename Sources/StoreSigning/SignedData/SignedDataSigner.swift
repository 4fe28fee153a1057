package import StoreModel
package import StoreVerification

/// Signs data of one world's environment as JWS, from any thread.
///
/// The signature covers the header and with it the certificates, so data cannot pass for another
/// world's, although the leaves of a chain share their key until one is rotated.
package final class SignedDataSigner: Sendable {
    /// The header in base64url: it is the same for all data.
    package let head: String
    private let key: CurvePrivateKey

    /// `above` are the certificates (DER) from the leaf's issuer up to the root.
    init(leaf: Certificate, above: [[UInt8]], key: CurvePrivateKey) throws {
        head = try CompactJWS.head(SignedDataHeader(certificates: [leaf.der] + above))
        self.key = key
    }

    /// The compact JWS (ES256) of a payload, a JSON object whose date of signing is `moment`.
    /// Different each time, as signatures of ECDSA are.
    ///
    /// Refuses data that are too large, or signed at a time for which a store has no certificates. A
    /// leaf that its owner let expire goes on signing.
    /// Sources: Apple, *JWSTransaction* and *JWSDecodedHeader*; RFC 7515 and 7518, 3.4.
    package func sign(_ payload: [UInt8], at moment: Timestamp) throws -> String {
        String(decoding: try seal(payload, at: moment).jws, as: UTF8.self)
    }

    /// As `sign`, without the header and the period after it, for answers that state the header once.
    package func signBehindHead(_ payload: [UInt8], at moment: Timestamp) throws -> String {
        let jws = try seal(payload, at: moment).jws
        return String(decoding: jws.dropFirst(head.utf8.count + 1), as: UTF8.self)
    }

    /// As `sign`, in ASCII, with the seal alone for whoever keeps the payload.
    package func seal(
        _ payload: [UInt8], at moment: Timestamp
    ) throws -> (seal: JWSSeal, jws: [UInt8]) {
        let times = Timestamp.certified
        guard times.contains(moment) else {
            throw SigningFailure(
                .invalidValue,
                "Data can be signed at times from \(CalendarDate(times.lowerBound).rfc3339) to "
                    + "\(CalendarDate(times.upperBound).rfc3339); set the world's clock between "
                    + "them.")
        }
        let sealed = try JWSSeal.sealing(payload, head: head, with: key)
        guard sealed.jws.count <= SignedDataHeader.jwsBytesMax else {
            throw SigningFailure(
                .invalidValue,
                "Signed data have at most \(SignedDataHeader.jwsBytesMax) bytes; "
                    + "these would have \(sealed.jws.count).")
        }
        return sealed
    }
}
