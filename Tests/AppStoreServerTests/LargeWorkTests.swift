import Dispatch
import StoreDatabase
import StoreHTTP
import StoreWire
import Testing

@testable import AppStoreServer

/// What takes long because it is large is done apart, one after the other, while purchases go on.
struct LargeWorkTests {
    private let store: TestStore
    private let token: String

    init() async throws {
        store = try TestStore()
        try await store.stock()
        token = try await store.signIn()
    }

    /// Holds up one kind of large work until the body has ended.
    private func whileHeldUp(
        _ work: StoreParts.LargeWork, _ body: () async throws -> Void
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        store.parts.runLarge(work, Responder { _ in }) { gate.wait() }
        try await body()
    }

    /// Waits until all that was begun is done.
    private func settle(_ work: StoreParts.LargeWork) async {
        await withCheckedContinuation { continuation in
            store.parts.runLarge(work, Responder { _ in }) { continuation.resume() }
        }
    }

    private static let receiptPath = "/sandbox/device/v1/receipt"

    /// Asks for the receipt, and goes on before the answer.
    private func askForReceipt() -> AsyncStream<HTTPResponse> {
        let (answers, continuation) = AsyncStream.makeStream(of: HTTPResponse.self)
        store.start("GET", Self.receiptPath, token: token) {
            continuation.yield($0)
            continuation.finish()
        }
        return answers
    }

    /// Has the receipt show so many purchases, all unfinished.
    private func fill(_ count: Int64) async throws -> TransactionBody {
        let bought = try await store.buy(Samples.fuel, token: token)
        try store.repeatPurchase(bought, Int(count) - 1)
        return bought
    }

    private func verify(letters: Int) -> [UInt8] {
        Array(#"{"receipt-data":"\#(String(repeating: "A", count: letters))"}"#.utf8)
    }

    @Test func `large verifyReceipt bodies queue up while purchases go on`() async throws {
        let answers = Lines()
        try await whileHeldUp(.body) {
            store.start(
                "POST", "/sandbox/verifyReceipt", body: verify(letters: Limits.quickBodyMax)
            ) { answers.add(String(decoding: $0.body, as: UTF8.self)) }
            _ = try await store.buy(Samples.fuel, token: token)
            let small = await store.send(
                "POST", "/sandbox/verifyReceipt", body: verify(letters: 4))
            #expect(String(decoding: small.body, as: UTF8.self).contains("21002"))
            #expect(answers.all.isEmpty)
        }
        await settle(.body)
        #expect(answers.all.count == 1)
        #expect(answers.all.first?.contains("21002") == true)
    }

    @Test func `large receipts are built separately while purchases go on`() async throws {
        _ = try await fill(Limits.quickReceiptPurchasesMax)
        let quick = await store.send("GET", Self.receiptPath, token: token)
        #expect(quick.status == 200)
        var waiting: AsyncStream<HTTPResponse>?
        try await whileHeldUp(.receipt) {
            _ = try await store.buy(Samples.fuel, token: token)
            waiting = askForReceipt()
            _ = try await store.buy(Samples.fuel, token: token)
        }
        let answer = try #require(await waiting?.first { _ in true })
        #expect(answer.status == 200)
        #expect(answer.headers[receiptRevisionHeader] == "\(Limits.quickReceiptPurchasesMax + 2)")
    }

    @Test
    func `a small receipt never waits for a large one, however many finished purchases there are`()
        async throws
    {
        let bought = try await fill(Limits.quickReceiptPurchasesMax + 1)
        let answers = Lines()
        try await whileHeldUp(.receipt) {
            store.start("GET", Self.receiptPath, token: token) { answers.add("\($0.status)") }
            #expect(answers.all.isEmpty)
            let finished = await store.send(
                "POST", "/sandbox/device/v1/transactions/\(bought.transactionId)/finish",
                token: token)
            #expect(finished.status == 200)
            #expect(await store.send("GET", Self.receiptPath, token: token).status == 200)
        }
        await settle(.receipt)
    }

    @Test func `a large receipt does not wait for another client's body`() async throws {
        _ = try await fill(Limits.quickReceiptPurchasesMax + 1)
        try await whileHeldUp(.body) {
            #expect(await store.send("GET", Self.receiptPath, token: token).status == 200)
        }
    }

    @Test func `a large receipt shows, by its revision, what was bought while it was being built`()
        async throws
    {
        _ = try await fill(Limits.quickReceiptPurchasesMax + 1)
        let second = DispatchSemaphore(value: 0)
        let begun = AsyncStream.makeStream(of: Void.self)
        var waiting: AsyncStream<HTTPResponse>?
        try await whileHeldUp(.receipt) {
            waiting = askForReceipt()
            store.parts.runLarge(.receipt, Responder { _ in }) {
                begun.continuation.finish()
                second.wait()
            }
        }
        do {
            defer { second.signal() }
            // The new receipt is noted by now, or waits in front of this purchase.
            for await _ in begun.stream {}
            _ = try await store.buy(Samples.fuel, token: token)
        }
        let answer = try #require(await waiting?.first { _ in true })
        let count = Limits.quickReceiptPurchasesMax + 2
        #expect(answer.headers[receiptRevisionHeader] == "\(count)")
        let shown = try await store.verify(answer.body)["receipt"]?["in_app"]?.array
        #expect(shown?.count == Int(count))
        #expect(try await store.receipt(token: token) == answer.body)
    }

    @Test func `no work is done for a request that was already answered`() async throws {
        let done = Lines()
        try await whileHeldUp(.body) {
            let responder = Responder { _ in }
            store.parts.runLarge(.body, responder) { done.add("it") }
            responder.expire()
        }
        await settle(.body)
        #expect(done.all.isEmpty)
    }
}
