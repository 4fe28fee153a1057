import Foundation

/// The address that something in the home folder came from. It selects the stored session to try
/// and the journal records to read.
///
/// On the loopback, where stores change ports between starts, only the path counts, so two stores
/// may have the same scope. The world's id distinguishes them. It stands beside the scope in
/// sessions, in journal records and in the receipt's state: another world refuses a token, and
/// nothing else is sent until the ids match.
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
