import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// The rules for payments that wait for an approval or whose price changed, one row per event.
@Suite struct AskToBuyStateTests {
    typealias Queue = QueueStateTests
    static let key = Queue.key
    static let ada = Queue.ada

    static let upToDeferred = Queue.upToPost + [.answered(key, .deferred)]
    static let journalled = [
        QueueEvent.journalLoaded([Queue.record("A", .approved(account: "ada"))], []),
        .answered(key, .deferred),
    ]

    static func declined(_ attemptId: String, of customer: Customer = ada) -> QueueEvent {
        .updates(
            [UpdateBody(number: 1, kind: .declined, transaction: nil, subject: attemptId)],
            receiptRevision: 5, customer)
    }

    static func purchased(_ customer: Customer = ada) -> QueueEvent {
        .updates(
            [Queue.update(.purchased, Queue.bought("1"))], receiptRevision: 6, customer)
    }

    /// As when it was taken back, or finished by another device, before this one asked for news.
    static let approvedAndOver = QueueEvent.updates(
        [Queue.update(.purchased, Queue.finished("1"))], receiptRevision: 6, ada)

    static let changed = QueueEvent.answered(key, .priceChanged(nextAttemptId: "B"))
    static let upToNextPost =
        Queue.upToPost + [changed, .attemptWritten(key), Queue.approved, .approvalWritten(key)]

    static let rows = [
        Queue.Row(
            name: "a deferred payment is told and not asked for again", events: upToDeferred,
            actions: ["tell A deferred"]),
        Queue.Row(
            name: "its approval comes as a purchase", events: upToDeferred + [purchased()],
            actions: ["receipt 6 A"]),
        Queue.Row(
            name: "a list may hold it as well",
            events: upToDeferred + [.listed([Queue.bought("1")], receiptRevision: 6, ada)],
            actions: ["receipt 6 A"]),
        Queue.Row(
            name: "a list without it lets it be asked for once",
            events: upToDeferred + [.listed([], receiptRevision: 5, ada)],
            actions: ["post A 0", "receipt 5 "]),
        Queue.Row(
            name: "which is no news when it still waits",
            events: upToDeferred + [
                .listed([], receiptRevision: 5, ada), .answered(key, .deferred),
            ], actions: []),
        Queue.Row(
            name: "a decided one is asked for", events: upToDeferred + [declined("A")],
            actions: ["post A 0", "receipt 5 "]),
        Queue.Row(
            name: "and fails by its answer",
            events: upToDeferred + [declined("A"), .answered(key, .refused(Queue.reason))],
            actions: ["write A", "tell A failed 3"]),
        Queue.Row(
            name: "a lost answer to that stays deferred",
            events: upToDeferred + [declined("A"), .answered(key, .lost)],
            actions: ["post A 1"]),
        Queue.Row(
            name: "a decision before the answer that it is deferred is not missed",
            events: Queue.upToPost + [declined("A"), .answered(key, .deferred)],
            actions: ["tell A deferred", "post A 0"]),
        Queue.Row(
            name: "nor one before a list",
            events: Queue.upToPost + [
                .listed([], receiptRevision: 5, ada), .answered(key, .deferred),
            ], actions: ["tell A deferred", "post A 0"]),
        Queue.Row(
            name: "one that was approved and is over by then is asked for",
            events: upToDeferred + [approvedAndOver], actions: ["post A 0", "receipt 6 "]),
        Queue.Row(
            name: "and leaves by its answer",
            events: upToDeferred + [
                approvedAndOver, .answered(key, .done(Queue.finished("1"), receiptRevision: 6)),
            ], actions: ["forget A", "removed A"]),
        Queue.Row(
            name: "so is one that is finished elsewhere in the same news",
            events: upToDeferred + [
                .updates(
                    [
                        Queue.update(.purchased, Queue.bought("1")),
                        Queue.update(.finished, Queue.bought("1")),
                    ], receiptRevision: 6, ada)
            ], actions: ["post A 0", "receipt 6 "]),
        Queue.Row(
            name: "and one that was over before the answer that it is deferred",
            events: Queue.upToPost + [approvedAndOver, .answered(key, .deferred)],
            actions: ["tell A deferred", "post A 0"]),
        Queue.Row(
            name: "it is asked for once, not for ever",
            events: Queue.upToPost + [
                declined("A"), .answered(key, .deferred), .answered(key, .deferred),
            ], actions: []),
        Queue.Row(
            name: "another attempt's decision is nothing", events: upToDeferred + [declined("Z")],
            actions: ["receipt 5 "]),
        Queue.Row(
            name: "another account's is nothing",
            events: upToDeferred + [declined("A", of: Queue.bob)], actions: ["receipt 5 "]),
        Queue.Row(
            name: "another world's is nothing at all",
            events: upToDeferred + [declined("A", of: Queue.adaElsewhere)], actions: []),
        Queue.Row(
            name: "another account's list asks for nothing",
            events: upToDeferred + [.listed([], receiptRevision: 5, Queue.bob)],
            actions: ["receipt 5 "]),
        Queue.Row(
            name: "a deferred one cannot be finished", events: upToDeferred + [.finishCalled(key)],
            actions: []),
        Queue.Row(
            name: "after a launch it is told with the list",
            events: journalled + [.listed([], receiptRevision: 5, ada)],
            actions: ["post A 0", "tell A deferred", "receipt 5 "]),
        Queue.Row(
            name: "asked for while signed out, it waits for its account",
            events: upToDeferred + [declined("A"), .answered(key, .signedOut)], actions: ["say"]),
        Queue.Row(
            name: "and goes on with it",
            events: upToDeferred + [
                declined("A"), .answered(key, .signedOut), .signedIn(ada),
            ], actions: ["post A 0"]),
        Queue.Row(
            name: "a changed price begins anew under another id",
            events: Queue.upToPost + [changed], actions: ["forget A", "write A"]),
        Queue.Row(
            name: "and shows the sheet", events: Queue.upToPost + [changed, .attemptWritten(key)],
            actions: ["sheet A"]),
        Queue.Row(
            name: "so does one that is learned of after a lost answer",
            events: Queue.upToPost + [.answered(key, .lost), changed, .attemptWritten(key)],
            actions: ["sheet A"]),
        Queue.Row(
            name: "what the next attempt bought is known by its id",
            events: upToNextPost + [
                .updates(
                    [Queue.update(.purchased, Queue.bought("1", attempt: "B"))],
                    receiptRevision: 6, ada)
            ], actions: ["receipt 6 A"]),
        Queue.Row(
            name: "and leaves the journal by it",
            events: upToNextPost + [
                .answered(key, .done(Queue.bought("1", attempt: "B"), receiptRevision: 6)),
                .receiptReady([key]),
            ], actions: ["forget B", "tell A purchased 1"]),
        Queue.Row(
            name: "a cancelled second sheet fails it",
            events: Queue.upToPost + [
                changed, .attemptWritten(key), .sheetEnded(key, .ended(SheetFlow.cancelled)),
            ], actions: ["write A", "tell A failed 2"]),
        Queue.Row(
            name: "nobody is asked again for a payment of an earlier process",
            events: [journalled[0], changed], actions: ["write A", "list"]),
    ]

    @Test(arguments: rows)
    func `a queue event in Ask to Buy leads to the actions of its row`(row: QueueStateTests.Row) {
        var state = QueueState(deviceGuid: Queue.device, world: "W")
        var last: [QueueAction] = []
        for event in row.events { last = state.apply(event) }
        #expect(last.map(Queue.describe) == row.actions)
    }

    @Test func `a price that keeps changing ends the payment`() {
        var state = QueueState(deviceGuid: Queue.device, world: "W")
        for event in Queue.upToPost { _ = state.apply(event) }
        var ids: [String] = []
        var actions: [QueueAction] = []
        for round in 1...10 {
            actions = state.apply(
                .answered(Self.key, .priceChanged(nextAttemptId: "attempt-\(round)")))
            guard case .writeAttempt(let item)? = actions.last else { break }
            if let id = item.attemptId { ids.append(id) }
            for event in [
                QueueEvent.attemptWritten(Self.key), Queue.approved, .approvalWritten(Self.key),
            ] { _ = state.apply(event) }
        }
        #expect(ids.count == QueueState.sheetRoundsMax - 1)
        #expect(Set(ids).count == ids.count)
        #expect(actions.map(Queue.describe) == ["write A", "tell A failed 0"])
    }

    @Test func `each post of an attempt has the same terms, also after a relaunch`() throws {
        var state = QueueState(deviceGuid: Queue.device, world: "W")
        let price = ShownPrice(milliunits: 990, currency: "USD")
        var payment = Queue.payment
        payment.simulatesAskToBuyInSandbox = true
        _ = state.apply(.paymentAdded(attemptId: "A", payment, atMilliseconds: 1))
        _ = state.apply(.attemptWritten(Self.key))
        let written = state.apply(.sheetEnded(Self.key, .approved(Self.ada, price)))
        guard case .writeAttempt(let item)? = written.first,
            let record = item.record(scope: Queue.record("A", .written).scope)
        else {
            Issue.record("nothing was written")
            return
        }
        #expect(record.terms == AttemptTerms(shownPrice: price, simulatesAskToBuy: true))
        #expect(QueueItem(key: Self.key, record).terms == record.terms)
    }
}
