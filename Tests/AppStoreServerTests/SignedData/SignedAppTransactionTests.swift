import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// When and with which version an account got an app, signed for its device.
struct SignedAppTransactionTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    @Test func `a device on which nobody is signed in gets no app transaction`() async throws {
        try await store.stock()
        let path = TestStore.device + "/app-transaction"
        let signedOut = await store.send("GET", path, token: try await store.register())
        #expect(signedOut.status == 401)
        #expect(errorCode(signedOut) == "notSignedIn")
        let unknown = await store.send("GET", path, token: "wrong")
        #expect(unknown.status == 401)
        #expect(errorCode(unknown) == "tokenUnknown")
    }

    @Test func `an app transaction says which version was got and which is installed`() async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let answer = await store.send("GET", TestStore.device + "/app-transaction", token: token)
        try #require(answer.status == 200)
        let body = try WireJSON.decode(SignedAppTransactionBody.self, from: answer.body)
        let payload = try store.payload(ofJWS: body.appTransaction)
        #expect(payload["applicationVersion"]?.string == "1.0")
        let bought = try await store.buy(Samples.fuel, token: token)
        let server = try await ServerAPIFixture(of: store)
        let path = "/inApps/v1/transactions/appTransactions/\(bought.transactionId)"
        let known = try JSONValue.payload(
            ofServers: await server.ask("GET", path), "signedAppTransactionInfo")
        let added = ["applicationVersion", "receiptCreationDate"]
        func common(_ payload: JSONValue) -> JSONValue {
            .object((payload.withoutDevice.object ?? []).filter { !added.contains($0.key) })
        }
        #expect(common(payload) == common(known))
        #expect(known["applicationVersion"] == nil)
    }

    @Test func `an account that lost its app transaction is told so`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        try store.registry.defaultWorld.database.write {
            _ = try $0.execute("DELETE FROM app_transaction")
        }
        let answer = await store.send("GET", TestStore.device + "/app-transaction", token: token)
        #expect(answer.status == 404)
        #expect(errorCode(answer) == "appTransactionUnknown")
    }
}
