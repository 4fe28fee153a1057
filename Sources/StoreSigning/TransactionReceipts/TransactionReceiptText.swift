import FoundationEssentials
import StoreVerification
import StoreModel

/// A transaction receipt as text: signature and purchase information in base64, with unsigned
/// fields beside them.
struct TransactionReceiptText: Hashable, Sendable {
    /// The origin named in Apple's production and sandbox receipts.
    private static let productionPod = "44"
    private static let sandboxPod = "100"

    let signature: [UInt8]
    /// The text of the purchase information.
    let info: [UInt8]
    let unsigned: [TextPair]

    /// The text of a receipt.
    static func text(signature: [UInt8], info: [UInt8], from environment: StoreEnvironment)
        -> [UInt8]
    {
        PropertyListText.text(
            [
                TextPair("signature", Data(signature).base64EncodedString()),
                TextPair("purchase-info", Data(info).base64EncodedString()),
            ] + unsigned(environment))
    }

    /// The fields outside the signature, the same in every receipt of an environment.
    static func unsigned(_ environment: StoreEnvironment) -> [TextPair] {
        let status = TextPair("signing-status", "0")
        return switch environment {
        case .production: [TextPair("pod", productionPod), status]
        case .sandbox:
            [TextPair("environment", environment.wireName), TextPair("pod", sandboxPod), status]
        }
    }

    /// Splits a receipt into its parts; trusts nothing in it yet.
    init(_ receipt: [UInt8]) throws(VerificationRefusal) {
        var pairs = try Self.pairs(
            receipt, valueBytesMax: TransactionReceiptLimits.receiptBytesMax,
            of: "The receipt")
        func take(_ key: String) throws(VerificationRefusal) -> [UInt8] {
            guard let index = pairs.firstIndex(where: { $0.key == key }) else {
                throw .malformed("The receipt has no \(key).")
            }
            let text = pairs.remove(at: index).value
            // Only one text represents given bytes, so no letter can be altered unnoticed.
            guard let data = Data(base64Encoded: text), !data.isEmpty,
                data.base64EncodedString() == text
            else {
                throw .malformed("The receipt's \(key) is not base64.")
            }
            return Array(data)
        }
        signature = try take("signature")
        info = try take("purchase-info")
        unsigned = pairs
    }

    /// The entries of the purchase information.
    func infoPairs() throws(VerificationRefusal) -> [TextPair] {
        try Self.pairs(
            info, valueBytesMax: TransactionReceiptLimits.fieldLengthMax,
            of: "The purchase information")
    }

    private static func pairs(
        _ bytes: [UInt8], valueBytesMax: Int, of name: String
    ) throws(VerificationRefusal) -> [TextPair] {
        do throws(PropertyListError) {
            return try PropertyListText.pairs(bytes, valueBytesMax: valueBytesMax)
        } catch {
            throw .malformed("\(name) is malformed: \(error).")
        }
    }
}
