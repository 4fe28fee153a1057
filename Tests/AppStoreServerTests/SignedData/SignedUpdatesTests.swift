import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Changes of signed data that no other news tells: a device that asks hears of each, at once.
@Suite(.timeLimit(.minutes(5)))
struct SignedUpdatesTests {
    private typealias Fixture = SubscriptionFixture
    private static let request = "A1111111-2222-4333-8444-555555555555"

    /// What happens to a subscription of silver, of 31 January, or to what else the account has.
    enum Change: CaseIterable {
        case renewalTurnedOff, renewalTurnedOn, downgrade, gracePeriod, billingRetry, graceEnded
        case expiry, ended, renewedEarly, extensionByOwner, extensionByServer, extensionOfAll
        case upgrade, priceIncrease, appAccountToken, restoration

        /// The kinds of events, in their order, of a device that asks for signed changes.
        var kinds: [UpdateBody.Kind] {
            switch self {
            // The period that was cut short, and the next.
            case .renewedEarly: [.signedChanged, .purchased]
            // The replaced period, and the new one.
            case .upgrade: [.signedChanged, .purchased]
            default: [.signedChanged]
            }
        }

        /// Those of a family member: the owner's events are only changes of what is signed.
        var familyKinds: [UpdateBody.Kind] {
            switch self {
            // The owner's extension, and the member's own period.
            case .extensionByOwner, .extensionOfAll: [.signedChanged, .signedChanged]
            // The member's period that was cut short; the next one is shared.
            case .renewedEarly: [.signedChanged, .purchased]
            // The replaced period, the owner's purchase, and what is shared of it.
            case .upgrade: [.signedChanged, .signedChanged, .purchased]
            // The member's period that was cut short, and the end.
            case .ended: [.signedChanged, .signedChanged]
            default: [.signedChanged]
            }
        }
    }

    private func updates(
        _ shop: Fixture, token: String, after cursor: Int64, query: String
    ) async throws -> UpdatesBody {
        let answer = await shop.store.send(
            "GET", TestStore.device + "/updates?after=\(cursor)\(query)", token: token)
        try #require(answer.status == 200)
        return try WireJSON.decode(UpdatesBody.self, from: answer.body)
    }

    private func prepare(_ change: Change, _ shop: Fixture, _ original: String) async throws {
        switch change {
        case .renewalTurnedOn, .expiry: try await shop.change(original, "cancel")
        case .gracePeriod, .graceEnded:
            let set = try await shop.store.control(
                "PUT", "\(Fixture.app)/grace-period", body: GracePeriodBody(days: 16))
            #expect(set.status == 200)
            try await shop.change(original, "fail-billing")
            if change == .graceEnded { try await shop.advance(to: "2026-03-01T00:00:00Z") }
        case .billingRetry: try await shop.change(original, "fail-billing")
        case .restoration: await shop.store.finish(original, token: shop.token)
        case .renewedEarly: try await shop.advance(to: "2026-02-10T00:00:00Z")
        default: break
        }
    }

    private func carryOut(
        _ change: Change, _ shop: Fixture, _ api: ServerAPIFixture, _ original: String
    ) async throws {
        switch change {
        case .renewalTurnedOff: try await shop.change(original, "cancel")
        case .renewalTurnedOn: try await shop.change(original, "resume")
        case .downgrade:
            try await shop.change(
                original, "choose", body: ChooseSubscriptionBody(productId: Fixture.bronze))
        case .gracePeriod, .billingRetry, .expiry:
            try await shop.advance(to: "2026-03-01T00:00:00Z")
        case .graceEnded: try await shop.advance(to: "2026-03-20T00:00:00Z")
        case .ended: try await shop.change(original, "expire")
        case .renewedEarly: try await shop.change(original, "renew")
        case .extensionByOwner:
            try await shop.change(original, "extend", body: ExtendSubscriptionBody(days: 3))
        case .extensionByServer:
            let path = "/inApps/v1/subscriptions/extend/\(original)"
            let answer = await api.ask(
                "PUT", path,
                [
                    "extendByDays": 7, "extendReasonCode": 1,
                    "requestIdentifier": .string(Self.request),
                ])
            #expect(answer.status == 200)
        case .extensionOfAll:
            let answer = await api.ask(
                "POST", "/inApps/v1/subscriptions/extend/mass",
                [
                    "extendByDays": 7, "extendReasonCode": 1,
                    "productId": .string(Fixture.silver),
                    "requestIdentifier": .string(Self.request),
                ])
            #expect(answer.status == 200)
        case .upgrade: try await shop.buy(Fixture.gold)
        case .priceIncrease:
            try await shop.change(
                original, "price-increase",
                body: IncreaseSubscriptionPriceBody(price: "19.99", needsConsent: false))
        case .appAccountToken:
            for _ in 0..<2 {
                let answer = await api.ask(
                    "PUT", "/inApps/v1/transactions/\(original)/appAccountToken",
                    ["appAccountToken": .string(Self.request)])
                #expect(answer.status == 200)
            }
        case .restoration:
            let answer = try await shop.store.askToRestore(UUID().uuidString, token: shop.token)
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: Change.allCases)
    func `a device that asks for signed changes is woken by each and told of it`(
        change: Change
    ) async throws {
        let shop = try await Fixture()
        let api = try await ServerAPIFixture(of: shop.store)
        let original = try await shop.buy().transactionId
        try await prepare(change, shop, original)
        let cursor = try await shop.store.cursor(token: shop.token)
        let ended = try shop.store.registry.defaultWorld.poll(.signedData, of: "buyer")
        try await carryOut(change, shop, api, original)
        for await _ in ended { break }
        let asked = try await updates(
            shop, token: shop.token, after: cursor, query: "&signed=true")
        #expect(asked.events.map(\.kind) == change.kinds)
        let signed = asked.events.filter { $0.kind == .signedChanged }
        #expect(signed.allSatisfy { $0.subject == nil && $0.transaction != nil })
        let plain = try await updates(shop, token: shop.token, after: cursor, query: "")
        #expect(plain.events == asked.events.filter { $0.kind != .signedChanged })
        #expect(plain.cursor == asked.cursor)
        // What it then fetches is not empty, and reaches as far.
        let news = try await shop.store.signed(after: cursor, token: shop.token)
        #expect(news.groups?.first?.statuses.count == 1)
        #expect(news.cursor == asked.cursor)
        let changed = news.transactions.map(\.transactionId)
        let moved: Set<Change> = [
            .extensionByOwner, .extensionByServer, .extensionOfAll, .upgrade, .renewedEarly, .ended,
            .appAccountToken,
        ]
        #expect(!moved.contains(change) || changed.contains(original), "\(changed)")
    }

    @Test(arguments: [
        Change.renewalTurnedOff, .billingRetry, .gracePeriod, .graceEnded, .expiry,
        .extensionByOwner,
        .extensionOfAll, .renewedEarly, .upgrade, .ended,
    ])
    func `a family member hears of each change of a shared subscription`(
        change: Change
    ) async throws {
        let family = try await FamilyFixture()
        let shop = family.shop
        let api = try await ServerAPIFixture(of: shop.store)
        try await family.family(with: "kid")
        let original = try await shop.buy().transactionId
        try await prepare(change, shop, original)
        let cursor = try await kidsCursor(family)
        let ended = try shop.store.registry.defaultWorld.poll(.signedData, of: "kid")
        try await carryOut(change, shop, api, original)
        for await _ in ended { break }
        let asked = try await updates(
            shop, token: family.kid, after: cursor, query: "&signed=true")
        #expect(asked.events.map(\.kind) == change.familyKinds)
        let told = asked.events.compactMap(\.transaction)
        #expect(told.allSatisfy { $0.attemptId.hasPrefix("family/") }, "\(told)")
        let stranger = try await updates(
            shop, token: family.aunt, after: cursor, query: "&signed=true")
        #expect(stranger.events.isEmpty)
    }

    private func kidsCursor(_ family: FamilyFixture) async throws -> Int64 {
        try await family.store.cursor(token: family.kid)
    }

    @Test func `a member who left hears no more of the owner's subscription`() async throws {
        let family = try await FamilyFixture()
        try await family.family(with: "kid")
        let original = try await family.shop.buy().transactionId
        _ = try await family.change("/1/remove", FamilyMemberNameBody(name: "kid"))
        let cursor = try await kidsCursor(family)
        try await family.shop.change(original, "cancel")
        let asked = try await updates(
            family.shop, token: family.kid, after: cursor, query: "&signed=true")
        #expect(asked.events.isEmpty)
    }

    @Test func `news of signed data ends no poll of other devices, and other news ends both`()
        async throws
    {
        let hub = UpdateHub(gate: Gate(limit: 9))
        let (ends, end) = AsyncStream.makeStream(of: UpdateHub.Topic.self)
        func wait(_ topic: UpdateHub.Topic) {
            let waits = hub.wait(
                for: AccountID(1), device: DeviceID(1), topic: topic, seconds: 86_400
            ) { end.yield(topic) }
            #expect(waits)
        }
        var ended = ends.makeAsyncIterator()
        wait(.events)
        wait(.signedData)
        hub.wake(AccountID(1), .signedData)
        #expect(await ended.next() == .signedData)
        wait(.signedData)
        hub.wake(AccountID(1), .events)
        #expect(await [ended.next(), ended.next()] == [.events, .signedData])
        wait(.signedData)
        hub.wake(AccountID(1), byDevice: DeviceID(2))
        #expect(await ended.next() == .signedData)
        hub.close()
    }

    @Test func `a query that is neither true nor false is refused`() async throws {
        let shop = try await Fixture()
        let answer = await shop.store.send(
            "GET", TestStore.device + "/updates?signed=perhaps", token: shop.token)
        #expect(answer.status == 400)
        #expect(errorCode(answer) == "badQuery")
    }
}
