import Foundation
import StoreModel
import TestSupport
import Testing

@testable import AppStoreServer

/// Years of many accounts' subscriptions, judged by an auditor that knows nothing of our rules.
///
/// Two hundred accounts, or as many as `scripts/test --simulate` says.
/// `BODEGA_SUBSCRIPTION_SEED=N` lets the buyer of that seed go through them alone;
/// `BODEGA_SUBSCRIPTION_WORLDS=10-19` has other worlds, of fifty seeds each.
struct SubscriptionSimulatorTests {
    private static let buyersPerWorld = 50

    @Test(.timeLimit(.minutes(60)))
    func `years of subscriptions leave nothing to find`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let alone = environment["BODEGA_SUBSCRIPTION_SEED"].flatMap { Int($0) }
        let shop = try await SimulatedShop(accounts: Self.buyersPerWorld)
        let bounds = environment["BODEGA_SUBSCRIPTION_WORLDS"]?.split(separator: "-")
            .compactMap { Int($0) }
        let worlds = try bounds.map { bounds in
            try #require(bounds.count == 2 && bounds[0] <= bounds[1], "give worlds as 10-19")
            return Array(bounds[0]...bounds[1])
        }
        let numbers = alone.map { [$0 / Self.buyersPerWorld] } ?? worlds ?? Array(0..<4)
        let folders = try await withThrowingTaskGroup(of: (Int, TemporaryFolder).self) { group in
            for number in numbers {
                group.addTask {
                    var world = try SimulatedWorld(number, in: shop, only: alone)
                    try await world.run()
                    return (number, world.folder)
                }
            }
            var folders: [(Int, TemporaryFolder)] = []
            for try await folder in group { folders.append(folder) }
            return folders.sorted { $0.0 < $1.0 }
        }
        var findings = try SubscriptionAuditor.findings(in: folders.map(\.1.path))
        for (number, folder) in folders {
            findings += try SubscriptionAuditor.noticeFindings(in: folder.path)
                .map { "world \(number): \($0)" }
        }
        if findings.isEmpty { return }
        for (_, folder) in folders { folder.keep(true) }
        Issue.record(
            """
            All worlds are kept, in \(folders.map(\.1.path).joined(separator: ", ")).
            The number after "seed-", as BODEGA_SUBSCRIPTION_SEED, goes through it alone.
            \(findings.prefix(40).joined(separator: "\n"))
            """)
    }
}
