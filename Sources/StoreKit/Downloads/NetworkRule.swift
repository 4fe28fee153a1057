import Foundation

/// Whether downloads wait for an unmetered network.
///
/// On Linux only a message bus could say which network is in use, so the user states it, or names a
/// file that does.
struct NetworkRule: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case metered, unmetered
    }

    enum Source: Hashable, Sendable {
        case kind(Kind)
        /// A file with one of the words, which is read repeatedly.
        case file(String)
    }

    let holdsMetered: Bool
    let source: Source

    /// Whether downloads must wait now. A file that is missing or unclear means a metered network.
    var isHeld: Bool {
        guard holdsMetered else { return false }
        switch source {
        case .kind(let kind): return kind == .metered
        case .file(let path):
            guard let bytes = try? DurableFile.read(path) else { return true }
            let word = String(decoding: bytes.prefix(64), as: UTF8.self)
            return word.trimmingCharacters(in: .whitespacesAndNewlines) != Kind.unmetered.rawValue
        }
    }

    /// Reads `STOREKIT_HOLD_METERED` and `STOREKIT_NETWORK`.
    static func read(
        _ value: (String) -> String?
    ) throws(StoreConfiguration.Problem) -> NetworkRule {
        let hold = value("STOREKIT_HOLD_METERED") ?? "0"
        guard ["0", "1"].contains(hold) else {
            throw StoreConfiguration.Problem(
                sentence: "STOREKIT_HOLD_METERED is \"\(hold)\"; it must be 0 or 1.")
        }
        let network = value("STOREKIT_NETWORK") ?? Kind.unmetered.rawValue
        if let kind = Kind(rawValue: network) {
            return NetworkRule(holdsMetered: hold == "1", source: .kind(kind))
        }
        guard network.hasPrefix("/") else {
            throw StoreConfiguration.Problem(
                sentence: "STOREKIT_NETWORK is \"\(network)\"; it must be metered, unmetered, or "
                    + "the absolute path of a file with one of these words.")
        }
        return NetworkRule(holdsMetered: hold == "1", source: .file(network))
    }
}
