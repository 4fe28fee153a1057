import Dispatch
import StoreModel
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import PurchaseBackend

@Suite(.ownThreads) struct GrantRaceTests {
    /// Runs a body on that many threads that start together.
    private func race(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let ready = DispatchSemaphore(value: 0)
        let gate = Gate()
        let done = DispatchGroup()
        for number in 0..<count {
            let queue = DispatchQueue(label: "race.\(number)")
            queue.async(group: done) {
                ready.signal()
                gate.wait()
                body(number)
            }
        }
        for _ in 0..<count { ready.wait() }
        gate.open()
        done.wait()
    }

    private final class Results: Sendable {
        private let values = Mutex<[ReceiptOutcomeBody.Status: Int]>([:])

        var all: [ReceiptOutcomeBody.Status: Int] { values.withLock { $0 } }

        func add(_ status: ReceiptOutcomeBody.Status) {
            values.withLock { $0[status, default: 0] += 1 }
        }
    }

    @Test func `of 16 concurrent submissions of one transaction, one is granted`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let results = Results()
        race(16) { number in
            guard
                let answer = try? rig.submit(token, passThrough: ["number": "\(number)"]),
                let status = try? answer.outcome.status
            else { return }
            results.add(status)
        }
        #expect(results.all == [.granted: 1, .alreadyGranted: 15])
        #expect(try rig.count("SELECT count(*) FROM grants") == 1)
    }

    @Test func `of 16 users submitting one transaction concurrently, one gets it`() throws {
        let rig = try Rig()
        let tokens = try (0..<16).map { try rig.signUp("user\($0)") }
        rig.store.verified(.init(product: "turbo"))
        let results = Results()
        race(16) { number in
            guard let answer = try? rig.submit(tokens[number], product: "turbo"),
                let status = try? answer.outcome.status
            else { return }
            results.add(status)
        }
        #expect(results.all == [.granted: 1, .refused: 15])
        #expect(try rig.count("SELECT count(*) FROM grants") == 1)
    }

    @Test func `a request and the worker racing on one submission grant it once`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let id = SubmissionID(try rig.submit(token).outcome.submissionId)
        rig.store.verified(.init())
        let settler = rig.parts.settler
        let box = Outcomes()
        race(8) { _ in
            if let outcome = try? settler.settle(id, requestID: "race") { box.add(outcome) }
        }
        let granted = SettlementOutcome.granted(
            productID: "coins", transactionID: "1000000000000001")
        #expect(box.all.count == 8)
        #expect(box.all.filter { $0 == granted }.count == 1)
        #expect(
            try rig.count("SELECT count(*) FROM submission_events WHERE state = 'granted'") == 1)
    }
}

private final class Outcomes: Sendable {
    private let outcomes = Mutex<[SettlementOutcome]>([])

    var all: [SettlementOutcome] { outcomes.withLock { $0 } }

    func add(_ outcome: SettlementOutcome) { outcomes.withLock { $0.append(outcome) } }
}
