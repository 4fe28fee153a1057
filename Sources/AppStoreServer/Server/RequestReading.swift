import StoreHTTP
import StoreModel
import StoreService
import StoreWire

extension HTTPRequest {
    /// A query item that is `true` or `false`; false when it is absent.
    func queryFlag(_ name: String) throws -> Bool {
        switch queryValue(name) {
        case nil, "false": return false
        case "true": return true
        default: throw Refusal(400, "badQuery", "\(name) must be true or false.")
        }
    }

    /// A query item that is one of some names.
    func queryName<Name: CaseIterable & RawRepresentable>(_ name: String) throws -> Name?
    where Name.RawValue == String {
        guard let text = queryValue(name) else { return nil }
        guard let known = Name(rawValue: text) else {
            let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(400, "badQuery", "\(name) is not one of \(names).")
        }
        return known
    }

    /// The account that the query items `account` and `environment` name.
    func queryAccount() throws -> NamedAccountBody {
        guard let name = queryValue("account") else {
            throw Refusal(400, "badQuery", "account is missing; name the account.")
        }
        guard let text = queryValue("environment") else { return NamedAccountBody(name: name) }
        guard let environment = StoreEnvironment(rawValue: text) else {
            let known = StoreEnvironment.allCases.map(\.rawValue).joined(separator: " or ")
            throw Refusal(400, "badQuery", "environment is not \(known).")
        }
        return NamedAccountBody(environment: environment, name: name)
    }
}

/// A text of 1 to `bytesMax` bytes, without control characters; otherwise a 422 that names the
/// field.
func checked(_ text: String, _ field: String, bytesMax: Int) throws -> String {
    guard (1...bytesMax).contains(text.utf8.count) else {
        throw Refusal(422, "badField", "\(field) must have 1 to \(bytesMax) bytes.")
    }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
        throw Refusal(422, "badField", "\(field) must not hold control characters.")
    }
    return text
}

/// An app's own user name; nil when empty.
func checkedUsername(_ name: String?) throws -> String? {
    guard let name, !name.isEmpty else { return nil }
    return try checked(name, "applicationUsername", bytesMax: Limits.identifierBytesMax)
}

/// A UUID as `1B4E28BA-2FA1-11D2-883F-0016D3CCA427`; small letters become capitals.
func checkedUUID(_ text: String, _ field: String) throws -> String {
    guard isUUID(text) else { throw Refusal(422, "badField", "\(field) must be a UUID.") }
    return text.uppercased()
}

/// A bundle identifier: letters, digits, hyphens and full stops.
func checkedBundleID(_ text: String) throws -> String {
    let allowed = text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            || $0 == 0x2D || $0 == 0x2E
    }
    guard allowed, !PathName.isOnlyDots(text),
        (1...Limits.identifierBytesMax).contains(text.utf8.count)
    else {
        throw Refusal(
            422, "badField",
            "\"\(text.prefix(64))\" is not a bundle identifier: use letters, digits, hyphens and "
                + "full stops, and not full stops alone.")
    }
    return text
}

/// The 16 bytes of a UUID that `checkedUUID` accepted.
func bytes(ofUUID text: String) -> [UInt8] {
    let digits = text.utf8.filter { $0 != 0x2D }.map { $0 < 0x40 ? $0 - 0x30 : $0 - 0x37 }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
