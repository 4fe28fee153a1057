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

    /// Holds up the large work until the body has ended.
    private func whileHeldUp(_ body: () async throws -> Void) async throws {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        store.parts.runLarge(Responder { _ in }) { gate.wait() }
        try await body()
    }

    /// Waits until all that was begun is done.
    private func settle() async {
        await withCheckedContinuation { continuation in
            store.parts.runLarge(Responder { _ in }) { continuation.resume() }
        }
    }

    private func verify(letters: Int) -> [UInt8] {
        Array(#"{"receipt-data":"\#(String(repeating: "A", count: letters))"}"#.utf8)
    }

    @Test func `large bodies of verifyReceipt wait, and purchases go on`() async throws {
        let answers = Lines()
        try await whileHeldUp {
            store.start(
                "POST", "/sandbox/verifyReceipt", body: verify(letters: Limits.quickBodyMax)
            ) { answers.add(String(decoding: $0.body, as: UTF8.self)) }
            _ = try await store.buy(Samples.fuel, token: token)
            let small = await store.send(
                "POST", "/sandbox/verifyReceipt", body: verify(letters: 4))
            #expect(String(decoding: small.body, as: UTF8.self).contains("21002"))
            #expect(answers.all.isEmpty)
        }
        await settle()
        #expect(answers.all.count == 1)
        #expect(answers.all.first?.contains("21002") == true)
    }

    @Test func `large receipts are made apart, and purchases go on`() async throws {
        _ = try await store.buy(Samples.fuel, token: token)
        _ = try store.registry.defaultWorld.database.write { scope in
            try scope.execute(
                "UPDATE receipt_revision SET revision = ?1",
                [.integer(Limits.quickReceiptPurchasesMax)])
        }
        let path = "/sandbox/device/v1/receipt"
        let quick = await store.send("GET", path, token: token)
        #expect(quick.status == 200)
        let answers = Lines()
        try await whileHeldUp {
            _ = try await store.buy(Samples.fuel, token: token)
            store.start("GET", path, token: token) { answers.add("\($0.status)") }
            _ = try await store.buy(Samples.fuel, token: token)
            #expect(answers.all.isEmpty)
        }
        await settle()
        #expect(answers.all == ["200"])
    }

    @Test func `nothing is done for a request that was answered meanwhile`() async throws {
        let done = Lines()
        try await whileHeldUp {
            let responder = Responder { _ in }
            store.parts.runLarge(responder) { done.add("it") }
            responder.expire()
        }
        await settle()
        #expect(done.all.isEmpty)
    }
}
