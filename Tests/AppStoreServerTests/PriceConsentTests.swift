import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// Prices that accounts are asked about.
struct PriceConsentTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func ask(
        _ price: String = "2.99", name: String = "buyer", app: String = TestStore.bundleID,
        product: String = Samples.club
    ) async throws -> HTTPResponse {
        try await store.control(
            "POST", "/control/v1/price-consents",
            body: AskPriceConsentBody(
                name: name, bundleId: app, productId: product, price: price))
    }

    private func body(_ response: HTTPResponse) throws -> PriceConsentBody {
        try WireJSON.decode(PriceConsentBody.self, from: response.body)
    }

    private func answer(_ verb: String, _ number: String = "1") async throws -> HTTPResponse {
        try await store.control("POST", "/control/v1/price-consents/\(number)/\(verb)")
    }

    private func answerOnDevice(
        _ verb: String, _ number: String = "1", token: String
    ) async -> HTTPResponse {
        await store.send(
            "POST", "/sandbox/device/v1/price-consents/\(number)/\(verb)", token: token)
    }

    private func list(after number: Int64 = 0) async throws -> PriceConsentsBody {
        let answer = try await store.control("GET", "/control/v1/price-consents?after=\(number)")
        return try WireJSON.decode(PriceConsentsBody.self, from: answer.body)
    }

    private func waiting(token: String) async throws -> [DevicePriceConsentBody]? {
        let answer = await store.send("GET", "/sandbox/device/v1/transactions", token: token)
        return try WireJSON.decode(UnfinishedBody.self, from: answer.body).priceConsents
    }

    private func events(token: String) async throws -> [UpdateBody] {
        let answer = await store.send("GET", "/sandbox/device/v1/updates?after=0", token: token)
        return try WireJSON.decode(UpdatesBody.self, from: answer.body).events
    }

    @Test func `a price question is stored and listed to the account's devices`()
        async throws
    {
        try await store.stock(storefront: "DEU")
        let token = try await store.signIn()
        #expect(try await waiting(token: token) == nil)
        let asked = try await ask()
        #expect(asked.status == 201)
        let first = try body(asked)
        #expect(first.state == .pending && first.number == 1 && first.account == "buyer")
        #expect(first.oldPriceMilliunits == 1_990 && first.newPriceMilliunits == 2_990)
        #expect(first.currency == "EUR")
        #expect(first.askedAt == TestStore.start && first.answeredAt == nil)
        let again = try await ask()
        #expect(again.status == 200 && again.body == asked.body)
        let shown = try await store.control("GET", "/control/v1/price-consents/1")
        #expect(shown.status == 200 && shown.body == asked.body)
        let expected = DevicePriceConsentBody(
            number: 1, state: .pending, productId: Samples.club, oldPriceMilliunits: 1_990,
            newPriceMilliunits: 2_990, currency: "EUR")
        #expect(try await waiting(token: token) == [expected])
        let events = try await events(token: token)
        #expect(events.map(\.kind) == [.priceConsent])
        #expect(events.first?.priceConsent == expected)
        #expect(events.first?.subject == "1" && events.first?.transaction == nil)
        #expect(try await list().priceConsents == [first])
    }

    @Test(arguments: ["agree", "decline"])
    func `a device's answer is stored and stays the same when repeated`(
        verb: String
    ) async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await ask()
        store.move(byMilliseconds: 60_000)
        let state = verb == "agree" ? PriceConsentState.agreed : .declined
        let other = verb == "agree" ? "decline" : "agree"
        let first = await answerOnDevice(verb, token: token)
        #expect(first.status == 200)
        #expect(try WireJSON.decode(DevicePriceConsentBody.self, from: first.body).state == state)
        store.move(byMilliseconds: 60_000)
        #expect(await answerOnDevice(verb, token: token) == first)
        for refused in [
            await answerOnDevice(other, token: token), try await answer(other),
        ] {
            #expect(refused.status == 409)
            #expect(errorCode(refused) == "priceConsentAnswered")
        }
        let kept = try #require(try await list().priceConsents.first)
        #expect(kept.state == state)
        #expect(kept.answeredAt == TestStore.start.adding(milliseconds: 60_000))
        #expect(try body(try await answer(verb)) == kept)
        #expect(try await waiting(token: token) == nil)
        // Both events are there, and both say how it stands now: nobody is asked after the fact.
        let events = try await events(token: token)
        #expect(events.map(\.priceConsent?.state) == [state, state])
    }

    @Test func `an answered price can be asked about again`() async throws {
        try await store.stock()
        _ = try await ask()
        #expect(errorCode(try await ask("3.99")) == "otherPricePending")
        #expect(try await answer("decline").status == 200)
        let second = try await ask("3.99")
        #expect(second.status == 201)
        #expect(try body(second).number == 2)
        #expect(try await list().priceConsents.map(\.state) == [.declined, .pending])
    }

    @Test func `an invalid price question is refused with a reason`() async throws {
        try await store.stock()
        let rows: [(HTTPResponse, Int, String)] = [
            (try await ask(product: Samples.season), 409, "notRenewable"),
            (try await ask("1.99"), 409, "noPriceIncrease"),
            (try await ask("0"), 409, "noPriceIncrease"),
            (try await ask("1.9999"), 422, "badPrice"),
            (try await ask("-3"), 422, "badPrice"),
            (try await ask(name: "nobody"), 404, "accountUnknown"),
            (try await ask(app: "com.example.none"), 404, "appUnknown"),
            (try await ask(product: "absent"), 404, "productUnknown"),
        ]
        for (answer, status, code) in rows {
            #expect(answer.status == status)
            #expect(errorCode(answer) == code)
        }
        #expect(try await list().priceConsents.isEmpty)
    }

    @Test func `the number of open price questions per account is limited`() async throws {
        try await store.stock()
        let max = PriceConsentRules.pendingMax
        try store.registry.defaultWorld.database.write { scope in
            let app = try scope.reading.knownApp(TestStore.bundleID).id
            guard let currency = Currency(code: "USD") else { return }
            for number in 1...max {
                _ = try scope.addPriceConsent(
                    of: AccountID(1), in: app, to: ProductID("p\(number)"),
                    old: Money(milliunits: 1, currency: currency),
                    new: Money(milliunits: 2, currency: currency), at: TestStore.start)
            }
        }
        #expect(errorCode(try await ask()) == "tooManyPriceConsents")
        #expect(try await answer("agree").status == 200)
        #expect(try await ask().status == 201)
    }

    @Test(arguments: ["0", "2", "x", "01", "99999999999999999999"])
    func `a price question number that was never used is unknown`(number: String) async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await ask()
        for answer in [
            try await answer("agree", number), await answerOnDevice("agree", number, token: token),
            try await store.control("GET", "/control/v1/price-consents/\(number)"),
        ] {
            #expect(answer.status == 404)
            #expect(errorCode(answer) == "priceConsentUnknown")
        }
    }

    @Test func `an answer needs a signed-in device of the asked account`() async throws {
        try await store.stock()
        _ = try await ask()
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        let other = try await store.signIn(guid: UUID().uuidString, account: "other")
        #expect(errorCode(await answerOnDevice("agree", token: other)) == "priceConsentUnknown")
        #expect(try await waiting(token: other) == nil)
        #expect(try await events(token: other).isEmpty)
        let nobody = try await store.register(guid: UUID().uuidString)
        #expect(errorCode(await answerOnDevice("agree", token: nobody)) == "notSignedIn")
        #expect(try await list().priceConsents.map(\.state) == [.pending])
    }

    @Test func `a long list of price questions is paged`() async throws {
        try await store.stock()
        let count = Limits.priceConsentsPerAnswerMax + 1
        for _ in 1...count {
            let number = try body(try await ask()).number
            _ = try await answer("agree", "\(number)")
        }
        let first = try await list()
        #expect(first.priceConsents.count == count - 1)
        let rest = try await list(after: try #require(first.next))
        #expect(rest.priceConsents.map(\.number) == [Int64(count)])
        #expect(rest.next == nil)
    }

    @Test func `a reset drops price questions and a snapshot keeps them`() async throws {
        let world = "/t/consent"
        _ = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "consent"))
        try await store.stock(world: world)
        func send(_ method: String, _ path: String, _ body: (any Encodable)? = nil) async throws
            -> HTTPResponse
        { try await store.control(method, world + "/control/v1/price-consents" + path, body: body) }
        let asked = try await send(
            "POST", "",
            AskPriceConsentBody(
                name: "buyer", bundleId: TestStore.bundleID, productId: Samples.club,
                price: "2.99"))
        #expect(asked.status == 201)
        let snapshots = "/control/v1/worlds/consent/snapshots"
        let made = try await store.control("POST", snapshots, body: MakeSnapshotBody(name: "s"))
        #expect(made.status == 201, "\(String(decoding: made.body, as: UTF8.self))")
        let reset = try await store.control(
            "POST", "/control/v1/worlds/consent/reset", body: ResetWorldBody(keepCatalogue: true))
        #expect(reset.status == 200, "\(String(decoding: reset.body, as: UTF8.self))")
        #expect(
            try WireJSON.decode(PriceConsentsBody.self, from: try await send("GET", "").body)
                .priceConsents.isEmpty)
        let restored = try await store.control(
            "POST", "/control/v1/worlds/consent/restore", body: RestoreWorldBody(snapshot: "s"))
        #expect(restored.status == 200, "\(String(decoding: restored.body, as: UTF8.self))")
        #expect(
            try WireJSON.decode(PriceConsentsBody.self, from: try await send("GET", "").body)
                .priceConsents.map(\.number) == [1])
    }
}
