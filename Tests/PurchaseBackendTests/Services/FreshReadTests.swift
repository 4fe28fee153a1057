import Dispatch
import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import PurchaseBackend

/// Reads before whose answers the store is asked: nobody takes all the room, and the same is asked
/// once.
@Suite(.ownThreads) struct FreshReadTests {
    private typealias Answers = SubscriptionAnswers

    private static let club = "/v1/products/gold.month/content"
    private static let period = Answers.Period()

    /// A backend of subscriptions that asks before it lists them.
    private func rig(change: (inout BackendTimings) -> Void = { _ in }) throws -> Rig {
        try Rig(products: Rig.subscriptions, secret: "secret") {
            $0.listFreshMilliseconds = 1_000
            change(&$0)
        }
    }

    /// A user with a subscription about which the store was asked long ago.
    private func subscriber(
        _ rig: Rig, _ name: String, transaction: String = "1000000000000001",
        receipt: String = "cmVjZWlwdA=="
    ) throws -> (token: String, submission: String) {
        let token = try rig.signUp(name, forGood: true)
        let period = Answers.Period(transaction: transaction, original: transaction)
        rig.store.answer(
            .text(
                Answers.unified([period], [.init(original: transaction)], latest: receipt)))
        let submitted = try rig.submit(
            token, product: "gold.month", transaction: transaction, receipt: receipt)
        // It may have been answered as kept before.
        #expect(rig.parts.verificationPool.drain(milliseconds: 20_000))
        rig.clock.advance(milliseconds: 60_000)
        return (token, try submitted.outcome.submissionId)
    }

    private func subscriptions(_ answer: HTTPResponse) throws -> [UserSubscriptionBody] {
        try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body).subscriptions
    }

    @Test func `one user's reads take no place of another user's receipt and reads`() throws {
        let rig = try rig()
        let crowd = try subscriber(rig, "dora", receipt: "Y3Jvd2Q=")
        let other = try subscriber(rig, "emil", transaction: "77", receipt: "b3RoZXI=")
        let asked = rig.store.requests.count
        let gate = Gate()
        let periods = [
            Self.period, Answers.Period(transaction: "77", original: "77"),
            Answers.Period(product: "radio", transaction: "9", original: "9"),
        ]
        rig.store.answer(
            .heldFor(
                "Y3Jvd2Q=", gate,
                Answers.unified(
                    periods, periods.map { .init(original: $0.original) },
                    at: rig.clock.now.milliseconds, latest: "b3RoZXI=")))
        let first = rig.begin("GET", "/v1/purchases", token: crowd.token)
        try eventually { rig.store.requests.count == asked + 1 }
        let paths = ["/v1/purchases", Self.club, "/v1/receipts/\(crowd.submission)"]
        let reads = (0..<300).map { rig.begin("GET", paths[$0 % 3], token: crowd.token) }
        #expect(!first.isThere)
        #expect(reads.count { !$0.isThere } == BackendLimits.readsWaitingMax)

        #expect(try rig.send("GET", Self.club, token: other.token).status == 200)
        #expect(rig.store.requests.count == asked + 2)
        let bought = try rig.submit(
            other.token, product: "radio", transaction: "9", receipt: "bmV3")
        #expect(bought.status == 200)
        let listed = try rig.send("GET", "/v1/purchases", token: other.token)
        #expect(try subscriptions(listed).count == 2)

        #expect(!first.isThere)
        gate.open()
        #expect(try first.answer().status == 200)
        for (index, read) in reads.enumerated() {
            let status = try read.answer().status
            // Content is not given without having asked.
            #expect(index % 3 == 0 ? status == 200 : [200, 503].contains(status))
        }
        #expect(rig.parts.reads.drain(milliseconds: 20_000))
        #expect(rig.store.requests.count == asked + 3, "the crowd had it asked once")
    }

    @Test func `reads that need the same check wait for one answer of the store`() throws {
        let rig = try Rig()
        let token = try rig.signUp(forGood: true)
        rig.store.verified(.init(product: "turbo"))
        let id = try rig.submit(token, product: "turbo").outcome.submissionId
        rig.clock.advance(milliseconds: 60_000)
        let gate = Gate()
        rig.store.answer(
            .held(gate, StoreAnswers.verified([.init(product: "turbo", isCancelled: true)])))
        let contents = (0..<20).map { _ in
            rig.begin("GET", "/v1/products/turbo/content", token: token)
        }
        let states = (0..<20).map { _ in rig.begin("GET", "/v1/receipts/\(id)", token: token) }
        try eventually { rig.store.requests.count == 2 }
        #expect((contents + states).allSatisfy { !$0.isThere })
        gate.open()
        for content in contents { #expect(try content.answer().status == 404) }
        for state in states { #expect(try state.answer().outcome.content == nil) }
        #expect(rig.store.requests.count == 2)
    }

    @Test func `a read waits for the check that the worker is making of the same grant`() throws {
        let rig = try Rig()
        let token = try rig.signUp(forGood: true)
        rig.store.verified(.init(product: "turbo"))
        _ = try rig.submit(token, product: "turbo")
        rig.clock.advance(milliseconds: 86_400_000)
        let gate = Gate()
        rig.store.answer(
            .held(gate, StoreAnswers.verified([.init(product: "turbo", isCancelled: true)])))
        let worker = rig.parts.grantWorker
        worker.round()
        try eventually { rig.store.requests.count == 2 }
        let content = rig.begin("GET", "/v1/products/turbo/content", token: token)
        let user = try #require(
            try rig.database.read {
                try SessionRecords.user($0, tokenHash: TokenMint.hash(token), now: rig.clock.now)
            })
        try eventually { worker.turns.waitingCount(user) == 1 }
        gate.open()
        #expect(try content.answer().status == 404)
        #expect(rig.store.requests.count == 2)
        #expect(worker.pool.drain(milliseconds: 20_000))
    }

    @Test func `the worker does not repeat the check of a subscription that a read is making`()
        throws
    {
        let rig = try rig()
        let user = try subscriber(rig, "dora")
        rig.clock.advance(milliseconds: Answers.day)
        let gate = Gate()
        rig.store.answer(
            .held(
                gate, Answers.unified([Self.period], at: rig.clock.now.milliseconds)))
        let content = rig.begin("GET", Self.club, token: user.token)
        try eventually { rig.store.requests.count == 2 }
        // As if a round had handed it out just before.
        let worker = rig.parts.subscriptionWorker
        let key = SubscriptionKey(environment: .production, original: "1000000000000001")
        let late = PendingCheck { try worker.turns.run(key) { try worker.checks.check(key) } }
        try eventually { worker.turns.waitingCount(key) == 1 }
        gate.open()
        #expect(try content.answer().status == 200)
        try late.end()
        #expect(rig.store.requests.count == 2)
    }

    @Test func `at the deadline the list shows what is known and no content is given`() throws {
        let rig = try rig { $0.answerDeadlineMilliseconds = 50 }
        let user = try subscriber(rig, "dora")
        let gate = Gate()
        var period = Self.period
        period.cancelledAt = period.begins + 1_000
        rig.store.answer(
            .held(gate, Answers.unified([period], at: rig.clock.now.milliseconds)))
        let listed = try rig.send("GET", "/v1/purchases", token: user.token)
        #expect(try subscriptions(listed).map(\.state) == [.active])
        for path in [Self.club, "/v1/receipts/\(user.submission)"] {
            #expect(try rig.send("GET", path, token: user.token).errorCode == "busy")
        }
        gate.open()
        #expect(rig.parts.reads.drain(milliseconds: 20_000))
        #expect(rig.store.requests.count == 2, "nobody waits for another answer")
        #expect(try rig.send("GET", Self.club, token: user.token).status == 404)
    }

    @Test func `a stopping backend answers waiting reads and lets a check under way end`() throws {
        let rig = try rig()
        let user = try subscriber(rig, "dora")
        let gate = Gate()
        rig.store.answer(
            .held(gate, Answers.unified([Self.period], at: rig.clock.now.milliseconds)))
        let listed = rig.begin("GET", "/v1/purchases", token: user.token)
        try eventually { rig.store.requests.count == 2 }
        let content = rig.begin("GET", Self.club, token: user.token)
        #expect(!content.isThere)
        rig.parts.reads.close()
        #expect(try content.answer().errorCode == "busy")
        #expect(try rig.send("GET", "/v1/purchases", token: user.token).status == 200)
        #expect(!listed.isThere)
        gate.open()
        #expect(try listed.answer().status == 200)
        #expect(rig.parts.reads.drain(milliseconds: 20_000))
    }
}

/// A check on a thread of its own.
private final class PendingCheck: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<Void, any Error>?>(nil)

    init(_ check: @escaping @Sendable () throws -> Void) {
        Thread.detachNewThread { [self] in
            let outcome = Result { try check() }
            result.withLock { $0 = outcome }
            done.signal()
        }
    }

    func end() throws {
        done.wait()
        try result.withLock { $0 }?.get()
    }
}
