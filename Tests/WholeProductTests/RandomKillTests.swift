import Foundation
import TestSupport
import Testing

/// Kills at random moments, from a seed that a failure prints.
///
/// `scripts/test --crash` runs many of them; `BODEGA_KILLS` and `BODEGA_SEED` set number and seed.
@Suite(.ownThreads) struct RandomKillTests {
    private static let killsUsual = 12
    private static let seedUsual: UInt64 = 1

    @Test func `random kills lose nothing and deliver nothing twice`() throws {
        let environment = ProcessInfo.processInfo.environment
        let kills = environment["BODEGA_KILLS"].flatMap { Int($0) } ?? Self.killsUsual
        let seed = environment["BODEGA_SEED"].flatMap { UInt64($0) } ?? Self.seedUsual
        let run = try CrashRun(seed: seed)
        // Kept until it is known that nothing has to be looked at.
        run.lab.isKept = true
        let findings = try run.run(kills: max(1, kills))
        let sold = try run.lab.count(
            "SELECT count(*) FROM store_transaction", in: run.lab.storeFile)
        #expect(sold > 0, "nothing was bought, so nothing was shown; seed \(seed)")
        run.lab.isKept = !findings.isEmpty || sold == 0
        #expect(
            findings.isEmpty,
            """
            seed \(seed), \(kills) kills; everything is kept in \(run.lab.folder)
            \(findings.joined(separator: "\n"))
            """)
    }
}

/// A small seeded generator: the same seed gives the same kills.
struct SplitMix: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next(below limit: UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) % limit
    }
}
