import Foundation

/// Where a device keeps key values: a file for each account, and one that names the account whose
/// values the app sees.
///
/// An account's file stays while other accounts are signed in.
struct KeyValueFolder: Sendable {
    private let home: HomeFolder
    private let path: String

    init(home: HomeFolder) {
        self.home = home
        path = home.path + "/key-values"
    }

    /// Removes what killed processes left half-written.
    func tidy() {
        DurableFile.removeUnfinished(in: path)
        for world in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            DurableFile.removeUnfinished(in: "\(path)/\(world)")
        }
    }

    /// `owner.json`
    private struct Present: Codable {
        let owner: KeyValueOwner?
    }

    private var presentFile: String { path + "/owner.json" }

    /// Runs a body on these files alone among all threads and processes.
    func locked<Answer>(_ body: () throws -> Answer) throws -> Answer {
        try DurableFile.makeFolder(path)
        return try home.locked(by: "key-values/lock", body)
    }

    /// The record that the app sees; a new one when there is none.
    func load() throws -> KeyValueRecord {
        let owner = try home.load(Present.self, from: presentFile)?.owner
        return try load(owner)
    }

    func load(_ owner: KeyValueOwner?) throws -> KeyValueRecord {
        let record = try home.load(KeyValueRecord.self, from: file(of: owner))
        return record ?? KeyValueRecord(owner: owner)
    }

    func save(_ record: KeyValueRecord) throws {
        let file = file(of: record.owner)
        try DurableFile.makeFolder(DurableFile.folder(of: file))
        try home.save(record, to: file)
    }

    /// From now on the app sees another owner's values; those without an owner have been adopted by
    /// then.
    func show(_ owner: KeyValueOwner) throws {
        try home.save(Present(owner: owner), to: presentFile)
        try DurableFile.remove(file(of: nil))
    }

    /// The marks differ as soon as another process has written what the app sees.
    func marks(of owner: KeyValueOwner?) -> [FileMark?] {
        [FileMark(path: presentFile), FileMark(path: file(of: owner))]
    }

    private func file(of owner: KeyValueOwner?) -> String {
        guard let owner else { return path + "/nobody.json" }
        let world = Self.name("\(owner.customer.worldId) \(owner.environment)")
        return "\(path)/\(world)/\(Self.name(owner.customer.account)).json"
    }

    /// A safe file name for any text, which cannot lead out of the folder.
    private static func name(_ text: String) -> String {
        Data(text.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
