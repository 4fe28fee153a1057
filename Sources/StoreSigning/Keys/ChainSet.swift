import StoreModel
import StoreVerification

/// Chains that are created together.
struct ChainSet: Sendable {
    let chains: [ChainName]
    let files: MarkedFiles
    /// The keys that sign transaction receipts under the same roots. They were added later than the
    /// chains, so they have their own marker and are created in a directory that lacks them.
    let transactionFiles: MarkedFiles
    /// The keys that sign data, under roots of their own; added later, too.
    let dataFiles: MarkedFiles

    static let lasting = ChainSet(ChainName.lasting, markerEnding: "")
    static let test = ChainSet(ChainName.test, markerEnding: "-test")

    private init(_ chains: [ChainName], markerEnding: String) {
        self.chains = chains
        files = MarkedFiles(
            marker: "complete" + markerEnding, files: chains.flatMap(\.files))
        transactionFiles = MarkedFiles(
            marker: "complete\(markerEnding)-transaction",
            files: chains.flatMap(\.transactionFiles))
        dataFiles = MarkedFiles(
            marker: "complete\(markerEnding)-signed-data", files: chains.flatMap(\.dataFiles))
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

    /// Reads the chains of receipts.
    func read(from directory: KeyDirectory) throws -> [ChainName: IssuingChain] {
        let contents = try files.read(from: directory)
        return try byName { try IssuingChain($0, files: contents) }
    }

    /// Reads all chains, creating first what was added later than the chains and is missing.
    ///
    /// For callers that hold the directory's lock.
    func open(in directory: KeyDirectory) throws -> OpenChains {
        let own = try files.read(from: directory)
        let transactions = try transactionFiles.open(in: directory) {
            try transactionContents(under: own)
        }
        .merging(own) { new, _ in new }
        let data = try dataFiles.open(in: directory, making: dataContents)
        return OpenChains(
            receipts: try byName { try IssuingChain($0, files: own) },
            transactions: try byName { try TransactionChain($0, files: transactions) },
            signedData: try byName { try SignedDataChain($0, files: data) })
    }

    private func byName<Chain>(
        _ chain: (ChainName) throws -> Chain
    ) rethrows -> [ChainName: Chain] {
        try chains.reduce(into: [:]) { $0[$1] = try chain($1) }
    }

    private func transactionContents(
        under roots: [String: [UInt8]]
    ) throws -> [String: [UInt8]] {
        try chains.reduce(into: [:]) { contents, name in
            let made = try TransactionChainMaterial(
                name, root: try Certificate(try roots.bytes(name.rootFile)),
                rootKey: try PrivateKey(pem: try roots.bytes(name.rootKeyFile)))
            contents.merge(try made.files(of: name)) { _, new in new }
        }
    }

    private func dataContents() throws -> [String: [UInt8]] {
        try chains.reduce(into: [:]) { contents, name in
            contents.merge(try SignedDataMaterial(name).files(of: name)) { _, new in new }
        }
    }
}
