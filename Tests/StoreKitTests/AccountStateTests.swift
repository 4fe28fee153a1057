import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// What the app sees of whose transactions, one row per event.
@Suite struct AccountStateTests {
    typealias Rules = QueueStateTests

    static let key = Rules.key
    static let settled = Rules.upToSettled
    /// Its account is back, and its receipt is on the way.
    static let comingBack =
        settled + [
            .signedIn(Rules.bob), .signedIn(Rules.ada),
            .listed([Rules.bought("1")], receiptRevision: 5, Rules.ada),
        ]

    static let rows = [
        Rules.Row(
            name: "another account hides what the first one bought",
            events: settled + [.signedIn(Rules.bob)], actions: ["hide A"]),
        Rules.Row(
            name: "signing out hides it, too",
            events: settled + [.signedOut(worldId: "W")], actions: ["hide A"]),
        Rules.Row(
            name: "signing out of another world does not",
            events: settled + [.signedOut(worldId: "V")], actions: []),
        Rules.Row(
            name: "the same account hides nothing",
            events: settled + [.signedIn(Rules.ada)], actions: []),
        Rules.Row(
            name: "its account is back, and the list is waited for",
            events: settled + [.signedIn(Rules.bob), .signedIn(Rules.ada)], actions: []),
        Rules.Row(
            name: "the list brings it back, its receipt first",
            events: comingBack, actions: ["receipt 5 A"]),
        Rules.Row(
            name: "and then it is told again",
            events: comingBack + [.receiptReady([key])],
            actions: ["forget A", "tell A purchased 1"]),
        Rules.Row(
            name: "what the app finishes while it comes back is finished",
            events: comingBack + [.finishCalled(key)], actions: ["writeFinish 1 ada"]),
        Rules.Row(
            name: "and is not told again when its receipt comes",
            events: comingBack + [.finishCalled(key), .finishWritten(key), .receiptReady([key])],
            actions: []),
        Rules.Row(
            name: "a finish that cannot be written lets it come back with its receipt",
            events: comingBack + [
                .finishCalled(key), .finishNotWritten(key), .receiptReady([key]),
            ], actions: ["forget A", "tell A purchased 1"]),
        Rules.Row(
            name: "sent before its receipt came, it leaves",
            events: comingBack + [
                .finishCalled(key), .finishWritten(key), .finishSent(Rules.name("1")),
            ], actions: ["removed A"]),
        Rules.Row(
            name: "what another device finished meanwhile leaves",
            events: settled + [
                .signedIn(Rules.bob), .signedIn(Rules.ada),
                .listed([], receiptRevision: 6, Rules.ada),
            ], actions: ["removed A", "receipt 6 "]),
        Rules.Row(
            name: "the other account's list does not touch it",
            events: settled + [
                .signedIn(Rules.bob), .listed([], receiptRevision: 6, Rules.bob),
            ], actions: ["receipt 6 "]),
        Rules.Row(
            name: "what the app still holds of it can be finished",
            events: settled + [.signedIn(Rules.bob), .finishCalled(key)],
            actions: ["writeFinish 1 ada"]),
        Rules.Row(
            name: "a payment on its way is hidden, and asked for when its account is back",
            events: Rules.upToPost + [
                .answered(key, .lost), .answered(key, .signedOut), .signedIn(Rules.bob),
                .signedIn(Rules.ada),
            ], actions: ["tell A purchasing", "post A 0"]),
        Rules.Row(
            name: "a receipt that comes late tells another account nothing",
            events: Rules.upToDone + [.signedIn(Rules.bob), .receiptReady([key])],
            actions: ["forget A"]),
        Rules.Row(
            name: "nobody's payments are there for everybody",
            events: [Rules.added, .attemptWritten(key), .signedIn(Rules.bob)], actions: []),
        Rules.Row(
            name: "a failure stays until it is finished",
            events: Rules.upToPost + [
                .answered(key, .refused(Rules.reason)), .signedIn(Rules.bob),
            ], actions: []),
        Rules.Row(
            name: "a payment that nobody bought is shown again, and its sheet follows",
            events: Rules.upToPost + [.signedIn(Rules.bob), .answered(key, .signedOut)],
            actions: ["tell A purchasing", "forget A", "write A"]),
    ]

    @Test(arguments: rows)
    func `each account sees only its own transactions`(row: QueueStateTests.Row) {
        var state = QueueState(deviceGuid: Rules.device, world: "W", present: Rules.ada)
        var last: [QueueAction] = []
        for event in row.events { last = state.apply(event) }
        #expect(last.map(Rules.describe) == row.actions)
    }

    @Test func `the journal of a signed-out account is not delivered`() {
        var state = QueueState(deviceGuid: Rules.device, world: "W", present: Rules.bob)
        _ = state.apply(
            .journalLoaded([Rules.record("A", .approved(account: "ada"))], []))
        let actions =
            state.apply(.answered(Self.key, .signedOut)) + state.apply(.listFailed)
        #expect(actions.map(Rules.describe) == ["say", "list"])
    }
}
