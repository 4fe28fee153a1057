import StoreModel

/// An identifier or version that is written as text or as a whole number.
struct Written: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            guard isPlainWord(text, bytesMax: 255) else {
                throw DecodingError.dataCorruptedError(
                    in: value, debugDescription: "is empty, too long or not printable")
            }
            self.text = text
        } else {
            text = String(try value.decode(Int64.self))
        }
    }
}

/// A whole number that is written as a number or as text.
struct Numeral: Decodable {
    let number: Int64

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            guard let number = Int64(text) else {
                throw DecodingError.dataCorruptedError(
                    in: value, debugDescription: "is not a whole number")
            }
            self.number = number
        } else {
            number = try value.decode(Int64.self)
        }
    }
}

extension KeyedDecodingContainer {
    /// A flag written as true or false, 1 or 0, or either as text; nil when there is none, or it is
    /// unclear.
    func flag(_ key: Key) -> Bool? {
        if let text = try? decode(String.self, forKey: key) {
            return ["1", "true"].contains(text)
                ? true : ["0", "false"].contains(text) ? false : nil
        }
        if let flag = try? decode(Bool.self, forKey: key) { return flag }
        switch try? decode(Int.self, forKey: key) {
        case 1: return true
        case 0: return false
        default: return nil
        }
    }

    /// A moment in milliseconds since 1970; nil when it is out of range.
    func moment(_ key: Key) -> Timestamp? {
        guard let number = try? decode(Numeral.self, forKey: key).number else { return nil }
        let moment = Timestamp(milliseconds: number)
        return Timestamp.range.contains(moment) ? moment : nil
    }

    /// A moment in milliseconds, or as `2024-05-01 10:20:30 Etc/GMT`.
    func momentOrDate(_ key: Key) -> Timestamp? {
        if let moment = moment(key) { return moment }
        guard let text = try? decode(String.self, forKey: key) else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 3, parts[2] == "Etc/GMT" else { return nil }
        return Timestamp(rfc3339: "\(parts[0])T\(parts[1])Z")
    }

    func isPresent(_ key: Key) throws -> Bool {
        try contains(key) && !decodeNil(forKey: key)
    }
}
