import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Families of a world that one file describes.
@Suite(.timeLimit(.minutes(10)))
struct FamilySeedTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func seed(_ families: String) async -> HTTPResponse {
        let names = (1...8).map { #"{"name":"a\#($0)","password":"rocket-fuel-1"}"# }
        let text = """
            {"clock":{"mode":"held","now":"2026-03-31T12:00:00Z"},
            "apps":[{"bundleId":"\(TestStore.bundleID)","catalogue":\(FamilyFixture.catalogue())}],
            "accounts":[\(names.joined(separator: ","))],
            "families":\(families),
            "purchases":[{"account":"a1","productId":"\(Samples.turbo)","at":"2026-01-31"},
            {"account":"a2","productId":"\(FamilyFixture.silver)","at":"2026-02-10"}]}
            """
        return await store.send(
            "PUT", "/control/v1/worlds/one", token: TestStore.controlToken,
            body: Array(text.utf8))
    }

    @Test func `a seeded family shares the members' purchases and renewals`() async throws {
        await seed(#"[{"organiser":"a1","members":["a2","a3"]},{"organiser":"a4"}]"#)
            .expectStatus(201)
        let listed = try await store.control("GET", "/t/one/control/v1/families")
        let families = try WireJSON.decode(FamiliesBody.self, from: listed.body).families
        #expect(families.map { $0.members.map(\.name) } == [["a1", "a2", "a3"], ["a4"]])
        #expect(families.map { $0.members.map(\.isOrganiser) } == [[true, false, false], [true]])
        #expect(families[0].madeAt == Timestamp(rfc3339: "2026-01-31T00:00:00Z"))
        let name = try #require(WorldName("one"))
        let world = try #require(try store.registry.world(name))
        while try world.database.read({ try $0.dueCount(until: world.time.now()) }) > 0 {
            try await Task.sleep(for: .milliseconds(5))
        }
        func had(_ name: String) throws -> [String] {
            try world.database.read { scope in
                try scope.rows(
                    """
                    SELECT product_id, shared_id IS NOT NULL FROM store_transaction
                    WHERE account_id = (SELECT id FROM account WHERE name = ?1) ORDER BY id
                    """, [.text(name)]
                ).map { row in
                    "\(row.text(0).split(separator: ".").last ?? "")"
                        + (row.integer(1) != 0 ? " shared" : "")
                }
            }
        }
        // It renewed at the sandbox's pace and ended.
        let periods = try had("a2").count - 1
        #expect(periods > 1)
        let shared = Array(repeating: "silver shared", count: periods)
        #expect(try had("a1") == ["turbo"] + shared)
        #expect(
            try had("a2") == ["turbo shared"] + Array(repeating: "silver", count: periods))
        #expect(try had("a3") == ["turbo shared"] + shared)
        #expect(try had("a4") == [])
    }

    @Test(arguments: [
        (#"[{"organiser":"a9"}]"#, "families[0].organiser: is not an account of this seed"),
        (#"[{"members":["a1"]}]"#, "families[0].organiser: is missing"),
        (
            #"[{"organiser":"a1","members":["a2","a1"]}]"#,
            "families[0].members[1]: is already in a family, at families[0].organiser"
        ),
        (
            #"[{"organiser":"a1"},{"organiser":"a2","members":["a1"]}]"#,
            "families[1].members[0]: is already in a family, at families[0].organiser"
        ),
        (
            #"[{"organiser":"a1","members":["a2","a3","a4","a5","a6","a7"]}]"#,
            "families[0].members: has 6 items; 5 are allowed"
        ),
        (
            #"[{"organiser":"a1","members":[1]}]"#,
            "families[0].members[0]: expected a string, found a number"
        ),
        (#"[{"organiser":"a1","kids":[]}]"#, "families[0].kids: is unknown here"),
    ])
    func `an invalid family in a seed is refused with its place`(
        families: String, message: String
    ) async throws {
        let answer = await seed(families)
        #expect(answer.status == 422 && errorCode(answer) == "badSeed")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains(message), "\(text)")
        let world = await store.send(
            "GET", "/control/v1/worlds/one", token: TestStore.controlToken)
        #expect(world.status == 404)
    }
}
