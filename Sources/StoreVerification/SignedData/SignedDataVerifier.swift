package import StoreModel

/// Checks signed data, from any thread; caches verified chains by the headers with them.
package final class SignedDataVerifier: Sendable {
    /// A header that was read, with the signer whose chain it holds.
    private struct KnownHeader {
        let header: SignedDataHeader
        let signer: TrustedDataSigner
    }

    /// The checks in their order.
    package static let checks: [VerificationCheck] = [
        .form, .certificates, .root, .chain, .signature, .contents, .dates,
    ]

    private let roots: TrustedRoots
    private let cache = VerificationCache<KnownHeader>()

    package init(roots: TrustedRoots) {
        self.roots = roots
    }

    /// The payload of a compact JWS, once chain, signature and dates are verified.
    ///
    /// Certificates are judged at `moment`, or else at the time of signing that the data name, as
    /// Apple's libraries do when they work offline. It is for the caller to compare what the data
    /// say, such as app and environment.
    package func verify(
        _ text: String, at moment: Timestamp? = nil
    ) throws(VerificationRefusal) -> VerifiedData {
        do throws(SignedDataProblem) {
            return try verified(Array(text.utf8), at: moment)
        } catch {
            throw error.kind == .encoding ? .malformed(error.text) : .notAuthentic(error.text)
        }
    }

    /// As `verify`, of a text in ASCII, with the part that failed.
    package func verified(
        _ text: [UInt8], at moment: Timestamp? = nil
    ) throws(SignedDataProblem) -> VerifiedData {
        var check = VerificationCheck.form
        return try verified(text, at: &check, moment: moment)
    }

    /// The same; `check` is the one that a refusal is about.
    package func verified(
        _ text: [UInt8], at check: inout VerificationCheck, moment: Timestamp? = nil
    ) throws(SignedDataProblem) -> VerifiedData {
        check = .form
        let parts = try Self.reading { () throws(JWSProblem) in
            try JWSParts(text, bytesMax: SignedDataHeader.jwsBytesMax)
        }
        let known = cache.verified(parts.head)
        let jws = try Self.reading { () throws(JWSProblem) in
            if let known { return try CompactJWS(parts, header: known.header) }
            return try CompactJWS<SignedDataHeader>(parts)
        }
        let signer: TrustedDataSigner
        if let known {
            signer = known.signer
        } else {
            signer = try trustedSigner(jws.header.x5c, at: &check)
            cache.add(KnownHeader(header: jws.header, signer: signer), parts.head)
        }
        check = .signature
        guard jws.isSigned(by: signer.key) else {
            throw SignedDataProblem(.signature, "The signature does not match the data.")
        }
        check = .contents
        let date = if let moment { moment } else { try Self.signedDate(of: jws.payload) }
        check = .dates
        guard signer.chain.isValid(at: date) else {
            throw SignedDataProblem(
                .chain, "The certificates are not valid at the time of the signature.")
        }
        return VerifiedData(
            payload: jws.payload, environment: signer.chain.root.environment,
            isTest: signer.chain.root.isTest, worldID: signer.chain.worldID)
    }

    private static func reading<Value>(
        _ work: () throws(JWSProblem) -> Value
    ) throws(SignedDataProblem) -> Value {
        do { return try work() } catch {
            throw SignedDataProblem(.encoding, "The JWS cannot be read: \(error.text).")
        }
    }

    private func trustedSigner(
        _ x5c: [String], at check: inout VerificationCheck
    ) throws(SignedDataProblem) -> TrustedDataSigner {
        check = .certificates
        let certificates = x5c.compactMap(StrictBase64.bytes)
        guard certificates.count == SignedDataHeader.certificateCount else {
            throw SignedDataProblem(.encoding, "A certificate is not in base64.")
        }
        check = .root
        guard let root = roots.root(certificates[2][...]) else {
            throw SignedDataProblem(.chain, "No root of this store vouches for the data.")
        }
        check = .chain
        let leaf: Certificate
        let intermediate: Certificate
        do throws(DERError) {
            leaf = try Certificate(certificates[0])
            intermediate = try Certificate(certificates[1])
        } catch {
            throw SignedDataProblem(.encoding, "A certificate cannot be read: \(error).")
        }
        do throws(ChainProblem) {
            return try TrustedDataSigner(leaf: leaf, intermediate: intermediate, root: root)
        } catch {
            throw SignedDataProblem(.chain, error.text)
        }
    }

    /// When a payload says that it was signed; app transactions call it something else.
    private static func signedDate(
        of payload: [UInt8]
    ) throws(SignedDataProblem) -> Timestamp {
        let dates = JSONObjectText(payload)?.values(["signedDate", "receiptCreationDate"])
        guard let dates, let date = dates[0] ?? dates[1],
            let milliseconds = Int64(String(decoding: date, as: UTF8.self)),
            Timestamp.range.contains(Timestamp(milliseconds: milliseconds))
        else { throw SignedDataProblem(.encoding, "The data do not say when they were signed.") }
        return Timestamp(milliseconds: milliseconds)
    }
}

/// Data whose chain and signature match a root of this store.
package struct VerifiedData: Sendable {
    /// The JSON that was signed.
    package let payload: [UInt8]
    package let environment: StoreEnvironment
    package let isTest: Bool
    /// The world that its leaf certificate names.
    package let worldID: String
}

/// What is wrong with signed data, in a sentence.
package struct SignedDataProblem: Error, Hashable, Sendable {
    /// The part that fails.
    package enum Kind: Hashable, Sendable {
        /// It cannot be read.
        case encoding
        /// Its certificates may not sign it, or not at that time.
        case chain
        case signature
    }

    package let kind: Kind
    package let text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}
