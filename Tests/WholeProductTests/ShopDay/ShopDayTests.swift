import Foundation
import TestSupport
import Testing

/// A shop day from a seed that a failure prints.
///
/// `scripts/test --shop-day` runs one at its full size; `BODEGA_SHOP_DAY=full` and `BODEGA_SEED` set
/// size and seed.
@Suite(.ownThreads) struct ShopDayTests {
    private static let seedUsual: UInt64 = 1

    @Test func `store, devices and receipts agree after a day of faults`() throws {
        let environment = ProcessInfo.processInfo.environment
        let isFull = environment["BODEGA_SHOP_DAY"] == "full"
        let seed = environment["BODEGA_SEED"].flatMap { UInt64($0) } ?? Self.seedUsual
        let begin = Date()
        let day = try ShopDay(seed: seed, size: isFull ? .full : .small)
        // Kept until it is known that nothing has to be looked at.
        day.lab.isKept = true
        let findings = try day.run()
        let sold = try day.lab.count(
            "SELECT count(*) FROM store_transaction", in: day.lab.storeFile)
        #expect(sold > 0, "nothing was bought, so nothing was shown; seed \(seed)")
        #expect(
            day.killed.apps > 0 && (day.killed.stores > 0 || !isFull),
            "too little was killed; seed \(seed)")
        day.lab.isKept = !findings.isEmpty || sold == 0
        #expect(
            findings.isEmpty,
            """
            seed \(seed); everything is kept in \(day.lab.folder)
            \(findings.joined(separator: "\n"))
            """)
        let seconds = Int(Date().timeIntervalSince(begin))
        FileHandle.standardError.write(
            Data("seed \(seed): \(sold) transactions in \(seconds) s\n".utf8))
    }
}
