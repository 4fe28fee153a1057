import Foundation
import StoreWire
import Testing

@testable import AppStoreServer

/// The log has one line for each receipt that was sent, with the status that was answered.
struct VerifyReceiptLogTests {
    private typealias Fixture = SubscriptionFixture

    /// What the log says of one request: event and status of each line about a receipt.
    private func said(
        of store: TestStore, _ body: () async throws -> Void
    ) async throws -> [String] {
        let before = store.lines.all.count
        try await body()
        return try store.lines.all.dropFirst(before).compactMap { line in
            let line = try JSONValue(parsing: Array(line.utf8))
            guard let event = line["event"]?.string, event.hasPrefix("receipt"),
                event != "receiptIssued"
            else { return nil }
            return "\(event) \(line["status"]?.integer ?? -1)"
        }
    }

    @Test func `each verifyReceipt answer is logged once with its status`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        let unified = try await store.store.receipt(token: store.token)
        let own = try await store.transactionReceipt(of: bought.transactionId)
        func expect(
            _ line: String, _ receipt: [UInt8], with password: String? = nil
        ) async throws {
            let lines = try await said(of: store.store) {
                _ = try await store.verify(receipt, with: password)
            }
            #expect(lines == [line])
        }
        try await expect("receiptVerified 0", unified)
        try await expect("receiptVerified 0", own)
        try await expect("receiptRefused 21004", own, with: "wrong")
        try await expect("receiptRefused 21002", [0])
        let elsewhere = try await said(of: store.store) {
            _ = try await store.store.verify(unified, at: "/production")
        }
        #expect(elsewhere == ["receiptRefused 21007"])
        try await store.change(bought.transactionId, "expire")
        try await expect("receiptVerified 0", unified)
        try await expect("receiptVerified 21006", own)
        let database = store.store.registry.defaultWorld.database
        try database.write { _ = try $0.execute("UPDATE subscription SET period = 'P5D'") }
        try await expect("receiptRefused 21009", unified)
        try await expect("receiptRefused 21009", own)
    }

    @Test func `a large latest receipt is logged once`() async throws {
        let store = try await Fixture(pace: .oneRenewalEveryTwoSeconds)
        try await store.buy()
        let receipt = try await store.store.receipt(token: store.token)
        try await store.advance(to: "2026-01-31T10:10:00Z")
        let lines = try await said(of: store.store) {
            let answer = try await store.verify(receipt)
            let count = answer["latest_receipt_info"]?.array?.count ?? 0
            #expect(count > Limits.quickReceiptPurchasesMax)
        }
        #expect(lines == ["receiptVerified 0"])
    }
}
