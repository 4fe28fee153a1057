import Foundation
import Testing

/// Kills at random moments, from a seed that a failure prints. `BODEGA_SEED` sets it.
struct RandomKillTests {
    private static let killsMax = 10

    @Test func `ten kills at random lose nothing and deliver nothing twice`() throws {
        let seed = ProcessInfo.processInfo.environment["BODEGA_SEED"].flatMap { UInt64($0) } ?? 1
        var random = SplitMix(seed: seed)
        let lab = try Lab.open()
        var seen: Set<String> = []
        var interrupted = 0
        for _ in 0..<Self.killsMax {
            let buy = try lab.startApp(["buy", Lab.fuel, "--time-limit", "20"])
            usleep(UInt32(random.next(below: 400_000)))
            if buy.isRunning { interrupted += 1 }
            switch random.next(below: 3) {
            case 0:
                buy.kill()
            case 1:
                lab.store?.kill()
                try lab.startStore()
            default:
                lab.backend?.kill()
                try lab.startBackend()
            }
            try buy.wait()
            seen.formUnion(Audit.seen(in: buy.output))
        }
        seen.formUnion(Audit.seen(in: try lab.settle()))
        try Audit(lab: lab).check(seen: seen)
        #expect(interrupted > 0, "no kill met a purchase under way, seed \(seed)")
        let sold = try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile)
        #expect(sold >= 1 && sold <= Int64(Self.killsMax), "seed \(seed)")
    }
}

/// A small seeded generator: the same seed gives the same kills.
struct SplitMix {
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
