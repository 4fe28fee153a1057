import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// The rules by which a person is asked about prices: no disk, no store, no thread.
@Suite struct PriceConsentStateTests {
    private static let ada = QueueStateTests.ada
    private static let bob = QueueStateTests.bob

    private static func body(
        _ number: Int64, _ state: PriceConsentState = .pending
    ) -> DevicePriceConsentBody {
        DevicePriceConsentBody(
            number: number, state: state, productId: "p", oldPriceMilliunits: 1,
            newPriceMilliunits: 2, currency: "USD")
    }

    private static func listed(_ numbers: Int64..., of customer: Customer = ada) -> QueueEvent {
        .priceConsentsListed(numbers.map { body($0) }, customer)
    }

    private static func news(
        _ number: Int64, _ state: PriceConsentState = .pending, of customer: Customer = ada
    ) -> QueueEvent {
        .updates(
            [
                UpdateBody(
                    number: number, kind: .priceConsent, transaction: nil,
                    priceConsent: body(number, state))
            ], receiptRevision: 1, customer)
    }

    private static func allowed(_ numbers: Int64..., is isAllowed: Bool = true) -> QueueEvent {
        .priceConsentAllowed(numbers, isAllowed)
    }

    private static func ended(_ number: Int64, isAnswered: Bool) -> QueueEvent {
        .priceConsentSheetEnded(number, isAnswered: isAnswered)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let events: [QueueEvent]
        /// What the last event asks for, but for the receipt.
        let actions: [String]
        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "nothing waits", events: [listed()], actions: []),
        Row(name: "and nothing is shown", events: [listed(), .priceConsentWanted], actions: []),
        Row(
            name: "the app is asked once about all", events: [listed(1, 2)],
            actions: ["offer 1,2"]),
        Row(name: "not again about the same", events: [listed(1), listed(1)], actions: []),
        Row(name: "but about others", events: [listed(1), listed(1, 2)], actions: ["offer 2"]),
        Row(name: "news are asked about, too", events: [listed(), news(1)], actions: ["offer 1"]),
        Row(name: "and not twice", events: [listed(1), news(1)], actions: []),
        Row(
            name: "allowed, the sheets come", events: [listed(1, 2), allowed(1, 2)],
            actions: ["consent 1", "consent 2"]),
        Row(
            name: "not allowed, none does", events: [listed(1), allowed(1, is: false)],
            actions: []),
        Row(
            name: "until the app wants it",
            events: [listed(1), allowed(1, is: false), .priceConsentWanted],
            actions: ["consent 1"]),
        Row(
            name: "which may be before its answer", events: [listed(1), .priceConsentWanted],
            actions: ["consent 1"]),
        Row(
            name: "and then that counts",
            events: [listed(1), .priceConsentWanted, allowed(1, is: false)], actions: []),
        Row(
            name: "what is at the sheet is not shown twice",
            events: [listed(1), allowed(1), .priceConsentWanted], actions: []),
        Row(
            name: "what the person left for later is shown when the app wants it",
            events: [listed(1), allowed(1), ended(1, isAnswered: false), .priceConsentWanted],
            actions: ["consent 1"]),
        Row(
            name: "what was answered is not",
            events: [listed(1), allowed(1), ended(1, isAnswered: true), .priceConsentWanted],
            actions: []),
        Row(
            name: "nor what was answered elsewhere",
            events: [listed(1), allowed(1, is: false), news(1, .agreed), .priceConsentWanted],
            actions: []),
        Row(
            name: "before the app was asked", events: [listed(1), news(1, .declined), allowed(1)],
            actions: []),
        Row(
            name: "or what the list holds no more",
            events: [listed(1), allowed(1, is: false), listed(), .priceConsentWanted],
            actions: []),
        Row(
            name: "what was answered before it was heard of is nothing",
            events: [listed(), news(1, .agreed)], actions: []),
        Row(
            name: "somebody else's are not theirs",
            events: [
                listed(1), allowed(1, is: false), .signedIn(bob), listed(of: bob),
                .priceConsentWanted,
            ], actions: []),
        Row(
            name: "nor is anything while nobody is there",
            events: [
                listed(1), allowed(1, is: false), .signedOut(worldId: "W"), .priceConsentWanted,
            ], actions: []),
        Row(
            name: "who comes back is asked anew",
            events: [
                listed(1), allowed(1, is: false), .signedIn(bob), listed(of: bob),
                .signedIn(ada), listed(1),
            ], actions: ["offer 1"]),
        Row(
            name: "another world's are nothing",
            events: [listed(1, of: QueueStateTests.adaElsewhere)], actions: []),
        Row(
            name: "nor its news", events: [news(1, of: QueueStateTests.adaElsewhere)],
            actions: []),
        Row(
            name: "a stranger's sheet is nothing", events: [ended(1, isAnswered: false)],
            actions: []),
    ]

    @Test(arguments: rows)
    func `a price consent event leads to the actions of its row`(row: Row) {
        var state = QueueState(
            deviceGuid: QueueStateTests.device, world: "W", present: Self.ada)
        var last: [QueueAction] = []
        for event in row.events { last = state.apply(event) }
        let described = last.map(QueueStateTests.describe).filter { !$0.hasPrefix("receipt") }
        #expect(described == row.actions)
    }
}
