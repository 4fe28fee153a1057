import Foundation
import StoreModel
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, 0), (1, 0), (999, 0), (1_000, 1), (-1, -1), (-999, -1), (-1_000, -1), (-1_001, -2),
            (Int64.max, 9_223_372_036_854_775), (Int64.min, -9_223_372_036_854_776),
        ] as [(Int64, Int64)])
    func `milliseconds are rounded down to a second`(milliseconds: Int64, seconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
    }

    @Test func `timestamps are added and compared by milliseconds`() {
        let moment = Timestamp(seconds: 10).adding(milliseconds: -1)
        #expect(moment.milliseconds == 9_999)
        #expect(moment < Timestamp(seconds: 10))
        #expect(moment.roundedDownToSecond == Timestamp(seconds: 9))
    }

    @Test func `a shift outside the years 1 to 9999 gives nil`() {
        let last = Timestamp.range.upperBound
        #expect(last.shifted(milliseconds: 0) == last)
        #expect(last.shifted(milliseconds: 1) == nil)
        #expect(last.shifted(milliseconds: .max) == nil)
        #expect(Timestamp.range.lowerBound.shifted(milliseconds: -1) == nil)
        #expect(CalendarDate(last).rfc3339 == "9999-12-31T23:59:59Z")
        #expect(CalendarDate(Timestamp.range.lowerBound).rfc3339 == "0001-01-01T00:00:00Z")
    }

    @Test(arguments: ["253402300800000", "-62135596800001", "9223372036854775807", "1.5", "\"1\""])
    func `a timestamp out of range or not a whole number is not decoded`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Timestamp.self, from: Data(text.utf8))
        }
    }

    @Test func `a timestamp is encoded as milliseconds`() throws {
        let moment = Timestamp(milliseconds: 1_714_558_830_123)
        #expect(try String(data: JSONEncoder().encode(moment), encoding: .utf8) == "1714558830123")
        #expect(
            try JSONDecoder().decode(Timestamp.self, from: Data("1714558830123".utf8)) == moment)
    }
}
