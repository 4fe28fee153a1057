import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What a world's signed data call its sandbox.
struct SandboxNameTests {
    private func session(_ store: TestStore) async throws -> DeviceSessionBody {
        let answer = try await store.control(
            "POST", "\(TestSessionFixture.control)/devices",
            body: MakeDeviceBody(
                guid: TestStore.guid, account: "buyer", bundleId: TestStore.bundleID,
                appVersion: "1.0"))
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body)
    }

    @Test(
        arguments: [(nil, "Sandbox"), (.sandbox, "Sandbox"), (.xcode, "Xcode")]
            as [(SandboxName?, String)])
    func `devices are told the name that everything signed has`(
        asked: SandboxName?, name: String
    ) async throws {
        let fixture = try await TestSessionFixture(sandboxName: asked)
        #expect(try await session(fixture.store).environment == name)
        // A receipt is the sandbox's, whatever the sandbox is called.
        let receipt = try await fixture.store.receipt(
            token: fixture.token, in: TestSessionFixture.base)
        let verified = try await fixture.store.verify(receipt, at: TestSessionFixture.base)
        #expect(verified["environment"]?.string == "Sandbox")
        #expect(verified["receipt"]?["receipt_type"]?.string == "ProductionSandbox")
        try await fixture.buy(Samples.club)
        let page = try await fixture.signed()
        #expect(try fixture.store.payloads(of: page).map { $0["environment"]?.string } == [name])
        let status = try #require(page.groups?.first?.statuses.first)
        for part in [status.transaction, status.renewal] {
            let text = try #require(part.split(separator: ".").first)
            let payload = try JSONValue(parsing: bytes(ofBase64URL: String(text)))
            #expect(payload["environment"]?.string == name)
        }
        let app = await fixture.store.send(
            "GET", "\(TestSessionFixture.base)/device/v1/app-transaction", token: fixture.token)
        let jws = try WireJSON.decode(SignedAppTransactionBody.self, from: app.body).appTransaction
        let text = try #require(jws.split(separator: ".").dropFirst().first)
        #expect(
            try JSONValue(parsing: bytes(ofBase64URL: String(text)))["receiptType"]?.string == name)
    }

    @Test func `app servers get the name in answers and in what is signed`() async throws {
        let fixture = try await TestSessionFixture(sandboxName: .xcode)
        let bought = try await fixture.buy(Samples.club)
        let made = try await fixture.store.control(
            "POST", "\(TestSessionFixture.control)/apps/\(TestStore.bundleID)/offer-keys")
        let server = try ServerAPIFixture(
            store: fixture.store, base: TestSessionFixture.base,
            key: WireJSON.decode(MadeOfferKeyBody.self, from: made.body))
        for path in ["v2/history", "v1/subscriptions"] {
            let answer = await server.ask("GET", "/inApps/\(path)/\(bought.transactionId)")
            #expect(try JSONValue(parsing: answer.body)["environment"]?.string == "Xcode")
        }
        let one = await server.ask("GET", "/inApps/v1/transactions/\(bought.transactionId)")
        let payload = try JSONValue.payload(ofServers: one, "signedTransactionInfo")
        #expect(payload["environment"]?.string == "Xcode")
    }

    @Test(arguments: ["snapshot", "reset", "reset all", "seed"])
    func `the world keeps its name`(way: String) async throws {
        let store = try await TestSessionFixture(sandboxName: .xcode).store
        let worlds = "/control/v1/worlds/one"
        switch way {
        case "snapshot":
            try await store.control(
                "POST", "\(worlds)/snapshots", body: MakeSnapshotBody(name: "s")
            ).expectStatus(201)
            try await store.control(
                "POST", "\(worlds)/restore", body: RestoreWorldBody(snapshot: "s")
            )
            .expectStatus(200)
        case "seed":
            await store.send(
                "PUT", "\(worlds)?replace=true", token: TestStore.controlToken,
                body: Array(#"{"accounts":[{"name":"buyer"}]}"#.utf8)
            ).expectStatus(201)
        default:
            try await store.control(
                "POST", "\(worlds)/reset", body: ResetWorldBody(keepCatalogue: way == "reset")
            ).expectStatus(200)
        }
        let answer = try await store.control("GET", worlds)
        #expect(
            try WireJSON.decode(WorldDetailsBody.self, from: answer.body).sandboxName == .xcode)
    }

    @Test func `another name is refused, and production has its own`() async throws {
        let fixture = try await TestSessionFixture(sandboxName: .xcode)
        let refused = await fixture.store.send(
            "POST", "/control/v1/worlds", token: TestStore.controlToken,
            body: Array(#"{"name":"two","sandboxName":"Production"}"#.utf8))
        #expect(refused.status == 400)
        let answer = await fixture.store.send(
            "POST", "/t/one/production/device/v1/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(
                    guid: TestStore.guid, bundleId: TestStore.bundleID, appVersion: "1.0")))
        let session = try WireJSON.decode(DeviceSessionBody.self, from: answer.body)
        #expect(session.environment == "Production")
    }
}
