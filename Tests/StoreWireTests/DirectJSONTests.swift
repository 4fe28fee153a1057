import Foundation
import StoreModel
import Testing

@testable import StoreWire

/// Bodies that write themselves give the bytes that `JSONEncoder` gives.
@Suite struct DirectJSONTests {
    /// What `WireJSON` does with every other body.
    private func usual(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Every text that a strange device or catalogue could bring.
    private static let texts =
        [
            "plain", "", "a/b\\c\"d", "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}", "é 日本 👩‍🚀",
            "\u{2028}",
        ]
        + (0..<0x30).map { "x\(Character(Unicode.Scalar(UInt8($0))))y" }

    @Test(arguments: texts) func `an answer to an attempt is written the same`(text: String) throws
    {
        for name in [nil, text] {
            let transaction = TransactionBody(
                transactionId: "2000000000000001", originalTransactionId: text, productId: text,
                quantity: 10, purchaseDate: Timestamp(milliseconds: -1),
                originalPurchaseDate: Timestamp(milliseconds: 1_700_000_000_123),
                attemptId: text, deviceGuid: text, applicationUsername: name)
            for state in AttemptState.allCases {
                let body = AttemptAnswerBody(
                    attemptId: text, state: state, transaction: transaction, refusal: nil,
                    receiptRevision: .max)
                #expect(try WireJSON.encode(body) == usual(body))
            }
        }
    }

    @Test(arguments: RefusalCode.allCases) func `a refusal is written the same`(
        code: RefusalCode
    ) throws {
        for message in Self.texts {
            let body = AttemptAnswerBody(
                attemptId: "A", state: .refused, transaction: nil,
                refusal: RefusalBody(code: code, message: message), receiptRevision: 0)
            #expect(try WireJSON.encode(body) == usual(body))
        }
    }
}
