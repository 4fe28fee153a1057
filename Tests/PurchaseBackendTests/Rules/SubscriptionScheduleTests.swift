import StoreModel
import Testing

@testable import PurchaseBackend

/// When the store is asked again, in step with the length of periods.
struct SubscriptionScheduleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// In seconds, as all here.
        let length: Int64
        let answered: Int64
        var renewal = ReceiptSummary.RenewalInfo(renews: true)
        var isRevoked = false
        var quiet: Int64 = 0
        let wait: Int64?

        var facts: SubscriptionFacts {
            SubscriptionFacts(
                productID: "gold", transactionID: "a", purchasedAt: Timestamp(seconds: 0),
                expiresAt: Timestamp(seconds: length), renewal: renewal,
                revocation: isRevoked ? .init(transactionID: "a", at: Timestamp(seconds: 1)) : nil,
                answeredAt: Timestamp(seconds: answered))
        }
    }

    private static let day: Int64 = 86_400
    private static let month = 30 * day
    private static let retried = ReceiptSummary.RenewalInfo(renews: true, isRetried: true)
    private static let ended = ReceiptSummary.RenewalInfo(renews: false, intent: 1)
    private static func grace(_ end: Int64) -> ReceiptSummary.RenewalInfo {
        .init(renews: true, isRetried: true, graceEndsAt: Timestamp(seconds: end))
    }

    static let rows = [
        Row(testDescription: "once a day", length: month, answered: 0, wait: day),
        Row(
            testDescription: "a minute after the end", length: month, answered: month - 100,
            wait: 160),
        Row(
            testDescription: "a minute after it, when that is a day and a minute", length: month,
            answered: month - day, wait: day + 60),
        Row(testDescription: "2 s: a second after the end", length: 2, answered: 0, wait: 3),
        Row(testDescription: "2 s, at the end", length: 2, answered: 1, wait: 2),
        Row(testDescription: "5 min: 5 s after the end", length: 300, answered: 0, wait: 305),
        Row(
            testDescription: "a month in retry: 10 minutes", length: month, answered: month,
            renewal: retried, wait: 600),
        Row(
            testDescription: "doubling", length: month, answered: month, renewal: retried,
            quiet: 3, wait: 4_800),
        Row(
            testDescription: "up to a day", length: month, answered: month, renewal: retried,
            quiet: 99, wait: day),
        Row(
            testDescription: "5 min in retry: 5 s", length: 300, answered: 300, renewal: retried,
            wait: 5),
        Row(
            testDescription: "up to an eighth of it", length: 320, answered: 320,
            renewal: retried, quiet: 99, wait: 40),
        Row(
            testDescription: "2 s in retry: not sooner than 1 s", length: 2, answered: 2,
            renewal: retried, quiet: 99, wait: 1),
        Row(
            testDescription: "grace: at its end at the latest", length: month, answered: month,
            renewal: grace(month + 100), quiet: 20, wait: 160),
        Row(
            testDescription: "grace: before its end", length: month, answered: month,
            renewal: grace(month + 9 * day), wait: 600),
        Row(
            testDescription: "ended: once a day", length: month, answered: month, renewal: ended,
            quiet: 59, wait: day),
        Row(
            testDescription: "ended: sixty times", length: month, answered: month, renewal: ended,
            quiet: 60, wait: nil),
        Row(
            testDescription: "ended: once a short period", length: 300, answered: 300,
            renewal: ended, wait: 300),
        Row(
            testDescription: "not settled yet: a minute", length: month, answered: month,
            wait: 60),
        Row(
            testDescription: "doubling, an eighth of an hour at most", length: month,
            answered: month + 60, quiet: 99, wait: 450),
        Row(
            testDescription: "5 min, not settled yet: 5 s", length: 300, answered: 300, wait: 5),
        Row(
            testDescription: "ended, and the store does not say why", length: month,
            answered: month + 3_600, wait: 600),
        Row(
            testDescription: "taken back", length: month, answered: 5, isRevoked: true, quiet: 1,
            wait: day),
        Row(
            testDescription: "taken back: sixty times", length: month, answered: 5,
            isRevoked: true, quiet: 60, wait: nil),
    ]

    @Test(arguments: rows)
    func `each kind of answer sets the time of the next check`(row: Row) {
        let wait = SubscriptionSchedule.wait(after: row.facts, quietChecks: row.quiet)
        #expect(wait == row.wait.map { $0 * 1_000 })
    }

    @Test func `every wait is at least a second and at most a day and a minute`() {
        for row in Self.rows {
            for answered in stride(from: 0, through: 2 * row.length, by: Int(row.length / 50 + 1)) {
                for quiet in [0, 1, 7, 59, Int64.max] {
                    var facts = row.facts
                    facts.answeredAt = Timestamp(seconds: answered)
                    guard let wait = SubscriptionSchedule.wait(after: facts, quietChecks: quiet)
                    else { continue }
                    #expect((1_000...86_460_000).contains(wait), "\(row) at \(answered)")
                }
            }
        }
    }

    @Test func `trouble keeps the schedule, and a refusal is believed after sixty checks`() throws {
        let short = Self.rows[3].facts
        #expect(SubscriptionSchedule.wait(afterTroubleWith: short, wanted: 900_000) == 1_000)
        let long = Self.rows[0].facts
        #expect(SubscriptionSchedule.wait(afterTroubleWith: long, wanted: 900_000) == 900_000)
        #expect(SubscriptionSchedule.wait(afterRefusalOf: long, refusals: 1) == 1_200_000)
        #expect(SubscriptionSchedule.wait(afterRefusalOf: long, refusals: 60) == nil)
    }

    @Test func `checks of a doubtful answer double their wait up to a day and then end`() {
        let waits = (1...60).map { SubscriptionSchedule.wait(afterDoubts: $0, first: 5_000) }
        #expect(waits.prefix(4) == [5_000, 10_000, 20_000, 40_000])
        #expect(waits[13] == 40_960_000 && waits[14] == 81_920_000 && waits[15] == 86_400_000)
        #expect(waits[58] == 86_400_000 && waits[59] == nil)
        #expect(SubscriptionSchedule.wait(afterDoubts: 0, first: 5_000) == 5_000)
        #expect(SubscriptionSchedule.wait(afterDoubts: Int64.max, first: 5_000) == nil)
        #expect(SubscriptionSchedule.wait(afterDoubts: 9, first: 1) == 1_000)
    }
}
