import StoreModel
import StoreVerification

/// Signs transaction receipts of one world's environment, from any thread.
package final class TransactionReceiptSigner: Sendable {
    private let seal: WorldSeal
    private let leaf: Certificate
    private let key: PrivateKey

    init(seal: WorldSeal, leaf: Certificate, key: PrivateKey) {
        self.seal = seal
        self.leaf = leaf
        self.key = key
    }

    /// The receipt's text. The same purchase information gives the same bytes.
    ///
    /// Refuses receipts that no verifier would accept: for a purchase when the certificate is not
    /// valid, and with texts that are too long.
    package func sign(_ info: TransactionReceiptInfo) throws -> [UInt8] {
        guard leaf.isValid(at: info.purchasedAt),
            ReceiptLimits.dates.contains(info.originallyPurchasedAt)
        else {
            throw SigningFailure(
                .invalidValue,
                "A transaction receipt can be made for purchases from "
                    + "\(CalendarDate(leaf.notBefore).rfc3339) to "
                    + "\(CalendarDate(leaf.notAfter).rfc3339).")
        }
        let pairs = info.pairs(sealedFor: seal)
        let lengthMax = TransactionReceiptLimits.fieldLengthMax
        if let long = pairs.first(where: { $0.value.utf16.count > lengthMax }) {
            throw SigningFailure(
                .invalidValue,
                "The \(long.key) of a transaction receipt has at most \(lengthMax) characters.")
        }
        let text = PropertyListText.text(pairs)
        let signature = TransactionSignature(
            signature: try key.signature(
                over: TransactionSignature.signedBytes(text), by: .sha1),
            certificate: leaf.der)
        return TransactionReceiptText.text(
            signature: signature.bytes, info: text, from: seal.environment)
    }
}
