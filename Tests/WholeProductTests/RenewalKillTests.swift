import Foundation
import StoreModel
import TestSupport
import Testing

/// Kills the store at random moments while it renews, from a seed that a failure prints.
///
/// `scripts/test --crash` runs many of them; `BODEGA_KILLS` and `BODEGA_SEED` set number and seed.
@Suite(.ownThreads) struct RenewalKillTests {
    private static let killsUsual = 10
    private static let seedUsual: UInt64 = 1

    @Test(arguments: [StoreEnvironment.sandbox, .production])
    func `kills during renewals lose no period and sell none twice`(
        environment place: StoreEnvironment
    ) throws {
        let environment = ProcessInfo.processInfo.environment
        let kills = environment["BODEGA_KILLS"].flatMap { Int($0) } ?? Self.killsUsual
        let seed = environment["BODEGA_SEED"].flatMap { UInt64($0) } ?? Self.seedUsual
        let run = try RenewalKillRun(seed: seed, in: place)
        // Kept until it is known that nothing has to be looked at.
        run.lab.isKept = true
        let findings = try run.run(kills: max(1, kills))
        let renewed = try run.lab.count(
            "SELECT count(*) FROM event WHERE kind = 'renewed'", in: run.lab.storeFile)
        let shared = try run.lab.count(
            """
            SELECT count(*) FROM store_transaction
            WHERE shared_id IS NOT NULL AND is_renewal <> 0
            """, in: run.lab.storeFile)
        let isShown = renewed > 0 && shared > 0 && run.advancesInterrupted > 0
        #expect(
            isShown,
            """
            nothing was shown: \(renewed) renewals, \(shared) shared in a family, \
            \(run.advancesInterrupted) kills during an advance; seed \(seed)
            """)
        run.lab.isKept = !findings.isEmpty || !isShown
        #expect(
            findings.isEmpty,
            """
            \(place), seed \(seed), \(kills) kills; everything is kept in \(run.lab.folder)
            \(findings.joined(separator: "\n"))
            """)
    }
}
