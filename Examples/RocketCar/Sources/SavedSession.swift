import Foundation

/// The session of a player at a backend, in a file that nobody else can read.
struct SavedSession: Codable {
    let backend: String
    let name: String
    let player: Backend.Player

    /// The kept session of this player at this backend. Without one, and without a readable file,
    /// the player signs in.
    static func player(of garage: Garage) -> Backend.Player? {
        guard let data = try? Data(contentsOf: file(of: garage)),
            let saved = try? JSONDecoder().decode(SavedSession.self, from: data),
            saved.backend == garage.backendURL.absoluteString, saved.name == garage.player?.name
        else { return nil }
        return saved.player
    }

    static func save(_ player: Backend.Player, of garage: Garage) throws {
        guard let name = garage.player?.name else { return }
        let saved = SavedSession(
            backend: garage.backendURL.absoluteString, name: name, player: player)
        try DurableWrite.write(
            try JSONEncoder().encode(saved), to: file(of: garage), permissions: 0o600)
    }

    private static func file(of garage: Garage) -> URL {
        garage.home.appendingPathComponent("session.json")
    }
}
