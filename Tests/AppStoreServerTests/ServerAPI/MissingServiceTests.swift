import StoreWire
import Testing

@testable import AppStoreServer

/// Apple's services for servers that the store does not have.
struct MissingServiceTests {
    /// Apple's methods and paths, with values in them.
    static let addresses = [
        "PUT /inApps/v1/messaging/image/1", "DELETE /inApps/v1/messaging/image/1",
        "GET /inApps/v1/messaging/image/list", "PUT /inApps/v1/messaging/message/1",
        "DELETE /inApps/v1/messaging/message/1", "GET /inApps/v1/messaging/message/list",
        "PUT /inApps/v1/messaging/default/club/en-US",
        "GET /inApps/v1/messaging/default/club/en-US",
        "DELETE /inApps/v1/messaging/default/club/en-US",
        "PUT /inApps/v1/messaging/realtime/url", "GET /inApps/v1/messaging/realtime/url",
        "DELETE /inApps/v1/messaging/realtime/url", "POST /inApps/v1/messaging/performanceTest",
        "GET /inApps/v1/messaging/performanceTest/result/1",
        "POST /advancedCommerce/v1/subscription/cancel/1",
        "POST /advancedCommerce/v1/subscription/changeMetadata/1",
        "POST /advancedCommerce/v1/subscription/changePrice/1",
        "POST /advancedCommerce/v1/subscription/migrate/1",
        "POST /advancedCommerce/v1/subscription/revoke/1",
        "POST /advancedCommerce/v1/transaction/requestRefund/1",
        "PUT /externalPurchase/v1/reports", "GET /externalPurchase/v1/reports/1",
        "GET /groups/v1/currentGroups/1", "GET /groups/v1/group/1",
        "GET /groups/v1/transactions/1/seats", "POST /groups/v1/transactions/1/seats",
        "DELETE /groups/v1/transactions/1/seats/2",
        "POST /groups/v1/transactions/1/seats/2/associate",
    ]

    @Test func `each address says that the store does not have the service`() async throws {
        let store = try TestStore()
        try await store.stock()
        let api = try await ServerAPIFixture(of: store)
        #expect(MissingServices.endpoints.count == Self.addresses.count)
        for address in Self.addresses {
            let words = address.split(separator: " ").map(String.init)
            let answer = await api.ask(words[0], words[1])
            #expect(answer.status == 501, "\(address)")
            #expect(answer.headers.fields.map(\.value) == ["application/json"], "\(address)")
            let body = try WireJSON.decode(ServerAPIErrorBody.self, from: answer.body)
            #expect(body.errorCode == 5_000_000, "\(address)")
            #expect(body.errorMessage.hasPrefix("This store does not have "), "\(address)")
            let stranger = await store.send(words[0], api.base + words[1], token: "x")
            #expect(stranger.status == 401, "\(address)")
            #expect(String(decoding: stranger.body, as: UTF8.self) == "Unauthenticated\n")
        }
    }

    @Test func `an address that Apple does not have is not found`() async throws {
        let store = try TestStore()
        try await store.stock()
        let api = try await ServerAPIFixture(of: store)
        for path in ["/inApps/v1/messaging", "/inApps/v3/history/1", "/groups/v1/groups"] {
            #expect(await api.ask("GET", path).status == 404, "\(path)")
        }
        #expect(await api.ask("POST", "/groups/v1/group/1").status == 405)
    }
}
