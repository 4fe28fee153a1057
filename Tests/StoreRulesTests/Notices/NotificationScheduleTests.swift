import StoreModel
import StoreRules
import Testing

/// When notifications are sent again. Source: Apple, *Responding to App Store Server Notifications*.
struct NotificationScheduleTests {
    private static let start = Timestamp(seconds: 1_767_225_600)

    /// The hours from the first attempt to each retry, when all fail.
    private func retries(
        _ version: NotificationVersion, in environment: StoreEnvironment
    ) -> [Int64] {
        var found: [Int64] = []
        var (attempts, moment) = (1, Self.start)
        while let next = NotificationSchedule.next(
            after: attempts, at: moment, version, in: environment)
        {
            found.append((next.milliseconds - Self.start.milliseconds) / 3_600_000)
            (attempts, moment) = (attempts + 1, next)
        }
        return found
    }

    @Test func `version 2 is retried five times in production`() {
        #expect(retries(.v2, in: .production) == [1, 13, 37, 85, 157])
    }

    @Test func `version 1 is retried three times in production`() {
        #expect(retries(.v1, in: .production) == [6, 30, 78])
    }

    @Test(arguments: NotificationVersion.allCases)
    func `the sandbox sends once`(version: NotificationVersion) {
        #expect(retries(version, in: .sandbox) == [])
    }

    @Test func `without an attempt there is no retry`() {
        #expect(
            NotificationSchedule.next(after: 0, at: Self.start, .v2, in: .production) == nil)
    }
}

/// Deliveries that are spoilt on purpose.
struct NotificationDisorderTests {
    private static let start = Timestamp(seconds: 1_767_225_600)
    private static let numbers = (1...2_000).map { NotificationNumber($0) }

    private func disorder(
        seed: Int64 = 7, dropped: Int = 0, duplicated: Int = 0, reordered: Int = 0,
        delayed: Int = 0, delay: Int64 = 0
    ) -> NotificationDisorder {
        NotificationDisorder(
            seed: seed, dropped: dropped, duplicated: duplicated, reordered: reordered,
            delayed: delayed, delayMilliseconds: delay)
    }

    @Test func `a share of 0 spoils nothing and one of 100 everything`() {
        for number in Self.numbers {
            #expect(!disorder().drops(number, attempt: 1) && !disorder().duplicates(number))
            #expect(disorder().place(of: number, madeAt: Self.start) == (Self.start, false))
            #expect(disorder(dropped: 100).drops(number, attempt: 1))
            #expect(disorder(duplicated: 100).duplicates(number))
            #expect(disorder(reordered: 100).place(of: number, madeAt: Self.start).isBehind)
        }
    }

    @Test func `about the share that is asked for is spoilt, and another seed spoils others`() {
        let spoilt = Self.numbers.filter { disorder(dropped: 30).drops($0, attempt: 1) }
        #expect((500...700).contains(spoilt.count))
        #expect(spoilt == Self.numbers.filter { disorder(dropped: 30).drops($0, attempt: 1) })
        #expect(
            spoilt != Self.numbers.filter { disorder(seed: 8, dropped: 30).drops($0, attempt: 1) })
        #expect(spoilt != Self.numbers.filter { disorder(dropped: 30).drops($0, attempt: 2) })
        #expect(spoilt != Self.numbers.filter { disorder(duplicated: 30).duplicates($0) })
    }

    @Test func `delays end within the time that is asked for`() {
        let delays = Self.numbers.map {
            disorder(delayed: 100, delay: 5_000).place(of: $0, madeAt: Self.start).dueAt
                .milliseconds - Self.start.milliseconds
        }
        #expect(delays.allSatisfy { (1...5_000).contains($0) })
        #expect(Set(delays).count > 1_000)
    }
}
