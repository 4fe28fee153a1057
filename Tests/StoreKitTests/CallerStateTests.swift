import StoreModel
import Testing

@testable import StoreKit

/// The rules of the queue for payments whose caller waits.
@Suite struct CallerStateTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let events: [QueueEvent]
        /// What the last event leads to.
        let actions: [String]
    }

    private typealias Samples = QueueStateTests

    private static let called = QueueEvent.paymentAdded(
        attemptId: "A", Samples.payment, atMilliseconds: 1, isForCaller: true)
    private static let upToPost: [QueueEvent] = [
        called, .attemptWritten(Samples.key), Samples.approved, .approvalWritten(Samples.key),
    ]
    private static func answered(_ outcome: PostOutcome) -> [QueueEvent] {
        upToPost + [.answered(Samples.key, outcome)]
    }
    private static let done = answered(.done(Samples.bought("1"), receiptRevision: 5))

    static let rows: [Row] = [
        Row(
            testDescription: "a purchase goes to the copy and not to the receipt",
            events: done, actions: ["signed A"]),
        Row(
            testDescription: "once it is in the copy the journal forgets it and the caller hears",
            events: done + [.receiptReady([Samples.key])],
            actions: ["forget A", "tell A purchased 1"]),
        Row(
            testDescription: "a refusal is forgotten and told, and nothing is left to finish",
            events: answered(.refused(Samples.reason)),
            actions: ["forget A", "tell A failed \(Samples.reason.code)"]),
        Row(
            testDescription: "a cancelled sheet is forgotten and told",
            events: [
                called, .attemptWritten(Samples.key),
                .sheetEnded(Samples.key, .ended(SheetFlow.cancelled)),
            ],
            actions: ["forget A", "tell A failed \(SheetFlow.cancelled.code)"]),
        Row(
            testDescription: "a request for approval frees the caller",
            events: answered(.deferred), actions: ["tell A deferred"]),
        Row(
            testDescription: "an answer with the period that runs is told like a purchase",
            events: answered(.done(Samples.periodThatGoesOn, receiptRevision: 5))
                + [.receiptReady([Samples.key])],
            actions: ["forget A", "tell A purchased 7"]),
        Row(
            testDescription: "what another device finished meanwhile is told all the same",
            events: answered(.done(Samples.finished("1"), receiptRevision: 5)),
            actions: ["signed A"]),
        Row(
            testDescription: "an answer that was lost is asked for again",
            events: answered(.lost), actions: ["post A 1"]),
        Row(
            testDescription: "a caller is freed when the account signed out after a lost answer",
            events: answered(.lost) + [.answered(Samples.key, .signedOut)],
            actions: ["say", "tell A deferred"]),
        Row(
            testDescription: "a caller is freed when another world answers after a lost answer",
            events: answered(.lost) + [.answered(Samples.key, .otherWorld)],
            actions: ["tell A deferred", "say"]),
        Row(
            testDescription: "a caller is freed when the repeated request is rejected",
            events: answered(.lost) + [.answered(Samples.key, .rejected(Samples.reason))],
            actions: ["say", "tell A deferred"]),
        Row(
            testDescription: "a caller hears even when another account has signed in",
            events: done + [.signedIn(Samples.bob), .receiptReady([Samples.key])],
            actions: ["forget A", "tell A purchased 1"]),
        Row(
            testDescription: "a finish by number finds the purchase",
            events: done + [
                .receiptReady([Samples.key]), .finishNamed(Samples.name("1"), Samples.ada),
            ], actions: ["writeFinish 1 ada"]),
        Row(
            testDescription: "a finish of what the queue does not have is written by itself",
            events: [.finishNamed(Samples.name("9"), Samples.ada)],
            actions: ["finishUnlisted 9"]),
        Row(
            testDescription: "what was finished by its number does not come back with a list",
            events: [
                .signedIn(Samples.ada), .worldMet("W"),
                .finishNamed(Samples.name("9"), Samples.ada),
                .listed([Samples.bought("9", attempt: "B")], receiptRevision: 6, Samples.ada),
            ], actions: ["receipt 6 "]),
    ]

    @Test(arguments: rows)
    func `an event of a caller's payment leads to the actions of its row`(row: Row) {
        var state = QueueState(deviceGuid: Samples.device, world: "W", present: Samples.ada)
        var actions: [QueueAction] = []
        for event in row.events { actions = state.apply(event) }
        #expect(actions.map(Samples.describe) == row.actions)
    }
}
