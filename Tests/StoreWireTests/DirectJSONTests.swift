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

    @Test(arguments: texts) func `the direct writer and the encoder agree on a purchase answer`(
        text: String
    ) throws {
        for name in [nil, text] {
            var transaction = TransactionBody(
                transactionId: "2000000000000001", originalTransactionId: text, productId: text,
                quantity: 10, purchaseDate: Timestamp(milliseconds: -1),
                originalPurchaseDate: Timestamp(milliseconds: 1_700_000_000_123),
                attemptId: text, deviceGuid: text, applicationUsername: name)
            let download = DownloadBody(
                contentIdentifier: text, contentVersion: text, contentLength: .max)
            transaction.downloads = name.map { _ in [download, download] }
            transaction.isFinished = name.map(\.isEmpty)
            for state in AttemptState.allCases {
                let body = AttemptAnswerBody(
                    attemptId: text, state: state, transaction: transaction, refusal: nil,
                    receiptRevision: .max,
                    receipts: name.map {
                        SentReceiptsBody(receipt: $0, revision: -1, transactionReceipt: text)
                    })
                #expect(try WireJSON.encode(body) == usual(body))
            }
        }
    }

    // Parts of a JWS are letters, digits and full stops.
    @Test(arguments: texts) func `the direct writer and the encoder agree on signed data`(
        text: String
    ) throws {
        for isFull in [false, true] {
            let transaction = SignedTransactionBody(
                transactionId: text, attemptId: text, deviceGuid: text,
                isFinished: isFull ? true : nil, transaction: "ey.J_-")
            let group = SignedGroupBody(
                groupId: text, isEligibleForIntroductoryOffer: isFull,
                statuses: Array(
                    repeating: SignedStatusBody(
                        status: 1, originalTransactionId: text, transaction: "a.b",
                        renewal: "c.d"), count: isFull ? 2 : 0))
            let groups = isFull ? [group, group] : nil
            let changes = SignedChangesBody(
                header: isFull ? "head" : nil,
                transactions: isFull ? [transaction, transaction] : [], groups: groups,
                cursor: .max, hasMore: isFull)
            #expect(try WireJSON.encode(changes) == usual(changes))
            let attempt = AttemptAnswerBody(
                attemptId: text, state: .done, transaction: nil, refusal: nil, receiptRevision: 1,
                signed: SignedPurchaseBody(
                    header: "head", transaction: transaction, groups: groups))
            #expect(try WireJSON.encode(attempt) == usual(attempt))
        }
    }

    @Test(arguments: texts) func `the direct writer and the encoder agree on a restore answer`(
        text: String
    ) throws {
        for name in [nil, text] {
            let transaction = TransactionBody(
                transactionId: "2000000000000002", originalTransactionId: text, productId: text,
                quantity: 1, purchaseDate: Timestamp(milliseconds: 2),
                originalPurchaseDate: Timestamp(milliseconds: 1), attemptId: text,
                deviceGuid: text, applicationUsername: name,
                original: OriginalBody(
                    transactionId: text, productId: text, quantity: 10,
                    purchaseDate: Timestamp(milliseconds: -1), applicationUsername: name))
            for count in 0...2 {
                let body = RestoreAnswerBody(
                    transactions: Array(repeating: transaction, count: count), next: name,
                    receiptRevision: .max)
                #expect(try WireJSON.encode(body) == usual(body))
            }
        }
    }

    @Test(arguments: texts) func `the direct writer and the encoder agree on a transaction list`(
        text: String
    ) throws {
        for name in [nil, text] {
            let transaction = TransactionBody(
                transactionId: text, originalTransactionId: "2000000000000001", productId: text,
                quantity: 3, purchaseDate: Timestamp(milliseconds: 2),
                originalPurchaseDate: Timestamp(milliseconds: -1), attemptId: text,
                deviceGuid: text, applicationUsername: name)
            let consent = DevicePriceConsentBody(
                number: 1, state: .pending, productId: text, oldPriceMilliunits: 0,
                newPriceMilliunits: .max, currency: text)
            for count in 0...2 {
                let list = UnfinishedBody(
                    transactions: Array(repeating: transaction, count: count), cursor: .min,
                    receiptRevision: .max,
                    priceConsents: Array(repeating: consent, count: count),
                    storefront: count == 1 ? nil : text)
                #expect(try WireJSON.encode(list) == usual(list))
            }
        }
    }

    @Test(arguments: RefusalCode.allCases)
    func `the direct writer and the encoder agree on a refusal`(
        code: RefusalCode
    ) throws {
        for message in Self.texts {
            let body = AttemptAnswerBody(
                attemptId: "A", state: .refused, transaction: nil,
                refusal: RefusalBody(code: code, message: message), receiptRevision: 0)
            #expect(try WireJSON.encode(body) == usual(body))
        }
    }

    @Test func `members already written can be repeated elsewhere`() {
        var writer = JSONWriter(capacity: 1)
        writer.object {
            let start = $0.bytes.count
            $0.member("time", "_ms", plain: "1")
            $0.member("text", "\"")
            let place = start..<$0.bytes.count
            $0.array("again", count: 2) { writer, number in
                writer.object {
                    if number == 1 { $0.member("number", 1) }
                    $0.members(at: place)
                }
            }
        }
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == #"""
                {"time_ms":"1","text":"\"","again":[{"time_ms":"1","text":"\""},\#
                {"number":1,"time_ms":"1","text":"\""}]}
                """#)
    }
}
