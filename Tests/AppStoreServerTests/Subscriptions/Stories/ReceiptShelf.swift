import Foundation
import StoreModel
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// Every receipt that one device has had, and what `verifyReceipt` answers to them.
struct ReceiptShelf {
    private struct Receipt {
        let bytes: [UInt8]
        /// The device that it was made for.
        let guid: String
        let createdAt: Timestamp
        /// Oldest first.
        let records: [ReceiptRecord]
        let hasSubscriptions: Bool
    }

    private let shop: SubscriptionFixture
    private let whose: String
    private let token: String
    private var receipts: [Receipt] = []

    init(_ shop: SubscriptionFixture, of name: String?, token: String) {
        self.shop = shop
        whose = name.map { "\($0)'s " } ?? ""
        self.token = token
    }

    /// The receipt that the device gets now, when it is another, and what is answered to it and to
    /// every older one.
    mutating func next(_ numbers: SaleNumbers) async throws -> [String] {
        let bytes = try await shop.store.receipt(token: token, in: shop.base)
        let receipt = try read(bytes)
        var lines: [String] = []
        if receipts.last?.bytes == bytes {
            lines.append("  \(whose)receipt as before")
        } else {
            lines.append("  \(whose)receipt of \(receipt.createdAt.told)")
            lines += receipt.records.map { "    " + $0.line(numbers, among: receipt.records) }
            receipts.append(receipt)
        }
        let answer = try await shop.verify(bytes)
        lines += try await tell(answer, to: receipt, numbers)
        return try await lines + older(than: receipt, answered: answer, numbers)
    }

    private var now: Timestamp {
        shop.store.registry.defaultWorld.time.now().roundedDownToSecond
    }

    private func read(_ bytes: [UInt8]) throws -> Receipt {
        let verified = try shop.store.parts.verifier.verify(bytes)
        #expect("/\(verified.environment.rawValue)" == shop.base)
        #expect(verified.payload.bundleID == TestStore.bundleID)
        let purchases = verified.payload.purchases.sorted {
            ($0.purchasedAt, $0.transactionID) < ($1.purchasedAt, $1.transactionID)
        }
        let records = purchases.map { ReceiptRecord($0) }
        #expect(Set(records.map(\.transaction)).count == records.count)
        let items = records.compactMap(\.lineItem)
        #expect(Set(items).count == items.count)
        let receipt = Receipt(
            bytes: bytes, guid: try guid(of: verified.payload),
            createdAt: verified.payload.createdAt, records: records,
            hasSubscriptions: purchases.contains { $0.kind == .autoRenewable })
        #expect(receipts.allSatisfy { $0.guid == receipt.guid })
        return receipt
    }

    /// Of the devices that there are, the one whose hash the receipt has.
    private func guid(of payload: ReceiptPayload) throws -> String {
        let guids = try shop.store.registry.defaultWorld.database.read {
            try $0.rows("SELECT guid FROM device").map { $0.text(0) }
        }
        let fitting = guids.filter {
            payload.deviceHash
                == receiptDeviceHash(
                    guid: AppStoreServer.bytes(ofUUID: $0), opaqueValue: payload.opaqueValue,
                    bundleID: payload.bundleID)
        }
        #expect(fitting.count == 1)
        return try #require(fitting.first)
    }

    private func inApp(_ answer: JSONValue) throws -> [ReceiptRecord] {
        try #require(answer["receipt"]?["in_app"]?.array).map { try ReceiptRecord($0) }
    }

    /// The newest receipt is answered with what it says, and is the latest itself.
    private func tell(
        _ answer: JSONValue, to receipt: Receipt, _ numbers: SaleNumbers
    ) async throws -> [String] {
        let status = try #require(answer["status"]?.integer)
        guard status == 0 else { return ["  answers \(status)"] }
        #expect(try inApp(answer) == receipt.records)
        #expect(try answer["receipt"]?.date("receipt_creation_date") == receipt.createdAt)
        guard receipt.hasSubscriptions else {
            #expect(answer["latest_receipt"] == nil && answer["latest_receipt_info"] == nil)
            return ["  answers 0"]
        }
        #expect(answer["latest_receipt"]?.string == Data(receipt.bytes).base64EncodedString())
        let latest = try #require(answer["latest_receipt_info"]?.array)
        #expect(Set(try latest.map { try ReceiptRecord($0) }) == Set(receipt.records))
        try await checkNewest(of: latest, receipt)
        let list = latest.map { ReceiptRecord.reference($0, numbers) }.joined(separator: ", ")
        let pending = try #require(answer["pending_renewal_info"]?.array)
        return ["  answers 0, latest \(list)"]
            + (try pending.map { "  pending " + (try ReceiptRecord.renewal($0, numbers)) })
    }

    /// Without the old ones there is one period of each subscription, the newest, and the rest.
    private func checkNewest(of latest: [JSONValue], _ receipt: Receipt) async throws {
        var seen: Set<String> = []
        let newest = latest.filter { purchase in
            guard purchase["expires_date"] != nil else { return true }
            return seen.insert(purchase["original_transaction_id"]?.string ?? "").inserted
        }
        let short = try await shop.verify(receipt.bytes, excludesOld: true)
        #expect(short["latest_receipt_info"]?.array == newest)
    }

    /// Older receipts are answered with what they said when they were signed; what is answered
    /// otherwise is listed. All else is as for the newest one.
    private func older(
        than newest: Receipt, answered: JSONValue, _ numbers: SaleNumbers
    ) async throws -> [String] {
        var changed: [String] = []
        for receipt in receipts.dropLast() {
            let answer = try await shop.verify(receipt.bytes)
            let told = try inApp(answer)
            #expect(told.map(\.transaction) == receipt.records.map(\.transaction))
            for record in told where !receipt.records.contains(record) {
                let line = "  older: " + record.line(numbers, among: told)
                if !changed.contains(line) { changed.append(line) }
            }
            #expect(try answer["receipt"]?.date("receipt_creation_date") == receipt.createdAt)
            guard receipt.hasSubscriptions else { continue }
            for name in ["latest_receipt_info", "pending_renewal_info"] {
                #expect(answer[name] == answered[name])
            }
            try check(try #require(answer["latest_receipt"]?.string), after: receipt, newest)
        }
        return changed
    }

    /// The latest receipt has what the device's has now.
    private func check(_ latest: String, after sent: Receipt, _ newest: Receipt) throws {
        let receipt = try read(Array(try #require(Data(base64Encoded: latest))))
        #expect(receipt.records == newest.records)
        if sent.records == newest.records {
            #expect(receipt.bytes == sent.bytes, "nothing is new")
        } else {
            #expect(receipt.createdAt == now)
        }
    }
}
