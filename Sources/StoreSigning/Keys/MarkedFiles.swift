import StoreModel
import StoreVerification

/// Files that are created together, with a marker that is written once all of them exist.
struct MarkedFiles: Sendable {
    struct File: Hashable, Sendable {
        let name: String
        let mode: UInt32

        var isSecret: Bool { mode == 0o600 }
    }

    /// Lists every file with its SHA-256, so that changes are noticed.
    let marker: String
    let files: [File]

    func presence(in directory: KeyDirectory) -> KeyStore.Presence {
        let missing = (files.map(\.name) + [marker]).filter { !directory.has($0) }
        if missing.isEmpty { return .complete }
        return missing.count == files.count + 1 ? .absent : .incomplete(missing: missing)
    }

    /// Keys are one whole with what they signed.
    static let restoring = "Put the whole directory of keys back from a backup."

    /// Describes files that are missing.
    func lacking(_ missing: [String], in directory: KeyDirectory) -> SigningFailure {
        SigningFailure(
            .incomplete,
            "\(directory.path) lacks \(missing.joined(separator: ", ")).",
            advice: Self.restoring)
    }

    /// Writes every file, the marker last.
    func write(_ contents: [String: [UInt8]], in directory: KeyDirectory) throws {
        var list = ""
        for file in files {
            guard let bytes = contents[file.name] else {
                preconditionFailure("\(file.name) was not made with the others")
            }
            try directory.write(bytes, to: file.name, mode: file.mode)
            list += "\(hexadecimal(sha256(bytes)))  \(file.name)\n"
        }
        // The marker must not exist before the files that it lists are durable.
        try directory.sync()
        try directory.write(Array(list.utf8), to: marker, mode: 0o600)
        try directory.sync()
    }

    /// Reads every file, creating all of them first if that was never completed.
    ///
    /// For callers that hold the directory's lock. Files without their marker are left from a
    /// crash: nothing was signed with them.
    func open(
        in directory: KeyDirectory, making contents: () throws -> [String: [UInt8]]
    ) throws -> [String: [UInt8]] {
        switch presence(in: directory) {
        case .complete: break
        case .incomplete(let missing) where !missing.contains(marker):
            throw lacking(missing, in: directory)
        case .absent, .incomplete: try write(try contents(), in: directory)
        }
        return try read(from: directory)
    }

    /// Reads every file and compares it with the marker's list.
    func read(from directory: KeyDirectory) throws -> [String: [UInt8]] {
        let list = String(
            decoding: try directory.read(marker, isSecret: true), as: UTF8.self)
        let lines = Set(list.split(separator: "\n").map(String.init))
        var contents: [String: [UInt8]] = [:]
        for file in files {
            let bytes = try directory.read(file.name, isSecret: file.isSecret)
            guard lines.contains("\(hexadecimal(sha256(bytes)))  \(file.name)") else {
                throw SigningFailure(
                    .damaged,
                    "\(directory.path(of: file.name)) is not the file that was written.",
                    advice: "Put this file back from a backup.")
            }
            contents[file.name] = bytes
        }
        return contents
    }
}

extension [String: [UInt8]] {
    /// The contents of a key file.
    func bytes(_ file: String) throws -> [UInt8] {
        guard let bytes = self[file] else {
            throw SigningFailure(.incomplete, "The key file \(file) is missing.")
        }
        return bytes
    }
}
