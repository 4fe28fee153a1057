import Foundation
import StoreModel
import StoreWire

/// A member without which a signed payload has no value; it is absent or of another type.
struct MissingProperty: Error, Hashable {
    let name: String
}

/// What a store signs, as apps get it.
protocol SignedValue {
    /// Reads it, whatever its signature is worth; `payload` are the members of the text.
    init(_ signed: SignedText, _ payload: PayloadMembers) throws(MissingProperty)
}

extension SignedValue {
    init(_ signed: SignedText) throws(MissingProperty) {
        try self.init(signed, PayloadMembers(signed.payload))
    }
}

/// The members of a signed payload, read leniently: one of another type counts as absent.
struct PayloadMembers {
    private let values: [String: JSONValue]

    /// Without members when the bytes are not a JSON object.
    init(_ payload: Data) {
        self.init((try? JSONValue(parsing: Array(payload))) ?? .null)
    }

    private init(_ value: JSONValue) {
        values = Dictionary(
            (value.object ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }
        )
    }

    func required<Value>(
        _ name: String, _ read: (String) -> Value?
    ) throws(MissingProperty) -> Value {
        guard let value = read(name) else { throw MissingProperty(name: name) }
        return value
    }

    func text(_ name: String) -> String? { values[name]?.string }

    func texts(_ name: String) -> [String] {
        (values[name]?.array ?? []).compactMap(\.string)
    }

    func flag(_ name: String) -> Bool? { values[name]?.bool }

    func integer(_ name: String) -> Int? { values[name]?.wholeNumber.flatMap { Int(exactly: $0) } }

    /// A whole number from 0, which JSON has as a number.
    func unsigned(_ name: String) -> UInt64? {
        values[name]?.wholeNumber.flatMap { UInt64(exactly: $0) }
    }

    /// The number of a transaction, which JSON has as a string.
    func transactionID(_ name: String) -> UInt64? { text(name).flatMap { UInt64($0) } }

    /// Milliseconds since 1970, whole or with a fraction.
    func date(_ name: String) -> Date? {
        guard let milliseconds = values[name]?.number.flatMap({ Double($0) }),
            milliseconds.isFinite
        else { return nil }
        return Date(timeIntervalSince1970: milliseconds / 1_000)
    }

    /// When the store signed it, as a verifier reads it; app transactions call it something else.
    var signedDate: Timestamp? {
        integer(values["signedDate"] == nil ? "receiptCreationDate" : "signedDate")
            .map { Timestamp(milliseconds: Int64($0)) }
            .flatMap { Timestamp.range.contains($0) ? $0 : nil }
    }

    /// A number of thousandths: of a currency's unit, or of a percent.
    func milliunits(_ name: String) -> Decimal? {
        values[name]?.wholeNumber.map { Decimal(milliunits: $0) }
    }

    func decimal(_ name: String) -> Decimal? { text(name).flatMap { Decimal(string: $0) } }
    func uuid(_ name: String) -> UUID? { text(name).flatMap { UUID(uuidString: $0) } }
    func base64(_ name: String) -> Data? { text(name).flatMap { Data(base64Encoded: $0) } }

    /// The length of time of an ISO 8601 duration.
    func period(_ name: String) -> Product.SubscriptionPeriod? {
        text(name).flatMap { CalendarSpan(iso8601: $0, mayBeLonger: true) }
            .map { Product.SubscriptionPeriod($0) }
    }

    func currency(_ name: String) -> Locale.Currency? { text(name).map { Locale.Currency($0) } }

    func object(_ name: String) -> PayloadMembers? {
        guard let value = values[name], value.object != nil else { return nil }
        return PayloadMembers(value)
    }

    func objects(_ name: String) -> [PayloadMembers]? {
        values[name]?.array?.map { PayloadMembers($0) }
    }
}

extension Decimal {
    /// Exact thousandths; nothing passes through a binary fraction.
    init(milliunits: Int64) {
        self.init(
            sign: milliunits < 0 ? .minus : .plus, exponent: -3,
            significand: Decimal(milliunits.magnitude))
    }
}
