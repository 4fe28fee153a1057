import Foundation
import Glibc

/// The folder where one installation of an app keeps StoreKit's state.
struct HomeFolder: Sendable {
    let path: String

    /// Takes the folder, creating it and its subfolders when they are missing, and removes what
    /// killed processes left half-written.
    init(path: String) throws(DurableFile.Failure) {
        self.path = path
        for folder in ["", "/journal", "/StoreKit", "/intents", "/signed"].map({ path + $0 }) {
            try DurableFile.makeFolder(folder)
            DurableFile.removeUnfinished(in: folder)
        }
        KeyValueFolder(home: self).tidy()
    }

    /// The folder as it is, for reading.
    init(existing path: String) {
        self.path = path
    }

    var deviceFile: String { path + "/device.json" }
    var journalFolder: String { path + "/journal" }
    var settingsFile: String { path + "/settings.json" }
    var receiptStateFile: String { path + "/receipt.json" }
    var cursorFile: String { path + "/cursor.json" }
    var promotionsFile: String { path + "/promotions.json" }
    var intentsFolder: String { path + "/intents" }
    /// Copies of what stores signed, and the roots that vouch for it.
    var signedFolder: String { path + "/signed" }
    var rootsFile: String { path + "/roots.json" }
    /// The roots of which it was said that they are trusted.
    var rootsToldFile: String { path + "/roots-told" }

    /// The store's registration of this device, as it is on disk now.
    func deviceSession() throws -> DeviceRecord.Session? {
        try load(DeviceRecord.self, from: deviceFile)?.session
    }

    /// The receipt's path; its name distinguishes the environments, as Apple's does.
    func receiptFile(isSandbox: Bool) -> String {
        Self.receiptFile(home: path, isSandbox: isSandbox)
    }

    static func receiptFile(home: String, isSandbox: Bool) -> String {
        home + "/StoreKit/" + (isSandbox ? "sandboxReceipt" : "receipt")
    }

    /// Runs a body under this lock, alone among all threads and processes.
    func locked<Answer>(
        by lock: String = "lock", _ body: () throws -> Answer
    ) throws -> Answer {
        let name = "\(path)/\(lock)"
        // Each call opens the file anew, so the lock also holds between threads.
        let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw DurableFile.Failure("open", name) }
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw DurableFile.Failure("lock", name) }
        }
        return try body()
    }

    /// Reads a JSON file; nil when there is none. A damaged one is reported, set aside under
    /// `.damaged`, and counts as missing.
    ///
    /// Throws when it cannot be read: an unreadable file may exist all the same.
    func load<Value: Decodable>(_: Value.Type, from path: String) throws -> Value? {
        guard let bytes = try DurableFile.read(path) else { return nil }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            try setAside(path, because: "is damaged")
            return nil
        }
    }

    /// Writes a JSON file; one that is not synced promises nothing.
    func save(_ value: some Encodable, to path: String, isSynced: Bool = true) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try DurableFile.write(Array(try encoder.encode(value)), to: path, isSynced: isSynced)
    }

    /// Sets a file aside that cannot be used, and says why.
    func setAside(_ path: String, because reason: String) throws(DurableFile.Failure) {
        guard rename(path, path + ".damaged") == 0 else {
            throw DurableFile.Failure("set aside", path)
        }
        Diagnostic.say("\(path) \(reason); it was set aside as \(path).damaged")
    }
}
