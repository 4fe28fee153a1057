import Foundation
import Synchronization
import Testing

@testable import StoreKit

/// `SKReceiptRefreshRequest`.
@Suite struct ReceiptRefreshTests {
    final class Asker: NSObject, SKRequestDelegate, Sendable {
        let ends = Mutex<[String]>([])
        let receiptPath: String

        init(_ shop: Shop) {
            receiptPath = shop.home + "/StoreKit/sandboxReceipt"
        }

        func requestDidFinish(_ request: SKRequest) {
            let receipt = try? String(contentsOfFile: receiptPath, encoding: .utf8)
            ends.withLock { $0.append("finished with \(receipt ?? "nothing")") }
        }

        func request(_ request: SKRequest, didFailWithError error: any Error) {
            ends.withLock { $0.append("failed \((error as? SKError)?.code.rawValue ?? -1)") }
        }

        var heard: [String] { ends.withLock { $0 } }
    }

    private func refresh(
        _ shop: Shop, sheet: (any PaymentSheet)? = nil, _ properties: [String: Any]? = nil
    ) async throws -> [String] {
        let app = try shop.launch(sheet: sheet)
        let asker = Asker(shop)
        let request = SKReceiptRefreshRequest(
            receiptProperties: properties, refresh: ReceiptRefresh { app.engine })
        request.delegate = asker
        request.start()
        try await shop.sees("its end") { !asker.heard.isEmpty }
        return asker.heard
    }

    @Test func `a finished refresh has written the receipt, also without a sign-in`()
        async throws
    {
        let shop = try Shop()
        let heard = try await refresh(shop)
        #expect(heard == ["finished with receipt "])
        #expect(shop.store.count("sign-in") == 1)
        shop.store.state.withLock { $0.receiptWord = "another" }
        let heardAgain = try await refresh(shop)
        #expect(heardAgain == ["finished with another "])
    }

    @Test func `a started refresh that nobody keeps calls its delegate`() async throws {
        let shop = try Shop()
        let app = try shop.launch()
        let asker = Asker(shop)
        do {
            let request = SKReceiptRefreshRequest(
                receiptProperties: nil, refresh: ReceiptRefresh { app.engine })
            request.delegate = asker
            request.start()
        }
        try await shop.sees("its end") { !asker.heard.isEmpty }
        #expect(asker.heard == ["finished with receipt "])
    }

    @Test func `a refresh cancelled on the sheet fails as cancelled`() async throws {
        let shop = try Shop()
        let ends = try await refresh(shop, sheet: CancellingSheet())
        #expect(ends == ["failed \(SKError.paymentCancelled.rawValue)"])
        #expect(shop.receipt == nil)
    }

    @Test func `a refresh retries a store that is briefly down and keeps the file otherwise`()
        async throws
    {
        let shop = try Shop()
        shop.store.next("receipt", .status(503), .dropBefore)
        #expect(try await refresh(shop) == ["finished with receipt "])
        shop.store.state.withLock { $0.isDown = true }
        #expect(try await refresh(shop) == ["failed 0"])
        #expect(shop.receipt == "receipt ")
    }

    @Test func `refresh properties are sent in the store's terms`() {
        #expect(ReceiptProperties(nil).query == "")
        let all: [String: Any] = [
            SKReceiptPropertyIsExpired: true, SKReceiptPropertyIsRevoked: 1,
            SKReceiptPropertyIsVolumePurchase: NSNumber(value: true),
        ]
        #expect(ReceiptProperties(all).query == "?expired=1&revoked=1&volume=1")
        let none: [String: Any] = [
            SKReceiptPropertyIsExpired: false, SKReceiptPropertyIsRevoked: "yes",
        ]
        #expect(ReceiptProperties(none).query == "")
    }
}
