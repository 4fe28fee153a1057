import Foundation
import TestSupport
import Testing

/// Kills of a store that asks a payment provider, and of the provider, at random moments, from a
/// seed that a failure prints.
///
/// `scripts/test --crash` runs many of them; `BODEGA_KILLS` and `BODEGA_SEED` set number and seed.
@Suite(.ownThreads) struct ProviderRandomKillTests {
    private static let killsUsual = 12
    private static let seedUsual: UInt64 = 1

    @Test func `after kills and bad answers the store and the provider agree on every payment`()
        throws
    {
        let environment = ProcessInfo.processInfo.environment
        let kills = environment["BODEGA_KILLS"].flatMap { Int($0) } ?? Self.killsUsual
        let seed = environment["BODEGA_SEED"].flatMap { UInt64($0) } ?? Self.seedUsual
        let run = try ProviderKillRun(seed: seed)
        // Kept until it is known that nothing has to be looked at.
        run.lab.isKept = true
        let findings = try run.run(kills: max(1, kills))
        let captured = try run.lab.count(
            "SELECT count(*) FROM payment WHERE state = 'captured'", in: run.lab.storeFile)
        #expect(captured > 0, "nothing was paid for, so nothing was shown; seed \(seed)")
        run.lab.isKept = !findings.isEmpty || captured == 0
        #expect(
            findings.isEmpty,
            """
            seed \(seed), \(kills) kills; everything is kept in \(run.lab.folder)
            \(findings.joined(separator: "\n"))
            """)
    }
}
