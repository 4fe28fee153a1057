import Foundation
import StoreLog
import StoreWire

/// `bodega trust`
enum TrustCommand {
    static let command = Command(
        "trust", "what clients of Apple's host names need to reach the store by TLS",
        [ServeCommand.data, .json],
        details: """
            Prints the file of the authority that the store made for TLS, Apple's names that lead to
            the store, and what to set for curl, Python, Node, Java and Swift, each with how to undo
            it. Changes nothing. The authority may certify the store's own names and no others; it is
            no root of receipts or of signed data, whose roots are in the folder keys.
            """,
        examples: ["bodega serve --tls-port 8443 &", "bodega trust"], run: show)

    private static func show(_ arguments: Arguments) throws {
        let kind = ServerClient.Kind.store
        let data = URL(fileURLWithPath: kind.dataDirectory(arguments)).standardizedFileURL.path
        let authority = data + "/tls/authority.pem"
        guard FileManager.default.fileExists(atPath: authority) else {
            throw Failure(
                "\(data) has no authority for TLS yet: start the store once with: bodega serve "
                    + "--tls-port 8443, or name its data directory with --data")
        }
        // Of a store that does not run, the file is good all the same.
        let url = try? ServerFile.tlsAddress(below: data, start: kind.start)
        let guide = TrustGuide(authority: authority, url: url)
        guard arguments.has("json") else { return Terminal.print(guide.text) }
        Terminal.print(String(decoding: try WireJSON.encode(guide), as: UTF8.self), as: .json)
    }
}
