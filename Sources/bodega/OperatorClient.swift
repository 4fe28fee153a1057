import StoreWire

/// Talks to a running backend's `/operator`.
struct OperatorClient {
    private let server: ServerClient

    init(_ arguments: Arguments) throws {
        server = try ServerClient(.backend, arguments)
    }

    /// Sends a request below `/operator/v1`.
    func send(
        _ method: String, _ path: [String], query: [(name: String, value: String)] = [],
        body: (any Encodable)? = nil
    ) throws -> [UInt8] {
        let place = path.map(ServerClient.escaped).joined(separator: "/")
        let items = query.map { "\($0.name)=\(ServerClient.escaped($0.value))" }
        return try server.send(
            method,
            "/operator/v1/\(place)" + (items.isEmpty ? "" : "?")
                + items.joined(separator: "&"), try body.map { try WireJSON.encode($0) })
    }
}
