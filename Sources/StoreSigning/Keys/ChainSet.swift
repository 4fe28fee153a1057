import StoreModel

/// Chains that are created together.
struct ChainSet: Sendable {
    let chains: [ChainName]
    let files: MarkedFiles
    /// The keys that sign transaction receipts under the same roots. They were added later than the
    /// chains, so they have their own marker and are created in a directory that lacks them.
    let transactionFiles: MarkedFiles

    static let lasting = ChainSet(ChainName.lasting, markerEnding: "")
    static let test = ChainSet(ChainName.test, markerEnding: "-test")

    private init(_ chains: [ChainName], markerEnding: String) {
        self.chains = chains
        files = MarkedFiles(
            marker: "complete" + markerEnding, files: chains.flatMap(\.files))
        transactionFiles = MarkedFiles(
            marker: "complete\(markerEnding)-transaction",
            files: chains.flatMap(\.transactionFiles))
    }

    func presence(in directory: KeyDirectory) -> KeyStore.Presence {
        files.presence(in: directory)
    }

    /// Creates keys and certificates and writes them.
    func make(in directory: KeyDirectory) throws {
        var contents: [String: [UInt8]] = [:]
        for (name, material) in zip(chains, try ChainMaterial.make(chains)) {
            contents.merge(try material.files(of: name)) { _, new in new }
        }
        try files.write(contents, in: directory)
    }

    /// Reads the chains.
    func read(from directory: KeyDirectory) throws -> [ChainName: IssuingChain] {
        let contents = try files.read(from: directory)
        return try chains.reduce(into: [:]) {
            $0[$1] = try IssuingChain($1, files: contents)
        }
    }

    /// Reads the chains that sign transaction receipts, creating them first if that was never
    /// completed.
    ///
    /// For callers that hold the directory's lock. Files without their marker are left from a
    /// crash: nothing was signed with them.
    func openTransactionChains(
        in directory: KeyDirectory
    ) throws -> [ChainName: TransactionChain] {
        let roots = try files.read(from: directory)
        switch transactionFiles.presence(in: directory) {
        case .complete: break
        case .incomplete(let missing) where !missing.contains(transactionFiles.marker):
            throw transactionFiles.lacking(missing, in: directory)
        case .absent, .incomplete: try makeTransactionChains(under: roots, in: directory)
        }
        let contents = try transactionFiles.read(from: directory)
        return try chains.reduce(into: [:]) {
            $0[$1] = try TransactionChain(
                $1, files: contents.merging(roots) { own, _ in own })
        }
    }

    private func makeTransactionChains(
        under roots: [String: [UInt8]], in directory: KeyDirectory
    ) throws {
        var contents: [String: [UInt8]] = [:]
        for name in chains {
            guard let key = roots[name.rootKeyFile], let root = roots[name.rootFile] else {
                preconditionFailure("a chain has a root")
            }
            let made = try TransactionChainMaterial(
                name, root: try Certificate(root), rootKey: try PrivateKey(pem: key))
            contents.merge(try made.files(of: name)) { _, new in new }
        }
        try transactionFiles.write(contents, in: directory)
    }
}
