import StoreModel
import StoreSigning
import TestSupport

/// One key store with test chains for all tests, since making keys takes a second.
enum SharedStore {
    private static let result = Result {
        let folder = TemporaryFolder()
        try KeyStore.create(in: folder.file("keys"))
        let store = try KeyStore(directory: folder.file("keys"))
        try store.prepareTestChains()
        return store
    }

    static func get() throws -> KeyStore { try result.get() }

    static func signer(
        _ environment: StoreEnvironment = .sandbox, isTest: Bool = false,
        worldID: String = Samples.worldID
    ) throws -> ReceiptSigner {
        let store = try get()
        let leaf = try store.makeLeaf(environment, isTest: isTest, worldID: worldID)
        return try store.receiptSigner(environment, isTest: isTest, leaf: leaf)
    }
}
