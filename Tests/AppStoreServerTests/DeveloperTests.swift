import StoreHTTP
import StoreService
import StoreWire
import Testing

@testable import AppStoreServer

struct DeveloperTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    @Test func `developer accounts are created, listed and refused`() async throws {
        try await store.stock()
        let path = "/control/v1/developers"
        let made = try await store.control("POST", path, body: DeveloperBody(name: "Rocket & Co"))
        #expect(made.status == 201)
        let taken = try await store.control("POST", path, body: DeveloperBody(name: "default"))
        #expect(taken.status == 409 && errorCode(taken) == "nameTaken")
        for name in ["", ".", "..", "a\u{0}b", String(repeating: "a", count: 129)] {
            let refused = try await store.control("POST", path, body: DeveloperBody(name: name))
            #expect(refused.status == 422)
        }
        let list = try WireJSON.decode(
            DevelopersBody.self, from: try await store.control("GET", path).body)
        #expect(list.developers.map(\.name) == ["default", "Rocket & Co"])
        let app = try await store.control(
            "PUT", "/control/v1/apps/\(TestStore.bundleID)/developer",
            body: AppDeveloperBody(developer: "absent"))
        #expect(app.status == 404 && errorCode(app) == "developerUnknown")
    }

    @Test func `a bundle identifier of full stops alone is refused, as no path can name it`() {
        for text in [".", "..", "..."] {
            #expect(throws: Refusal.self) { try checkedBundleID(text) }
        }
        #expect(throws: Never.self) { try checkedBundleID("com..example") }
    }

    @Test func `the number of developer accounts is limited`() async throws {
        try store.registry.defaultWorld.database.write { scope in
            for number in 2..<Limits.developersMax {
                _ = try scope.addDeveloper("developer \(number)")
            }
        }
        let path = "/control/v1/developers"
        let last = try await store.control("POST", path, body: DeveloperBody(name: "last"))
        #expect(last.status == 201)
        let refused = try await store.control("POST", path, body: DeveloperBody(name: "more"))
        #expect(refused.status == 409 && errorCode(refused) == "tooManyDevelopers")
        let taken = try await store.control("POST", path, body: DeveloperBody(name: "last"))
        #expect(errorCode(taken) == "nameTaken")
        let list = try WireJSON.decode(
            DevelopersBody.self, from: try await store.control("GET", path).body)
        #expect(list.developers.count == Limits.developersMax)
        #expect(list.developers.last?.name == "last")
    }

    @Test func `an app belongs to the default developer account until it is assigned`() async throws
    {
        try await store.stock()
        func owner() async throws -> [String] {
            let answer = try await store.control("GET", "/control/v1/apps")
            return try WireJSON.decode(AppsBody.self, from: answer.body).apps.map(\.developer)
        }
        #expect(try await owner() == ["default"])
        _ = try await store.control(
            "POST", "/control/v1/developers", body: DeveloperBody(name: "other"))
        _ = try await store.control(
            "PUT", "/control/v1/apps/\(TestStore.bundleID)/developer",
            body: AppDeveloperBody(developer: "other"))
        #expect(try await owner() == ["other"])
        let again = await store.send(
            "PUT", "/control/v1/apps/\(TestStore.bundleID)/catalog",
            token: TestStore.controlToken, body: Array(Samples.catalogue.utf8))
        #expect(again.status == 200)
        #expect(try await owner() == ["other"], "an import changes no owner")
    }
}
