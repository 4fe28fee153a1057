import StoreModel

/// Chains that are made together, with the marker that is written when all their files are there.
struct ChainSet: Sendable {
    /// Names every file with its SHA-256, so that a change is noticed.
    let marker: String
    let chains: [ChainName]

    static let lasting = ChainSet(marker: "complete", chains: ChainName.lasting)
    static let test = ChainSet(marker: "complete-test", chains: ChainName.test)

    var files: [String] { chains.flatMap(\.files) }

    func presence(in directory: KeyDirectory) -> KeyStore.Presence {
        let missing = (files + [marker]).filter { !directory.has($0) }
        if missing.isEmpty { return .complete }
        return missing.count == files.count + 1 ? .absent : .incomplete(missing: missing)
    }

    /// Makes keys and certificates and writes them, the marker last.
    func make(in directory: KeyDirectory) throws {
        var list = ""
        for (name, material) in zip(chains, try ChainMaterial.make(chains)) {
            for (file, bytes) in try material.files(of: name) {
                try directory.write(bytes, to: file, mode: name.mode(of: file))
                list += "\(hexadecimal(sha256(bytes)))  \(file)\n"
            }
        }
        // The marker must not outlive a file that it speaks of.
        try directory.sync()
        try directory.write(Array(list.utf8), to: marker, mode: 0o600)
        try directory.sync()
    }

    /// Reads the chains and compares each file with the marker's list.
    func read(from directory: KeyDirectory) throws -> [ChainName: IssuingChain] {
        let list = String(
            decoding: try directory.read(marker, isSecret: true), as: UTF8.self)
        let lines = Set(list.split(separator: "\n").map(String.init))
        var found: [ChainName: IssuingChain] = [:]
        for name in chains {
            var files: [String: [UInt8]] = [:]
            for file in name.files {
                let bytes = try directory.read(file, isSecret: name.mode(of: file) == 0o600)
                guard lines.contains("\(hexadecimal(sha256(bytes)))  \(file)") else {
                    throw SigningFailure(
                        .damaged,
                        "\(directory.path(of: file)) is not the file that was written; "
                            + "put it back from a backup.")
                }
                files[file] = bytes
            }
            found[name] = try IssuingChain(name, files: files)
        }
        return found
    }
}
