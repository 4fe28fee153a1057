import Foundation
import StoreModel
import TestSupport
import Testing

/// Kills the store and an app's server at random moments while one notifies the other, from a seed
/// that a failure prints.
///
/// `scripts/test --crash` runs many of them; `BODEGA_KILLS` and `BODEGA_SEED` set number and seed.
@Suite(.ownThreads) struct NotificationKillTests {
    private static let killsUsual = 10
    private static let seedUsual: UInt64 = 1

    @Test(
        arguments: [(.sandbox, 2), (.production, 2), (.production, 1)] as [(StoreEnvironment, Int)])
    func `kills leave no event without its notification and no notification without its event`(
        environment place: StoreEnvironment, version: Int
    ) throws {
        let environment = ProcessInfo.processInfo.environment
        let kills = environment["BODEGA_KILLS"].flatMap { Int($0) } ?? Self.killsUsual
        let seed = environment["BODEGA_SEED"].flatMap { UInt64($0) } ?? Self.seedUsual
        let run = try NotificationKillRun(seed: seed, in: place, version: version)
        // Kept until it is known that nothing has to be looked at.
        run.lab.isKept = true
        let findings = try run.run(kills: max(1, kills))
        let isShown = run.deliveriesInterrupted > 0 && run.deliveriesMeanwhile > 0
        #expect(
            isShown,
            """
            nothing was shown: \(run.deliveriesInterrupted) kills met deliveries, and \
            \(run.deliveriesMeanwhile) came before the end; seed \(seed)
            """)
        run.lab.isKept = !findings.isEmpty || !isShown
        #expect(
            findings.isEmpty,
            """
            \(place), version \(version), seed \(seed), \(kills) kills; everything is kept in
            \(run.lab.folder)
            \(findings.prefix(40).joined(separator: "\n"))
            """)
    }
}
