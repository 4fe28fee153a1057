import Foundation

/// Which address something in the home folder came from. It chooses the stored session to try and
/// the journal records to look at.
///
/// On the loopback, where stores change their ports from start to start, the path alone counts, so
/// two stores may have the same scope. What tells them apart is the world's id, which stands
/// beside the scope in sessions, in journal records and in the receipt's state: a token is refused
/// elsewhere, and nothing else is sent before the ids are the same.
struct StoreScope: Codable, Hashable, Sendable {
    let text: String

    init(url: URL) {
        let host = url.host?.lowercased() ?? ""
        let isLoopback =
            host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.")
        let place = isLoopback ? "loopback" : url.port.map { "\(host):\($0)" } ?? host
        text = place + url.path
    }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
