import StoreVerification

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
                } + set.transactionProblems(in: files) + set.dataProblems(in: files)
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
    fileprivate func transactionProblems(in directory: KeyDirectory) -> [SigningFailure] {
        problems(of: transactionFiles, in: directory) { own in
            let contents = own.merging(try files.read(from: directory)) { own, _ in own }
            for name in chains { _ = try TransactionChain(name, files: contents) }
        }
    }

    fileprivate func dataProblems(in directory: KeyDirectory) -> [SigningFailure] {
        problems(of: dataFiles, in: directory) { contents in
            for name in chains {
                let root = try Certificate(try contents.bytes(name.dataRootFile))
                let key = try CurvePrivateKey(
                    pem: try contents.bytes(name.dataRootKeyFile), on: .p384)
                guard try key.publicKeyInfo() == root.publicKeyInfo else {
                    throw SigningFailure(
                        .damaged,
                        "\(directory.path(of: name.dataRootKeyFile)) is not the key of "
                            + "\(name.dataRootFile).",
                        advice: "Put both back from the same backup.")
                }
                // A leaf made and checked now shows that the chain holds from end to end.
                let chain = try SignedDataChain(name, files: contents)
                _ = try chain.signer(
                    leaf: try chain.makeLeaf(DataCertificateTerms(), worldID: "DOCTOR"))
            }
        }
    }

    /// The problems of files that were added later. Having none is fine, and so are files without
    /// their marker: the next start creates them.
    private func problems(
        of files: MarkedFiles, in directory: KeyDirectory,
        checking check: ([String: [UInt8]]) throws -> Void
    ) -> [SigningFailure] {
        do {
            switch files.presence(in: directory) {
            case .absent: return []
            case .incomplete(let missing) where missing.contains(files.marker): return []
            case .incomplete(let missing): return [files.lacking(missing, in: directory)]
            case .complete:
                try check(try files.read(from: directory))
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
