import StoreCaller
import StoreModel
import StoreWire

/// Talks to a running store's `/control`.
struct ControlClient {
    private let server: ServerClient
    private let worldPath: String

    init(_ arguments: Arguments) throws {
        let world = try Arguments.name(arguments.value("world") ?? "default", for: "--world")
        worldPath = world == "default" ? "" : "/t/\(world)"
        server = try ServerClient(.store, arguments)
    }

    /// Every page of a list whose address takes `after`, starting with the first; a page's `next`
    /// says where to continue.
    func pages<Page: Decodable, Place: CustomStringConvertible>(
        _ type: Page.Type, _ path: String, query: String = "", next: (Page) -> Place?
    ) throws -> [Page] {
        var pages: [Page] = []
        var place: String? = "0"
        while let after = place {
            let page = try WireJSON.decode(
                type, from: try send("GET", "\(path)?after=\(after)\(query)"))
            pages.append(page)
            place = next(page).map { "\($0)" }
        }
        return pages
    }

    /// Sends a request below the world's `/control/v1`.
    func send(_ method: String, _ path: String, _ body: (any Encodable)? = nil) throws -> [UInt8] {
        try server.send(
            method, "\(worldPath)/control/v1\(path)", try body.map { try WireJSON.encode($0) })
    }

    /// Asks the world's App Store Server API as an app's server does, with a token of its own.
    func ask(
        _ path: String, in environment: StoreEnvironment, token: String
    ) throws -> CallerResponse {
        try server.answer("GET", "\(worldPath)/\(environment.rawValue)\(path)", token: token)
    }

    func send(_ method: String, _ path: String, bytes: [UInt8]) throws -> [UInt8] {
        try server.send(method, "\(worldPath)/control/v1\(path)", bytes)
    }
}
