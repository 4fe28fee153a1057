package import StoreModel
package import StoreVerification

/// Checks receipts, from any thread; caches verified chains by the SHA-256 of their bytes.
package final class ReceiptVerifier: Sendable {
    /// The checks in their order.
    package static let checks: [VerificationCheck] = [
        .form, .certificates, .root, .contents, .chain, .dates, .signer, .signature, .seal,
    ]

    private let roots: TrustedRoots
    private let cache = VerificationCache<ReceiptChain>()

    package init(roots: TrustedRoots) {
        self.roots = roots
    }

    /// The receipt's contents, once chain, signature and world are verified.
    ///
    /// Certificates are judged at the time at which the receipt claims it was made.
    package func verify(_ receipt: [UInt8]) throws(VerificationRefusal) -> VerifiedReceipt {
        var check = VerificationCheck.form
        return try verify(receipt, at: &check)
    }

    /// The same; `check` is the one that a refusal is about.
    package func verify(
        _ receipt: [UInt8], at check: inout VerificationCheck
    ) throws(VerificationRefusal) -> VerifiedReceipt {
        check = .form
        guard receipt.count <= ReceiptLimits.receiptBytesMax else {
            throw .malformed(
                "The receipt has \(receipt.count) bytes; at most "
                    + "\(ReceiptLimits.receiptBytesMax) are read.")
        }
        let container = try Self.parsing { () throws(DERError) in try ReceiptContainer(receipt) }
        let certificates = container.reader.slice(container.certificates.contents)
        let cached = cache.verified(certificates)
        // A receipt from elsewhere is refused as such before its payload is read.
        let candidate: Candidate?
        if cached == nil {
            candidate = try self.candidate(container, at: &check)
        } else {
            candidate = nil
        }
        check = .contents
        let sealed = try Self.parsing { () throws(DERError) in
            try SealedPayload(try container.reader.inside(container.payload))
        }
        check = .chain
        let signer: ReceiptChain
        if let cached {
            signer = cached
        } else {
            signer = try trustedChain(candidate)
            cache.add(signer, certificates)
        }
        try verify(container, sealed, against: signer, at: &check)
        return VerifiedReceipt(
            payload: sealed.payload, environment: signer.chain.root.environment,
            isTest: signer.chain.root.isTest, worldID: signer.chain.worldID)
    }

    private func verify(
        _ container: ReceiptContainer, _ sealed: SealedPayload, against signer: ReceiptChain,
        at check: inout VerificationCheck
    ) throws(VerificationRefusal) {
        check = .dates
        guard signer.chain.isValid(at: sealed.payload.createdAt) else {
            throw .notAuthentic("The certificates are not valid at the time the receipt was made.")
        }
        check = .signer
        guard container.signerIssuer.elementsEqual(signer.chain.leaf.issuer),
            container.signerSerial.elementsEqual(signer.chain.leaf.serial)
        else { throw .notAuthentic("The signer is not the leaf certificate.") }
        check = .signature
        let hash = container.digest.hash(container.reader.slice(container.payload.contents))
        guard signer.leafKey.isValid(container.signature, overHash: hash, by: container.digest)
        else { throw .notAuthentic("The signature does not match the receipt.") }
        check = .seal
        guard let found = sealed.seal, signer.seal.fits(found) else {
            throw .notAuthentic("The receipt was not signed for the world its certificate names.")
        }
    }

    /// Certificates that claim to lead to one of our roots.
    private struct Candidate {
        let leaf: DERElement
        let intermediate: DERElement
        let root: TrustedRoot
        let reader: DERReader
    }

    private func candidate(
        _ container: ReceiptContainer, at check: inout VerificationCheck
    ) throws(VerificationRefusal) -> Candidate {
        check = .certificates
        let (elements, reader) = try Self.parsing { () throws(DERError) in
            try container.certificates(countMax: ReceiptLimits.certificateCount + 1)
        }
        guard elements.count == ReceiptLimits.certificateCount else {
            throw .notAuthentic(
                "A receipt carries \(ReceiptLimits.certificateCount) certificates, and this one "
                    + "does not.")
        }
        check = .root
        guard let root = roots.root(reader.slice(elements[2].whole)) else {
            throw .notAuthentic("No root of this store vouches for the receipt.")
        }
        return Candidate(
            leaf: elements[0], intermediate: elements[1], root: root, reader: reader)
    }

    private func trustedChain(
        _ candidate: Candidate?
    ) throws(VerificationRefusal) -> ReceiptChain {
        guard let candidate else { throw .notAuthentic("The receipt has no certificates.") }
        let (leaf, intermediate) = try Self.parsing { () throws(DERError) in
            (
                try Certificate(candidate.leaf, in: candidate.reader),
                try Certificate(candidate.intermediate, in: candidate.reader)
            )
        }
        return try ReceiptChain(
            leaf: leaf, intermediate: intermediate, root: candidate.root)
    }

    private static func parsing<Value>(
        _ work: () throws(DERError) -> Value
    ) throws(VerificationRefusal) -> Value {
        do { return try work() } catch { throw .malformed("The receipt is malformed: \(error).") }
    }
}

/// A receipt whose chain and signature match a root of this store.
package struct VerifiedReceipt: Sendable {
    package let payload: ReceiptPayload
    package let environment: StoreEnvironment
    package let isTest: Bool
    /// The world its leaf certificate names, which the signed payload confirms.
    package let worldID: String
}
