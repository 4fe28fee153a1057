import StoreModel
import StoreWire
import Foundation
import Testing

@testable import StoreKit

/// The queue's rules, one row per event: no disk, no store, no thread.
@Suite struct QueueStateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let events: [QueueEvent]
        /// What the last event asks for.
        let actions: [String]
        var testDescription: String { name }
    }

    static let rows = purchaseRows + launchRows

    @Test(arguments: rows)
    func `a queue event leads to the actions of its row`(row: Row) {
        var state = QueueState(deviceGuid: Self.device, world: "W")
        var last: [QueueAction] = []
        for event in row.events { last = state.apply(event) }
        #expect(last.map(Self.describe) == row.actions)
    }

    @Test func `a receipt requested before a purchase does not deliver it`() throws {
        var state = QueueState(deviceGuid: Self.device, world: "W")
        var last: [QueueAction] = []
        for event in Self.openAndListed { last = state.apply(event) }
        guard case .bringReceipt(let keys, _, _)? = last.last else {
            Issue.record("no receipt is brought: \(last.map(Self.describe))")
            return
        }
        _ = state.apply(.answered(Self.key, .done(Self.bought("1"), receiptRevision: 6)))
        let early = state.apply(.receiptReady(keys))
        #expect(early.map(Self.describe) == ["tell transaction 9 purchased 9"])
        let late = state.apply(.receiptReady([Self.key]))
        #expect(late.map(Self.describe) == ["forget A", "tell A purchased 1"])
    }

    @Test func `a payment whose sign-in never lasts fails after a limited number of sheets`() {
        var state = QueueState(deviceGuid: Self.device, world: "W")
        for event in Self.upToPost { _ = state.apply(event) }
        var sheets = 0
        var actions = state.apply(.answered(Self.key, .signedOut))
        while actions.map(Self.describe) == ["forget A", "write A"], sheets < 10 {
            sheets += 1
            _ = state.apply(.attemptWritten(Self.key))
            _ = state.apply(Self.approved)
            _ = state.apply(.approvalWritten(Self.key))
            actions = state.apply(.answered(Self.key, .signedOut))
        }
        #expect(sheets == QueueState.sheetRoundsMax - 1)
        #expect(actions.map(Self.describe) == ["write A", "tell A failed 0"])
    }

    @Test func `a payment asked for again forgets the earlier approval`() throws {
        var state = QueueState(deviceGuid: Self.device, world: "W")
        for event in Self.upToPost { _ = state.apply(event) }
        guard case .writeAttempt(let item)? = state.apply(.answered(Self.key, .signedOut)).last
        else {
            Issue.record("nothing is written")
            return
        }
        let record = try #require(item.record(scope: StoreScope(url: URL(fileURLWithPath: "/"))))
        #expect(item.stage == .writing(wasApproved: true))
        #expect(record.stage == .written)
        #expect(record.terms == nil)
        #expect(record.attemptId == "A")
    }
}
