/// A moment in milliseconds since 1970-01-01 00:00 UTC, without leap seconds.
package struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// The moments that outside input may name: the years 1 to 9999, written with four digits.
    package static let range =
        Timestamp(
            milliseconds: -62_135_596_800_000)...Timestamp(milliseconds: 253_402_300_799_999)

    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package init(seconds: Int64) {
        self.milliseconds = seconds * 1_000
    }

    /// Reads milliseconds; throws for a moment outside `range`.
    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
        guard Self.range.contains(self) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\(milliseconds) is not in the years 1 to 9999"))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// The whole second this moment falls in, rounded down, also before 1970.
    package var seconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The same moment without its milliseconds, as receipts print it.
    package var roundedDownToSecond: Timestamp { Timestamp(seconds: seconds) }

    package func adding(milliseconds delta: Int64) -> Timestamp {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        precondition(!overflow, "a time stamp exceeded 64 bits")
        return Timestamp(milliseconds: sum)
    }

    /// The moment that many milliseconds later, or nil outside `range`; for a number from outside.
    package func shifted(milliseconds delta: Int64) -> Timestamp? {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        let moment = Timestamp(milliseconds: sum)
        return !overflow && Self.range.contains(moment) ? moment : nil
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Timestamp {
    /// The moments at which receipts can be signed: those for which every certificate is valid, the
    /// years 2000 to 2099. A world's clock only shows these.
    package static let certified =
        Timestamp(seconds: 946_684_800)...Timestamp(seconds: 4_102_444_799)
}
