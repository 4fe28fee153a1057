extension KeyStore {
    /// The problems of a directory's keys, each with advice; changes nothing. Empty when they are
    /// complete, readable, unchanged, and each belongs to its certificate.
    package static func problems(in directory: String) -> [SigningFailure] {
        let files = KeyDirectory(path: directory)
        switch ChainSet.lasting.presence(in: files) {
        case .absent:
            return [SigningFailure(.incomplete, "\(directory) holds no keys of a store.")]
        case .incomplete(let missing): return [ChainSet.lasting.files.lacking(missing, in: files)]
        case .complete: break
        }
        let hasTest = ChainSet.test.presence(in: files) == .complete
        return (hasTest ? [ChainSet.lasting, .test] : [.lasting]).flatMap { set in
            do {
                let chains = try set.read(from: files)
                return try set.chains.flatMap { name in
                    try mismatches(of: name, chains[name], in: files)
                } + set.transactionProblems(in: files)
            } catch {
                return [SigningFailure(from: error)]
            }
        }
    }

    private static func mismatches(
        of name: ChainName, _ chain: IssuingChain?, in files: KeyDirectory
    ) throws -> [SigningFailure] {
        func fits(_ keyFile: String, _ certificateFile: String) throws -> Bool {
            let key = try PrivateKey(pem: try files.read(keyFile, isSecret: true))
            let certificate = try Certificate(try files.read(certificateFile, isSecret: false))
            return try key.publicKeyInfo() == certificate.publicKeyInfo
        }
        let pairs = [
            (name.rootKeyFile, name.rootFile), (name.intermediateKeyFile, name.intermediateFile),
        ]
        var found = try pairs.filter { try !fits($0.0, $0.1) }
            .map {
                SigningFailure(
                    .damaged, "\(files.path(of: $0.0)) is not the key of \($0.1).",
                    advice: "Put both back from the same backup.")
            }
        // A leaf made and checked now shows that the chain holds from end to end.
        if let chain {
            do {
                _ = try chain.signer(leaf: try chain.makeLeaf(worldID: "DOCTOR"))
            } catch {
                found.append(
                    SigningFailure(
                        .damaged, "Receipts of \(name.fileStem) cannot be signed: \(error)",
                        advice: "Put the whole directory back from a backup."))
            }
        }
        return found
    }
}

extension ChainSet {
    /// The problems of the keys of transaction receipts. Having none is fine, and so are files
    /// without their marker: the next start creates them.
    fileprivate func transactionProblems(in directory: KeyDirectory) -> [SigningFailure] {
        do {
            switch transactionFiles.presence(in: directory) {
            case .absent: return []
            case .incomplete(let missing) where missing.contains(transactionFiles.marker): return []
            case .incomplete(let missing):
                return [transactionFiles.lacking(missing, in: directory)]
            case .complete:
                let own = try transactionFiles.read(from: directory)
                let contents = own.merging(try files.read(from: directory)) { own, _ in own }
                for name in chains { _ = try TransactionChain(name, files: contents) }
                return []
            }
        } catch {
            return [SigningFailure(from: error)]
        }
    }
}

extension SigningFailure {
    /// Converts an error about a key, whatever its source.
    fileprivate init(from error: any Error) {
        self =
            error as? SigningFailure
            ?? SigningFailure(
                .damaged, "\(error)", advice: "Put the whole directory back from a backup.")
    }
}
