import Foundation
import StoreModel
import StoreWire

/// `bodega offer-key`
enum OfferKeyCommand {
    static let command = Command(
        group: "offer-key", "keys with which an app's server signs promotional offers",
        shared: [.bundleID] + Option.inWorld,
        details: """
            make prints a new private key in PKCS#8, as a server reads it from a .p8 file, with the
            key's identifier and the issuer, a UUID of the app's developer account that a JWS names.
            The key is shown once: the store keeps only its public half. Earlier keys remain valid.
            Importing a catalogue file also imports its subscriptionOffersKeyPair. A revoked key
            stays revoked after a restore, a reset or an import.
            """,
        examples: [
            "bodega offer-key make --bundle-id com.example.rocketcar > offers.p8",
            "bodega offer-key list --bundle-id com.example.rocketcar",
            "bodega offer-key revoke 2X9R4HXF34 --bundle-id com.example.rocketcar",
        ],
        commands: [
            Command("make", "make a key, which is shown once") {
                try $0.send("POST", try $0.app() + "/offer-keys") { (body: MadeOfferKeyBody) in
                    Terminal.note("key \(body.keyId), issuer \(body.issuerId)")
                    Terminal.note("store the private key safely; it is not shown again:")
                    return body.privateKey.trimmingCharacters(in: .newlines)
                }
            },
            Command("list", "every key and the issuer", run: list),
            Command("revoke KEY", "revoke a key permanently, at once") {
                let path = "\(try $0.app())/offer-keys/\(ServerClient.escaped($0["KEY"]))"
                try $0.send("DELETE", path) { (key: OfferKeyBody) in "revoked \(key.keyId)" }
            },
        ])

    private static func list(_ arguments: Arguments) throws {
        try arguments.send("GET", try arguments.app() + "/offer-keys") { (body: OfferKeysBody) in
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
}
