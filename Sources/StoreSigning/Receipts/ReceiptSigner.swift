import StoreModel
import StoreVerification

/// Signs receipts of one world's environment, from any thread.
package final class ReceiptSigner: Sendable {
    private let seal: WorldSeal
    private let leaf: Certificate
    private let certificates: [UInt8]
    private let key: PrivateKey

    init(seal: WorldSeal, leaf: Certificate, above: [[UInt8]], key: PrivateKey) {
        self.seal = seal
        self.leaf = leaf
        certificates = leaf.der + above.joined()
        self.key = key
    }

    /// The whole PKCS#7 container, DER. The same payload gives the same bytes.
    ///
    /// Refuses receipts that no verifier would accept: those too large, or made when the leaf is
    /// not valid.
    package func sign(_ payload: ReceiptPayload) throws -> [UInt8] {
        guard leaf.isValid(at: payload.createdAt) else {
            throw SigningFailure(
                .invalidValue,
                "A receipt can be made at times from \(CalendarDate(leaf.notBefore).rfc3339) to "
                    + "\(CalendarDate(leaf.notAfter).rfc3339); set the world's clock between them.")
        }
        let content = try payload.der(sealedFor: seal)
        let receipt = ReceiptContainer.der(
            payload: content, certificates: certificates, signerIssuer: leaf.issuer,
            signerSerial: leaf.serial, signature: try key.signature(over: content))
        guard receipt.count <= ReceiptLimits.receiptBytesMax else {
            throw SigningFailure(
                .invalidValue,
                "A receipt has at most \(ReceiptLimits.receiptBytesMax) bytes; "
                    + "this one would have \(receipt.count).")
        }
        return receipt
    }
}
