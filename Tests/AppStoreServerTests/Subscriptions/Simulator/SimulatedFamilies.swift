import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire

@testable import AppStoreServer

/// The families of a simulated environment, which are made, grow, fall out and end by chance: the
/// same for a world's number.
struct SimulatedFamilies {
    /// Who may be in one: so few that most are.
    let names: [String]
    private let environment: StoreEnvironment
    private let told: AgreedLines
    private var random: SeededRandom
    private var numbers: [Int64] = []

    /// Of so many accounts at the beginning of a world somebody may be in a family.
    private static let accountsMax = 24

    init(
        in environment: StoreEnvironment, of accounts: Range<Int>, firstSeed: Int, told: AgreedLines
    ) {
        names = accounts.prefix(Self.accountsMax).filter {
            SimulatedShop.environment(of: $0) == environment
        }.map { "seed-\(firstSeed + $0)" }
        self.environment = environment
        self.told = told
        let offset: UInt64 = environment == .production ? 2_000_000 : 3_000_000
        random = SeededRandom(seed: offset + UInt64(firstSeed))
    }

    /// Changes some of them. Nobody else asks the store for anything meanwhile.
    mutating func change(in store: TestStore) async throws {
        for _ in 0..<random.below(6) { try await changeOnce(in: store) }
    }

    private mutating func changeOnce(in store: TestStore) async throws {
        let roll = random.below(16)
        let name = random.one(of: names)
        guard roll > 1, let family = numbers.randomOne(&random) else {
            let body = MakeFamilyBody(environment: environment, organiser: name)
            return try await ask("POST", "", body, in: store)
        }
        switch roll {
        case 2..<10:
            try await ask("POST", "/\(family)/add", FamilyMemberNameBody(name: name), in: store)
        case 10..<12:
            try await ask(
                "POST", "/\(family)/remove", FamilyMemberNameBody(name: name), in: store)
        case 12..<15:
            let body = FamilySharingBody(name: name, sharesPurchases: random.below(3) > 0)
            try await ask("POST", "/\(family)/sharing", body, in: store)
        default: try await ask("DELETE", "/\(family)", nil, in: store)
        }
    }

    /// Tells the auditor what became of a family, and within which events.
    private mutating func ask(
        _ method: String, _ path: String, _ body: (any Encodable)?, in store: TestStore
    ) async throws {
        let before = try newestEvent(of: store)
        let answer = try await store.control(method, "/control/v1/families\(path)", body: body)
        if answer.status == 409 { return }
        guard [200, 201].contains(answer.status) else {
            throw SimulatedBuyer.Failure(
                description: "\(method) families\(path): \(answer.status) "
                    + String(decoding: answer.body, as: UTF8.self))
        }
        let outcome = try WireJSON.decode(FamilyChangeBody.self, from: answer.body)
        let family = outcome.family
        numbers.removeAll { $0 == family.number }
        if !family.members.isEmpty { numbers.append(family.number) }
        let members = family.members.map { $0.name + ($0.sharesPurchases ? "" : ":off") }
        let words = ["family", "\(family.number)", "\(before)", "\(try newestEvent(of: store))"]
        let counts = ["\(outcome.shared)", "\(outcome.takenBack)"]
        told.add((words + counts + members).joined(separator: " "))
    }

    private func newestEvent(of store: TestStore) throws -> Int64 {
        try store.registry.defaultWorld.database.read { scope in
            try scope.row("SELECT coalesce(max(number), 0) FROM event")?.integer(0) ?? 0
        }
    }
}
