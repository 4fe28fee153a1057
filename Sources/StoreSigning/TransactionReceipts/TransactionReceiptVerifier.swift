package import StoreModel
package import StoreVerification

/// Checks transaction receipts, from any thread; caches verified certificates by the SHA-256 of
/// their bytes.
package final class TransactionReceiptVerifier: Sendable {
    /// The checks in their order.
    package static let checks: [VerificationCheck] = [
        .form, .certificates, .root, .chain, .signature, .contents, .dates, .seal, .repetitions,
        .unsigned,
    ]

    private let authorities: TransactionAuthorities
    private let cache = VerificationCache<TrustedTransactionSigner>()

    package init(authorities: TransactionAuthorities) {
        self.authorities = authorities
    }

    /// Whether some bytes are meant as a transaction receipt: a property list in text form, whereas
    /// a unified receipt is DER.
    package static func isMeant(_ receipt: [UInt8]) -> Bool {
        receipt.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) } == 0x7B
    }

    /// The certificate (DER) in a receipt; nil where there is none to be found.
    package static func certificate(of receipt: [UInt8]) -> [UInt8]? {
        let text = try? TransactionReceiptText(receipt)
        return text.flatMap { try? TransactionSignature($0.signature).certificate }
    }

    /// The entries of a receipt as they stand there, whether or not anyone vouches for them.
    package static func pairs(of receipt: [UInt8]) throws(VerificationRefusal) -> [TextPair] {
        guard receipt.count <= TransactionReceiptLimits.receiptBytesMax else {
            throw .malformed("The receipt is larger than any receipt.")
        }
        return try TransactionReceiptText(receipt).infoPairs()
    }

    /// The receipt's contents, once certificate, signature, world and every repeated field are
    /// verified.
    ///
    /// Certificates are judged at the time of the purchase.
    package func verify(
        _ receipt: [UInt8]
    ) throws(VerificationRefusal) -> VerifiedTransactionReceipt {
        var check = VerificationCheck.form
        return try verify(receipt, at: &check)
    }

    /// The same; `check` is the one that a refusal is about.
    package func verify(
        _ receipt: [UInt8], at check: inout VerificationCheck
    ) throws(VerificationRefusal) -> VerifiedTransactionReceipt {
        check = .form
        guard receipt.count <= TransactionReceiptLimits.receiptBytesMax else {
            throw .malformed(
                "The receipt has \(receipt.count) bytes; at most "
                    + "\(TransactionReceiptLimits.receiptBytesMax) are read.")
        }
        let text = try TransactionReceiptText(receipt)
        let signature = try TransactionSignature(text.signature)
        let signer = try self.signer(signature.certificate, at: &check)
        check = .signature
        let hash = MessageDigest.sha1.hash(TransactionSignature.signedBytes(text.info))
        guard signer.key.isValid(signature.signature, overHash: hash, by: .sha1) else {
            throw .notAuthentic("The signature does not match the purchase information.")
        }
        check = .contents
        let pairs = try text.infoPairs()
        let info = try TransactionReceiptInfo(pairs)
        try verify(text, info, pairs, against: signer, at: &check)
        return VerifiedTransactionReceipt(
            info: info, pairs: pairs, environment: signer.seal.environment,
            isTest: signer.seal.isTest, worldID: signer.seal.worldID)
    }

    private func verify(
        _ text: TransactionReceiptText, _ info: TransactionReceiptInfo, _ pairs: [TextPair],
        against signer: TrustedTransactionSigner, at check: inout VerificationCheck
    ) throws(VerificationRefusal) {
        check = .dates
        guard signer.isValid(at: info.purchasedAt) else {
            throw .notAuthentic("The certificates are not valid at the time of the purchase.")
        }
        check = .seal
        let device = TextPair(
            "unique-identifier",
            signer.seal.deviceIdentifier(vendorIdentifier: info.vendorIdentifier))
        guard pairs.contains(device) else {
            throw .notAuthentic("The receipt was not signed for the world its certificate names.")
        }
        check = .repetitions
        guard pairs == info.pairs(sealedFor: signer.seal) else {
            throw .notAuthentic("The purchase information is inconsistent.")
        }
        check = .unsigned
        guard text.unsigned == TransactionReceiptText.unsigned(signer.seal.environment) else {
            throw .notAuthentic("The unsigned fields were altered.")
        }
    }

    private func signer(
        _ certificate: [UInt8], at check: inout VerificationCheck
    ) throws(VerificationRefusal) -> TrustedTransactionSigner {
        if let known = cache.verified(certificate[...]) { return known }
        check = .certificates
        let leaf: Certificate
        do throws(DERError) {
            leaf = try Certificate(certificate)
        } catch {
            throw .malformed("The certificate is malformed: \(error).")
        }
        check = .root
        guard let authority = authorities.authority(named: leaf.issuer) else {
            throw .notAuthentic("No authority of this store vouches for the receipt.")
        }
        check = .chain
        let signer = try TrustedTransactionSigner(leaf: leaf, authority: authority)
        cache.add(signer, certificate[...])
        return signer
    }
}

/// A transaction receipt whose certificate and signature match an authority of this store.
package struct VerifiedTransactionReceipt: Sendable {
    package let info: TransactionReceiptInfo
    /// The signed entries, in their order.
    package let pairs: [TextPair]
    package let environment: StoreEnvironment
    package let isTest: Bool
    /// The world its certificate names, which the signed device identifier confirms.
    package let worldID: String
}
