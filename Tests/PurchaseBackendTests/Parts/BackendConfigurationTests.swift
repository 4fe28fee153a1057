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
    func `the address of verifyReceipt follows from the store's`(base: String, url: String) throws {
        #expect(try BackendConfiguration.verifyReceiptURL(base) == url)
    }

    @Test(arguments: [
        "", "store", "/production", "ftp://store/", "http://", "file:///etc/passwd",
        "http://store/?a=b", "http://store/#a", "http://me:secret@store/",
    ])
    func `an address that is none is refused`(base: String) {
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

    @Test func `two calls to the store and the listener's limit frame the deadline`() {
        let timings = BackendTimings()
        #expect(2 * timings.storeCallMilliseconds < timings.answerDeadlineMilliseconds)
        #expect(timings.answerDeadlineMilliseconds < 30_000)
        #expect(timings.firstTryMilliseconds > timings.answerDeadlineMilliseconds + 20_000)
    }
}
