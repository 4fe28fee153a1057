import StoreModel
import Testing

@testable import PurchaseBackend

struct BackendConfigurationTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080/production", "http://127.0.0.1:8080/production/verifyReceipt"),
        ("http://127.0.0.1:8080/production/", "http://127.0.0.1:8080/production/verifyReceipt"),
        ("https://buy.itunes.apple.com", "https://buy.itunes.apple.com/verifyReceipt"),
        (
            "https://buy.itunes.apple.com/verifyReceipt",
            "https://buy.itunes.apple.com/verifyReceipt"
        ),
    ])
    func `the verifyReceipt address is derived from the store's address`(base: String, url: String)
        throws
    {
        #expect(try BackendConfiguration.verifyReceiptURL(base) == url)
    }

    @Test(arguments: [
        "", "store", "/production", "ftp://store/", "http://", "file:///etc/passwd",
        "http://store/?a=b", "http://store/#a", "http://me:secret@store/",
    ])
    func `an invalid store address is refused`(base: String) {
        let error = #expect(throws: BackendError.self) {
            try BackendConfiguration.verifyReceiptURL(base)
        }
        #expect(error?.code == .badConfiguration)
    }

    @Test func `the wait between tries doubles up to its limit`() {
        var timings = BackendTimings()
        timings.retryMilliseconds = 5_000
        timings.retryMillisecondsMax = 60_000
        #expect(
            (0...6).map { timings.retryDelay(tries: $0) }
                == [5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
        #expect(timings.retryDelay(tries: .max) == 60_000)
    }

    struct Next: Sendable {
        var tries: Int64 = 1
        var now: Int64 = 0
        var pause: Int64?
        var chance = 0.0
        let at: Int64?
    }

    @Test(arguments: [
        Next(at: 5_000), Next(tries: 3, at: 20_000), Next(tries: 40, at: 900_000),
        Next(chance: 0.5, at: 3_750), Next(chance: 0.999, at: 2_503),
        // What the store asks for is added to, never cut.
        Next(pause: 60_000, at: 60_000), Next(pause: 60_000, chance: 0.5, at: 61_250),
        Next(pause: 1_000, at: 5_000), Next(pause: 0, chance: 0.5, at: 3_750),
        Next(now: 999_999, at: 1_004_999), Next(now: 1_000_000, at: nil),
        Next(now: 1_000_001, pause: 60_000, at: nil),
    ])
    func `the next try depends on the tries so far, the store's Retry-After and chance`(row: Next) {
        let next = BackendTimings().nextTry(
            now: Timestamp(milliseconds: row.now), tries: row.tries,
            giveUpAt: Timestamp(milliseconds: 1_000_000), pauseMilliseconds: row.pause,
            chance: row.chance)
        #expect(next?.milliseconds == row.at)
    }

    @Test func `two store calls fit the answer deadline, which fits the listener's limit`() {
        let timings = BackendTimings()
        #expect(2 * timings.storeCallMilliseconds < timings.answerDeadlineMilliseconds)
        #expect(timings.answerDeadlineMilliseconds < 30_000)
        #expect(timings.firstTryMilliseconds > timings.answerDeadlineMilliseconds + 20_000)
    }
}
