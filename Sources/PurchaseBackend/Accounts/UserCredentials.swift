import Foundation
import StoreService
import StoreWire

/// A name and a password as they were sent.
struct UserCredentials: Hashable, Sendable {
    let name: String
    let password: String

    init(_ bytes: [UInt8]) throws(Refusal) {
        do {
            let body = try WireJSON.decodeBody(BackendCredentialsBody.self, from: bytes)
            name = body.name
            password = body.password
        } catch {
            throw .badBody(WireJSON.explain(error))
        }
    }

    /// Names that look the same to a reader are the same name.
    var nameKey: String { Self.key(of: name) }

    static func key(of name: String) -> String {
        name.precomposedStringWithCompatibilityMapping.lowercased()
    }

    /// The rules for a new user; throws the first one broken.
    func checkForSignUp() throws(Refusal) {
        let nameRange = BackendLimits.userNameScalarsMin...BackendLimits.userNameScalarsMax
        guard nameRange.contains(name.unicodeScalars.count) else {
            throw .init(
                422, "badName",
                "A name must have \(nameRange.lowerBound) to \(nameRange.upperBound) "
                    + "characters.")
        }
        guard isPlainWord(name, bytesMax: 4 * nameRange.upperBound),
            name.first?.isWhitespace == false, name.last?.isWhitespace == false
        else {
            throw .init(
                422, "badName",
                "A name must not have control characters, or blanks at its ends.")
        }
        let passwordRange =
            BackendLimits.passwordScalarsMin...BackendLimits.passwordScalarsMax
        guard passwordRange.contains(password.unicodeScalars.count) else {
            throw .init(
                422, "badPassword",
                "A password must have \(passwordRange.lowerBound) to "
                    + "\(passwordRange.upperBound) characters.")
        }
    }
}
