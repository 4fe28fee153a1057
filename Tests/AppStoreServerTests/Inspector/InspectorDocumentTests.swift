import StoreWire
import Testing

@testable import AppStoreServer

/// Every member and parameter of the store's document that may carry a secret is decided about.
struct InspectorDocumentTests {
    /// Words in a description that a secret may be behind.
    private static let words = [
        "password", "secret", "token", "private", "signature", "gift code", "offer code",
        "custom code", "receipt in base64", "in base64", "jws", "jwt",
    ]

    /// Members whose description mentions a secret that they do not hold.
    private static let mentioned: Set = [
        // Lists and counts of what has or had one.
        "accounts", "account", "changes", "purchases", "notifications", "promotional",
        "promotionalOffer", "fields", "query", "text", "status", "url", "applicationUsername",
        // How long, how often, until when.
        "lockedUntil", "guid", "reason", "sha256",
        // Encoded bytes, which are digested by their looks.
        "transaction", "renewal", "certificateAuthority", "request",
        // About a token of an external purchase, which is a name.
        "externalPurchaseId", "subtype",
    ]

    private func named(_ node: JSONValue, _ found: inout [(name: String, about: String)]) {
        for member in node.object ?? [] {
            if member.key == "properties" {
                for property in member.value.object ?? [] {
                    found.append((property.key, property.value["description"]?.string ?? ""))
                }
            }
            named(member.value, &found)
        }
        for element in node.array ?? [] { named(element, &found) }
        if let name = node["name"]?.string, node["in"]?.string != nil {
            found.append((name, node["description"]?.string ?? ""))
        }
    }

    @Test func `a member that may be secret is shown, counted or digested on purpose`() throws {
        let document = try JSONValue(parsing: StoreDocument.bytes)
        var found: [(name: String, about: String)] = []
        named(document, &found)
        #expect(found.count > 500)
        let undecided = found.filter { name, about in
            let smells =
                MemberSecrets.smells(name)
                || Self.words.contains { about.lowercased().contains($0) }
            return smells && !MemberSecrets.isDecided(name) && !Self.mentioned.contains(name)
        }
        #expect(
            Set(undecided.map(\.name)).sorted() == [],
            "decide in MemberSecrets whether these are shown, counted or digested")
        let known = Set(found.map(\.name))
        #expect(Self.mentioned.subtracting(known).sorted() == [], "the document has no such member")
    }

    @Test func `members that carry passwords, tokens, codes and keys are never shown`() {
        for name in [
            "password", "secret", "sharedSecret", "deviceToken", "privateKey", "signature", "code",
            "codes", "word",
        ] { #expect(MemberSecrets.verdict(name) == .counted, "\(name)") }
        for name in ["receipt-data", "receipt", "transactionReceipt", "latest_receipt", "jws"] {
            #expect(MemberSecrets.verdict(name) == .digested, "\(name)")
        }
    }
}
