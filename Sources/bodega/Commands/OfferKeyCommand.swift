import Foundation
import StoreModel
import StoreWire

/// `bodega offer-key make|list|revoke`
enum OfferKeyCommand {
    static let command = Command(
        help: """
            bodega offer-key: keys that an app's server signs promotional offers with

              bodega offer-key make --bundle-id ID
              bodega offer-key list --bundle-id ID
              bodega offer-key revoke KEY --bundle-id ID

            make prints a new private key in PKCS#8, as a server reads it from a .p8 file, and tells
            the key's identifier and the issuer, a UUID of the app's developer account that a JWS
            names. The key is shown once: the store keeps its public half. Those before it stay
            good. A catalogue file's subscriptionOffersKeyPair is taken over when it is imported.
            revoke ends a key for good, now: no restore, reset or import brings it back.

            Options:
              --bundle-id ID   the app
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega offer-key make --bundle-id com.example.rocketcar > offers.p8
              bodega offer-key list --bundle-id com.example.rocketcar
              bodega offer-key revoke 2X9R4HXF34 --bundle-id com.example.rocketcar
            """,
        options: ControlClient.options.union(["bundle-id"]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "make": try make(arguments)
        case "list": try list(arguments)
        case "revoke": try revoke(arguments)
        default: throw arguments.notOne(of: "make", "list", "revoke")
        }
    }

    private static func make(_ arguments: Arguments) throws {
        _ = try arguments.words("make")
        let path = try ProductCommand.app(arguments) + "/offer-keys"
        let answer = try ControlClient(arguments).send("POST", path)
        try Answer.show(answer, as: MadeOfferKeyBody.self, arguments) { body in
            Terminal.note("key \(body.keyId), issuer \(body.issuerId)")
            Terminal.note("keep the private key well, it is not shown again:")
            return body.privateKey.trimmingCharacters(in: .newlines)
        }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let path = try ProductCommand.app(arguments) + "/offer-keys"
        let answer = try ControlClient(arguments).send("GET", path)
        try Answer.show(answer, as: OfferKeysBody.self, arguments) { body in
            let table = Terminal.table(
                ["KEY", "FROM", "MADE", "REVOKED"],
                body.keys.map {
                    [
                        $0.keyId, $0.origin.rawValue, TimeWords.text($0.madeAt),
                        $0.revokedAt.map { TimeWords.text($0) } ?? "",
                    ]
                })
            return (body.issuerId.map { "issuer \($0)\n" } ?? "") + table
        }
    }

    private static func revoke(_ arguments: Arguments) throws {
        let key = try arguments.words("revoke", "key")[1]
        let path = try ProductCommand.app(arguments) + "/offer-keys"
        let answer = try ControlClient(arguments).send(
            "DELETE", "\(path)/\(ControlClient.escaped(key))")
        try Answer.show(answer, as: OfferKeyBody.self, arguments) { "revoked \($0.keyId)" }
    }
}
