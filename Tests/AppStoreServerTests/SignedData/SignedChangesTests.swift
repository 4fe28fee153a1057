import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The signed data that changed since an event.
struct SignedChangesTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func ids(_ answer: SignedChangesBody) -> [String] {
        answer.transactions.map(\.transactionId)
    }

    @Test func `an account without purchases gets the groups and no header`() async throws {
        try await store.stock()
        let answer = try await store.signed(token: try await store.signIn())
        #expect(answer.header == nil)
        #expect(answer.transactions.isEmpty)
        #expect(answer.groups?.map(\.groupId) == ["AAAAAAAA"])
        #expect(answer.groups?.map(\.isEligibleForIntroductoryOffer) == [true])
        #expect(answer.groups?.map(\.statuses) == [[]])
        #expect(answer.cursor == 0)
        #expect(!answer.hasMore)
    }

    @Test func `everything comes in pages, each transaction once, the groups at the end`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let bought = [
            try await store.buy(Samples.fuel, token: token).transactionId,
            try await store.buy(Samples.club, token: token).transactionId,
            try await store.buy(Samples.turbo, token: token).transactionId,
        ]
        await store.finish(bought[0], token: token)
        let whole = try await store.signed(token: token)
        #expect(ids(whole) == [bought[1], bought[2], bought[0]])
        #expect(whole.transactions.map(\.isFinished) == [nil, nil, true])
        #expect(!whole.hasMore)
        #expect(
            try store.payloads(of: whole).map { $0["transactionId"]?.string } == ids(whole))
        let first = try await store.signed(limit: 2, token: token)
        #expect(ids(first) == [bought[1], bought[2]])
        #expect(first.hasMore && first.groups == nil)
        let second = try await store.signed(after: first.cursor, limit: 2, token: token)
        #expect(ids(second) == [bought[0]])
        // The event of the subscription is in the page before.
        #expect(!second.hasMore && second.groups?.first?.statuses.count == 1)
        #expect(second.cursor == whole.cursor)
        let none = try await store.signed(after: second.cursor, token: token)
        #expect(
            none
                == SignedChangesBody(
                    header: nil, transactions: [], groups: nil, cursor: second.cursor,
                    hasMore: false))
    }

    @Test func `a page of the length of the limit is the last when nothing follows`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        for _ in 0..<2 { _ = try await store.buy(Samples.fuel, token: token) }
        let page = try await store.signed(limit: 2, token: token)
        #expect(page.transactions.count == 2 && !page.hasMore && page.groups != nil)
    }

    @Test func `a long history is read apart and comes whole`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        var bought: [String] = []
        let count = Int(Limits.quickReceiptPurchasesMax) + 5
        for _ in 0..<count {
            bought.append(try await store.buy(Samples.fuel, token: token).transactionId)
        }
        let first = try await store.signed(token: token)
        #expect(ids(first) == Array(bought.prefix(SignedChangesBody.transactionsMax)))
        let rest = try await store.signed(after: first.cursor, token: token)
        #expect(ids(rest) == Array(bought.dropFirst(SignedChangesBody.transactionsMax)))
    }

    @Test func `a cursor from the future starts over`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let bought = try await store.buy(Samples.fuel, token: token)
        let answer = try await store.signed(after: 999, token: token)
        #expect(ids(answer) == [bought.transactionId])
        #expect(answer.groups != nil && answer.cursor == 1)
    }

    @Test func `a restored transaction comes to the device that restored it`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let other = try await store.signIn(guid: TestStore.otherGuid)
        let bought = try await store.buy(Samples.turbo, token: token)
        await store.finish(bought.transactionId, token: token)
        let cursor = try await store.cursor(token: token)
        let answer = try await store.askToRestore(UUID().uuidString, token: token)
        let restored = try WireJSON.decode(RestoreAnswerBody.self, from: answer.body)
        let copy = try #require(restored.transactions.first)
        let own = try await store.signed(after: cursor, token: token)
        #expect(ids(own) == [copy.transactionId])
        #expect(own.transactions.map(\.attemptId) == [copy.attemptId])
        let payload = try #require(try store.payloads(of: own).first)
        #expect(payload["originalTransactionId"]?.string == bought.transactionId)
        #expect(try await ids(store.signed(after: cursor, token: other)) == [])
        #expect(try await ids(store.signed(token: other)) == [bought.transactionId])
    }

    private func restore(token: String) async throws -> String {
        let answer = try await store.askToRestore(UUID().uuidString, token: token)
        let restored = try WireJSON.decode(RestoreAnswerBody.self, from: answer.body)
        return try #require(restored.transactions.first).transactionId
    }

    @Test func `a refund brings the restored copies of the purchase again, on their device only`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let other = try await store.signIn(guid: TestStore.otherGuid)
        let bought = try await store.buy(Samples.club, token: token).transactionId
        await store.finish(bought, token: token)
        var copies: [String] = []
        for _ in 0..<2 { copies.append(try await restore(token: token)) }
        let theirs = try await restore(token: other)
        let cursor = try await store.cursor(token: token)
        let revoked = try await store.control(
            "POST", "/control/v1/transactions/\(bought)/revoke", body: RevokeBody(reason: .other))
        try #require(revoked.status == 200)
        let changed = try await store.signed(after: cursor, token: token)
        #expect(ids(changed) == [bought] + copies)
        #expect(try store.payloads(of: changed).allSatisfy { $0["revocationDate"] != nil })
        #expect(!changed.hasMore && changed.groups != nil)
        #expect(
            try await ids(store.signed(after: cursor, token: other)) == [bought, theirs])
    }

    @Test func `a page holds all transactions that one event changed, and the next goes on`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let bought = try await store.buy(Samples.club, token: token).transactionId
        await store.finish(bought, token: token)
        let copy = try await restore(token: token)
        let cursor = try await store.cursor(token: token)
        let revoked = try await store.control(
            "POST", "/control/v1/transactions/\(bought)/revoke", body: RevokeBody(reason: .other))
        try #require(revoked.status == 200)
        let fuel = try await store.buy(Samples.fuel, token: token).transactionId
        let first = try await store.signed(after: cursor, limit: 1, token: token)
        #expect(ids(first) == [bought, copy])
        #expect(first.hasMore && first.groups == nil)
        let second = try await store.signed(after: first.cursor, limit: 1, token: token)
        #expect(ids(second) == [fuel])
        #expect(!second.hasMore && second.groups != nil)
    }

    @Test func `an extension and a token bring the restored copy of the period again`()
        async throws
    {
        let shop = try await SubscriptionFixture()
        let api = try await ServerAPIFixture(of: shop.store)
        let bought = try await shop.buy().transactionId
        await shop.store.finish(bought, token: shop.token)
        let answer = try await shop.store.askToRestore(UUID().uuidString, token: shop.token)
        let restored = try WireJSON.decode(RestoreAnswerBody.self, from: answer.body)
        let copy = try #require(restored.transactions.first).transactionId
        let user = "A1111111-2222-4333-8444-555555555555"
        var cursor = try await shop.store.cursor(token: shop.token)
        func news() async throws -> [JSONValue] {
            let answer = try await shop.store.signed(after: cursor, token: shop.token)
            #expect(ids(answer) == [bought, copy])
            cursor = answer.cursor
            return try shop.store.payloads(of: answer)
        }
        try await shop.change(bought, "extend", body: ExtendSubscriptionBody(days: 3))
        let ends = try await news().map { $0["expiresDate"]?.integer }
        #expect(ends[0] != nil && ends[0] == ends[1])
        let set = await api.ask(
            "PUT", "/inApps/v1/transactions/\(bought)/appAccountToken",
            ["appAccountToken": .string(user)])
        #expect(set.status == 200)
        #expect(
            try await news().map { $0["appAccountToken"]?.string?.uppercased() } == [user, user])
        try await shop.buy(SubscriptionFixture.gold)
        let upgraded = try await shop.store.signed(after: cursor, token: shop.token)
        #expect(upgraded.transactions.count == 3 && ids(upgraded).contains(copy))
        #expect(try shop.store.payloads(of: upgraded).count { $0["isUpgraded"] != nil } == 2)
    }

    @Test func `data of other accounts, apps and environments stay there`() async throws {
        try await store.stock()
        let other = "com.example.other"
        let imported = await store.send(
            "PUT", "/control/v1/apps/\(other)/catalog", token: TestStore.controlToken,
            body: Array(Samples.catalogue.utf8))
        #expect(imported.status == 200)
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        _ = try await store.buy(Samples.club, token: try await store.signIn())
        let stranger = try await store.signIn(guid: TestStore.otherGuid, account: "other")
        let theirs = try await store.signed(token: stranger)
        #expect(theirs.transactions.isEmpty)
        #expect(theirs.groups?.map(\.statuses) == [[]])
        // The same account on a device of another app.
        let registered = await store.send(
            "POST", TestStore.device + "/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(
                    guid: UUID().uuidString, bundleId: other, appVersion: "1.0")))
        let first = try WireJSON.decode(DeviceSessionBody.self, from: registered.body)
        let signedIn = await store.send(
            "POST", TestStore.device + "/sign-in", token: first.deviceToken,
            body: try WireJSON.encode(SignInBody(account: "buyer", password: "rocket-fuel-1")))
        let session = try WireJSON.decode(DeviceSessionBody.self, from: signedIn.body)
        let elsewhere = try await store.signed(token: session.deviceToken)
        #expect(elsewhere.transactions.isEmpty)
        #expect(elsewhere.groups?.map(\.statuses) == [[]])
        let production = await store.send(
            "GET", "/production/device/v1/signed", token: session.deviceToken)
        #expect(production.status == 401)
    }

    @Test func `a device on which nobody is signed in gets nothing`() async throws {
        try await store.stock()
        let token = try await store.register()
        let signedOut = await store.send("GET", TestStore.device + "/signed", token: token)
        #expect(signedOut.status == 401)
        #expect(errorCode(signedOut) == "notSignedIn")
        let unknown = await store.send("GET", TestStore.device + "/signed", token: "wrong")
        #expect(unknown.status == 401)
        #expect(errorCode(unknown) == "tokenUnknown")
    }

    @Test(arguments: [
        "after=-1", "after=x", "after=9223372036854775808", "after=", "limit=0", "limit=201",
        "limit=x", "limit=-1",
    ])
    func `a malformed question is refused`(query: String) async throws {
        try await store.stock()
        let token = try await store.signIn()
        let answer = await store.send("GET", TestStore.device + "/signed?" + query, token: token)
        #expect(answer.status == 400)
        #expect(errorCode(answer) == "badQuery")
    }

    @Test func `a family member sees how the owner's renewal stands`() async throws {
        let family = try await FamilyFixture()
        try await family.family(with: "kid")
        let bought = try await family.shop.buy()
        let guid = try #require(
            try await family.store.signed(token: family.kid).transactions.first)
        #expect(guid.deviceGuid == TestStore.guid)
        let cursor = try await family.store.cursor(token: family.kid)
        try await family.shop.change(bought.transactionId, "cancel")
        let answer = await family.store.send(
            "GET", TestStore.device + "/signed?after=\(cursor)", token: family.kid)
        let changed = try WireJSON.decode(SignedChangesBody.self, from: answer.body)
        #expect(changed.transactions.isEmpty)
        let status = try #require(changed.groups?.first?.statuses.first)
        let jws = "\(try #require(changed.header)).\(status.renewal)"
        let renewal = try JSONValue(
            parsing: family.store.parts.keys.dataVerifier().verify(jws).payload)
        #expect(renewal["autoRenewStatus"]?.integer == 0)
        // The aunt is not of the family.
        let aunt = try await family.store.signed(after: cursor, token: family.aunt)
        #expect(aunt.groups == nil)
    }
}
