import Foundation

/// What only the app knows: fuel bought and burnt, and delivered content.
struct SavedGame: Codable {
    struct Content: Codable {
        let name: String
        let mediaType: String
        let transactionId: String
    }

    struct StoreContent: Codable {
        let version: String
        let transactionId: String
    }

    var fuel = 0
    /// The purchases that this fuel came from, so that none is counted twice.
    var fuelTransactions: [String] = []
    /// Content from the backend, by product.
    var content: [String: Content] = [:]
    /// Content from the store, by product.
    var storeContent: [String: StoreContent] = [:]
    /// The cancelled transactions that the backend has been told of.
    var cancellationsTold: Set<String> = []

    init() {}

    /// Also reads games of earlier versions, which had no content from the store and no
    /// cancellations.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        fuel = try values.decode(Int.self, forKey: .fuel)
        fuelTransactions = try values.decode([String].self, forKey: .fuelTransactions)
        content = try values.decode([String: Content].self, forKey: .content)
        storeContent =
            try values.decodeIfPresent([String: StoreContent].self, forKey: .storeContent) ?? [:]
        cancellationsTold =
            try values.decodeIfPresent(Set<String>.self, forKey: .cancellationsTold) ?? []
    }

    static func load(from home: URL) throws -> SavedGame {
        let file = home.appendingPathComponent("game.json")
        guard FileManager.default.fileExists(atPath: file.path) else { return SavedGame() }
        return try JSONDecoder().decode(SavedGame.self, from: Data(contentsOf: file))
    }

    /// Changes the saved game exclusively: another run of the app waits meanwhile.
    static func change<Answer>(
        in home: URL, _ body: (inout SavedGame) throws -> Answer
    ) throws -> Answer {
        let lock = open(home.appendingPathComponent("lock").path, O_RDWR | O_CREAT, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw CocoaError(.fileLocking) }
        defer { close(lock) }
        var game = try load(from: home)
        let answer = try body(&game)
        try game.save(to: home)
        return answer
    }

    /// Written as a whole: a crash leaves the old game or the new one.
    private func save(to home: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let file = home.appendingPathComponent("game.json")
        try DurableWrite.write(try encoder.encode(self), to: file)
    }

    /// Adds fuel for a purchase; false when it was added before.
    mutating func fill(_ amount: Int, transaction: String) -> Bool {
        guard !fuelTransactions.contains(transaction) else { return false }
        fuel += amount
        fuelTransactions.append(transaction)
        return true
    }
}

extension SavedGame {
    /// Takes out the fuel of a refunded purchase that was counted, down to an empty tank. Should the
    /// refund be reversed, it can be filled in again.
    mutating func drain(_ amount: Int, transaction: String) {
        guard let index = fuelTransactions.firstIndex(of: transaction) else { return }
        fuelTransactions.remove(at: index)
        fuel = max(0, fuel - amount)
    }
}

/// Writes that are on disk when they return.
enum DurableWrite {
    static func write(_ data: Data, to file: URL, permissions: mode_t = 0o666) throws {
        let fresh = file.appendingPathExtension("\(getpid()).new")
        let place = open(fresh.path, O_WRONLY | O_CREAT | O_TRUNC, permissions)
        guard place >= 0 else { throw CocoaError(.fileWriteUnknown) }
        let handle = FileHandle(fileDescriptor: place, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
        guard rename(fresh.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY)
        guard folder >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
