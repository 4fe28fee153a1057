import StoreModel
/// One of the store's four chains: an environment's permanent one, or the one for test sessions.
struct ChainName: Hashable, Sendable {
    let environment: StoreEnvironment
    let isTest: Bool

    static let lasting = StoreEnvironment.allCases.map { ChainName(environment: $0, isTest: false) }
    static let test = StoreEnvironment.allCases.map { ChainName(environment: $0, isTest: true) }

    /// `production`, `sandbox`, `test-production` or `test-sandbox`.
    var fileStem: String { (isTest ? "test-" : "") + environment.rawValue }

    /// The prefix of its certificates' names, such as `Bodega TEST Sandbox`.
    var title: String { "Bodega \(isTest ? "TEST " : "")\(environment.wireName)" }

    var rootFile: String { "root-\(fileStem).der" }
    var rootTextFile: String { "root-\(fileStem).pem" }
    var rootKeyFile: String { "\(fileStem)-root.key" }
    var intermediateFile: String { "\(fileStem)-intermediate.der" }
    var intermediateKeyFile: String { "\(fileStem)-intermediate.key" }
    var leafKeyFile: String { "\(fileStem)-leaf.key" }

    var transactionAuthorityFile: String { "transaction-authority-\(fileStem).der" }
    var transactionAuthorityTextFile: String { "transaction-authority-\(fileStem).pem" }
    var transactionAuthorityKeyFile: String { "\(fileStem)-transaction-authority.key" }
    var transactionLeafKeyFile: String { "\(fileStem)-transaction-leaf.key" }

    var dataRootFile: String { "signed-data-root-\(fileStem).der" }
    var dataRootTextFile: String { "signed-data-root-\(fileStem).pem" }
    var dataRootKeyFile: String { "\(fileStem)-signed-data-root.key" }
    var dataIntermediateFile: String { "\(fileStem)-signed-data-intermediate.der" }
    var dataIntermediateKeyFile: String { "\(fileStem)-signed-data-intermediate.key" }
    var dataLeafKeyFile: String { "\(fileStem)-signed-data-leaf.key" }

    /// Roots are public; everything else belongs to the store.
    var files: [MarkedFiles.File] {
        [rootFile, rootTextFile].map { .init(name: $0, mode: 0o644) }
            + [rootKeyFile, intermediateFile, intermediateKeyFile, leafKeyFile]
            .map { .init(name: $0, mode: 0o600) }
    }

    /// The authorities are public, too, because transaction receipts do not carry them.
    var transactionFiles: [MarkedFiles.File] {
        [transactionAuthorityFile, transactionAuthorityTextFile]
            .map { .init(name: $0, mode: 0o644) }
            + [transactionAuthorityKeyFile, transactionLeafKeyFile]
            .map { .init(name: $0, mode: 0o600) }
    }

    /// Roots are public here, too.
    var dataFiles: [MarkedFiles.File] {
        [dataRootFile, dataRootTextFile].map { .init(name: $0, mode: 0o644) }
            + [dataRootKeyFile, dataIntermediateFile, dataIntermediateKeyFile, dataLeafKeyFile]
            .map { .init(name: $0, mode: 0o600) }
    }
}
