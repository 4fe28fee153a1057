import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import AppStoreServer

struct PurchaseServiceTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func body(_ response: HTTPResponse) throws -> AttemptAnswerBody {
        try WireJSON.decode(AttemptAnswerBody.self, from: response.body)
    }

    private func rows(_ sql: String) throws -> Int64 {
        try store.registry.defaultWorld.database.read { try $0.row(sql)?.integer(0) ?? -1 }
    }

    @Test func `a purchase is stored with price, currency and storefront`() async throws {
        try await store.stock(storefront: "DEU")
        let token = try await store.signIn()
        let answer = try await store.attempt(
            Samples.fuel, quantity: 3, username: "driver-7", token: token)
        #expect(answer.status == 200)
        let bought = try #require(try body(answer).transaction)
        #expect(bought.transactionId == "2000000000000000")
        #expect(bought.originalTransactionId == bought.transactionId)
        #expect(bought.purchaseDate == TestStore.start)
        #expect(bought.applicationUsername == "driver-7")
        let stored = try #require(
            try store.registry.defaultWorld.database.read {
                try $0.transaction(TransactionID(2_000_000_000_000_000))
            })
        #expect(stored.charged.milliunits == 2_970)
        #expect(stored.charged.currency.code == "EUR")
        #expect(stored.storefront == "DEU")
        #expect(stored.quantity == 3)
    }

    @Test func `a repeated attempt buys once and always gets the same answer`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let id = UUID().uuidString
        let first = try await store.attempt(Samples.fuel, id: id, token: token)
        let again = try await store.attempt(Samples.fuel, id: id.lowercased(), token: token)
        #expect(first.status == 200)
        #expect(try body(first) == body(again))
        #expect(try rows("SELECT count(*) FROM store_transaction") == 1)
        #expect(try rows("SELECT count(*) FROM event") == 1)
    }

    @Test func `an attempt id reused for another purchase is refused and changes nothing`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let id = UUID().uuidString
        _ = try await store.attempt(Samples.fuel, id: id, token: token)
        for answer in [
            try await store.attempt(Samples.fuel, id: id, quantity: 2, token: token),
            try await store.attempt(Samples.turbo, id: id, token: token),
            try await store.attempt(Samples.fuel, id: id, username: "x", token: token),
        ] {
            #expect(answer.status == 409)
            #expect(errorCode(answer) == "attemptIdReused")
        }
        #expect(try rows("SELECT count(*) FROM store_transaction") == 1)
    }

    @Test func `an attempt id reused by another account is refused`() async throws {
        try await store.stock()
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        let id = UUID().uuidString
        _ = try await store.attempt(Samples.fuel, id: id, token: try await store.signIn())
        let answer = try await store.attempt(
            Samples.fuel, id: id, token: try await store.signIn(account: "other"))
        #expect(answer.status == 409)
    }

    @Test func `concurrent posts of one attempt buy once`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let id = UUID().uuidString
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<32 {
                group.addTask { [store] in
                    try await store.attempt(Samples.fuel, id: id, token: token).status
                }
            }
            var statuses: Set<Int> = []
            for try await status in group { statuses.insert(status) }
            return statuses
        }
        #expect(statuses == [200])
        #expect(try rows("SELECT count(*) FROM store_transaction") == 1)
    }

    struct Refused: Sendable {
        let product: String
        var quantity = 1
        var base = "/sandbox"
        let code: RefusalCode
    }

    @Test(arguments: [
        Refused(product: Samples.fuel, quantity: 0, code: .quantityNotAllowed),
        Refused(product: Samples.fuel, quantity: 11, code: .quantityNotAllowed),
        Refused(product: Samples.fuel, quantity: -1, code: .quantityNotAllowed),
        Refused(product: Samples.turbo, quantity: 2, code: .quantityNotAllowed),
        Refused(product: "com.example.absent", code: .productUnknown),
    ])
    func `a refused purchase is remembered and repeats its reason`(row: Refused) async throws {
        try await store.stock()
        let token = try await store.signIn()
        let id = UUID().uuidString
        for _ in 0..<2 {
            let answer = try await store.attempt(
                row.product, id: id, quantity: row.quantity, token: token)
            #expect(answer.status == 200)
            let body = try body(answer)
            #expect(body.state == .refused)
            #expect(body.transaction == nil)
            #expect(body.refusal?.code == row.code)
            #expect(body.refusal?.message.hasSuffix(".") == true)
        }
        #expect(try rows("SELECT count(*) FROM attempt") == 1)
        #expect(try rows("SELECT count(*) FROM store_transaction") == 0)
    }

    @Test func `buying an owned non-consumable again is free and names the original`() async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let first = try await store.buy(Samples.turbo, token: token)
        store.move(byMilliseconds: 60_000)
        let second = try await store.buy(Samples.turbo, token: token)
        #expect(second.transactionId != first.transactionId)
        #expect(second.originalTransactionId == first.transactionId)
        #expect(second.originalPurchaseDate == first.purchaseDate)
        #expect(second.purchaseDate == first.purchaseDate.adding(milliseconds: 60_000))
        #expect(try rows("SELECT sum(charged_milliunits) FROM store_transaction") == 2_990)
    }

    @Test func `a purchase without signing in is refused`() async throws {
        try await store.stock()
        let answer = try await store.attempt(Samples.fuel, token: try await store.register())
        #expect(answer.status == 401)
        #expect(errorCode(answer) == "notSignedIn")
    }

    @Test(arguments: [
        "", "{", "[]", #"{"attemptId":1}"#, #"{"attemptId":"x","productId":"p","quantity":1}"#,
    ])
    func `a malformed purchase body is refused with the place of the fault`(text: String)
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let answer = await store.send(
            "POST", "/sandbox/device/v1/attempts", token: token, body: Array(text.utf8))
        #expect([400, 422].contains(answer.status))
        #expect(errorCode(answer) == (answer.status == 400 ? "badBody" : "badField"))
        #expect(try rows("SELECT count(*) FROM attempt") == 0)
    }

    @Test func `the transaction ids of the two environments never meet`() {
        let ranges = StoreEnvironment.allCases.map(\.transactionNumbers)
        for (index, range) in ranges.enumerated() {
            #expect(range.upperBound < 1 << 53)
            for other in ranges.dropFirst(index + 1) { #expect(!range.overlaps(other)) }
        }
    }
}
