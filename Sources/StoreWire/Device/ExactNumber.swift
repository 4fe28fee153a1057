/// A floating-point number that equals another only if all of their bits are equal, so that values
/// containing one can be compared: not-a-number equals itself, and 0 does not equal -0.
package struct ExactNumber: Hashable, Sendable {
    private let bits: UInt64

    package init(_ value: Double) {
        bits = value.bitPattern
    }

    package var value: Double { Double(bitPattern: bits) }
}

extension ExactNumber: Codable {
    /// A number, or one of the three texts for numbers that JSON cannot represent.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = try? container.decode(String.self) else {
            self.init(try container.decode(Double.self))
            return
        }
        switch text {
        case "inf": self.init(.infinity)
        case "-inf": self.init(-.infinity)
        case "nan": self.init(.nan)
        default:
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "it is not a number, inf, -inf or nan")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if value.isFinite {
            try container.encode(value)
        } else {
            try container.encode(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
        }
    }
}
