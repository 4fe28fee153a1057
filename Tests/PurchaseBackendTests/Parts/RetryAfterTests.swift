import StoreModel
import Testing

@testable import PurchaseBackend

struct RetryAfterTests {
    /// 2024-05-01 10:20:30 UTC, a Wednesday.
    private let now = Timestamp(milliseconds: 1_714_558_830_000)

    @Test(arguments: [
        ("0", 0), ("1", 1_000), ("120", 120_000), ("3600", 3_600_000), ("3601", 3_600_000),
        ("99999999999999999999999", 3_600_000), ("9223372036854775807", 3_600_000),
        ("Wed, 01 May 2024 10:21:30 GMT", 60_000), ("Wed, 01 May 2024 10:20:29 GMT", 0),
        ("Thu, 01 Jan 2099 00:00:00 GMT", 3_600_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil), ("+5", nil), ("٣", nil),
        ("Wed, 01 May 2024", nil),
    ])
    func `a Retry-After header is read as seconds or as a date`(header: String, wait: Int64?) {
        #expect(RetryAfter.milliseconds(header, now: now, max: 3_600_000) == wait)
    }

    @Test func `the longer of two pauses holds`() {
        let pauses = StorePauses()
        pauses.begin(.production, until: now.adding(milliseconds: 500))
        pauses.begin(.production, until: now.adding(milliseconds: 100))
        #expect(pauses.left(.production, now: now, max: 1_000) == 500)
        #expect(pauses.left(.sandbox, now: now, max: 1_000) == nil)
        #expect(
            pauses.left(.production, now: now.adding(milliseconds: 500), max: 1_000) == nil)
    }

    @Test func `a pause is limited when the clock is put back`() {
        let pauses = StorePauses()
        pauses.begin(.production, until: now.adding(milliseconds: 500))
        let before = now.adding(milliseconds: -86_400_000)
        #expect(pauses.left(.production, now: before, max: 1_000) == 1_000)
        let later = before.adding(milliseconds: 1_000)
        #expect(pauses.left(.production, now: later, max: 1_000) == nil)
    }
}

struct ReceiptShapeTests {
    @Test(
        arguments: [
            ([0x30, 0x00], true), ([0x30, 0x02, 5, 0], true), ([0x30, 0x81, 0x01, 7], true),
            ([0x30, 0x82, 0x00, 0x01, 7], true), (Array("{ \"signature\" = \"x\"; }\n".utf8), true),
            ([], false), ([0x30], false), ([0x30, 0x02, 5], false), ([0x30, 0x01, 5, 0], false),
            ([0x30, 0x80, 0, 0], false), ([0x30, 0x81], false), ([0x30, 0x82, 0x00], false),
            ([0x30, 0x85, 0, 0, 0, 0, 1, 7], false), ([0x30, 0xFF, 0xFF], false),
            ([0x31, 0x00], false), (Array("receipt".utf8), false), (Array("{".utf8), false),
            (Array("   ".utf8), false), (Array("{} x".utf8), false),
        ] as [([UInt8], Bool)])
    func `a receipt's completeness is recognised`(bytes: [UInt8], isWhole: Bool) {
        #expect(ReceiptShape.isWhole(bytes) == isWhole)
    }
}
