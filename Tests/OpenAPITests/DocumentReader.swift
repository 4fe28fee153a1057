import StoreHTTP
import StoreWire
import Testing

/// The operations of an OpenAPI document.
struct DocumentReader {
    struct Operation {
        /// `GET /path/{parameter}`.
        let name: String
        let value: JSONValue

        /// The names of the tokens it takes.
        var tokens: [String] {
            (value["security"]?.array ?? []).flatMap { $0.object ?? [] }.map(\.key)
        }

        /// Its body's own limit.
        var bodyBytesMax: Int? { value["requestBody"]?["x-bodyBytesMax"]?.integer.map { Int($0) } }

        var statuses: [String] { (value["responses"]?.object ?? []).map(\.key) }
    }

    let operations: [Operation]

    init(_ bytes: [UInt8]) throws {
        let document = try JSONValue(parsing: bytes)
        let paths = try #require(document["paths"]?.object)
        operations = paths.flatMap { path in
            (path.value.object ?? []).filter { !["parameters", "servers"].contains($0.key) }
                .map { Operation(name: "\($0.key.uppercased()) \(path.key)", value: $0.value) }
        }
    }
}

extension RouteEntry {
    /// As a document writes it; a route of every method is described as GET.
    var name: String {
        let path = pattern.split(separator: "/").map { part in
            part.hasPrefix(":") ? "/{\(part.dropFirst())}" : "/\(part)"
        }
        return "\(method == Router<Void>.anyMethod ? "GET" : method) \(path.joined())"
    }
}
