import Dispatch
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

/// Keys of transaction receipts came later than the others: directories without them get them.
struct TransactionKeyTests {
    private static let names = StoreEnvironment.allCases.flatMap {
        [
            "transaction-authority-\($0.rawValue).der", "transaction-authority-\($0.rawValue).pem",
            "\($0.rawValue)-transaction-authority.key", "\($0.rawValue)-transaction-leaf.key",
        ]
    }
    private static let marker = "complete-transaction"

    private func files(_ folder: TemporaryFolder) throws -> [String: [UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("keys"))
        return try names.reduce(into: [:]) { $0[$1] = try folder.read("keys/\($1)") }
    }

    @Test func `a key directory of an earlier version gets transaction keys and no other change`()
        throws
    {
        let folder = TemporaryFolder()
        let place = folder.file("keys")
        try KeyStore.create(in: place)
        let before = try files(folder)
        #expect(before[Self.marker] == nil)
        let unified = try KeyStore(directory: place)
        let leaf = try unified.makeLeaf(.sandbox, isTest: false, worldID: Samples.worldID)
        let receipt = try unified.receiptSigner(.sandbox, isTest: false, leaf: leaf)
            .sign(Samples.payload())
        let after = try files(folder)
        let added = Set(after.keys).subtracting(before.keys)
        #expect(
            added.filter { !$0.contains("signed-data") } == Set(Self.names + [Self.marker]))
        for (name, bytes) in before { #expect(after[name] == bytes) }
        #expect(try folder.mode("keys/sandbox-transaction-leaf.key") == 0o600)
        #expect(try folder.mode("keys/sandbox-transaction-authority.key") == 0o600)
        #expect(try folder.mode("keys/transaction-authority-sandbox.pem") == 0o644)
        let again = try KeyStore(directory: place)
        #expect(try again.receiptVerifier().verify(receipt).worldID == Samples.worldID)
        #expect(try files(folder) == after)
    }

    @Test func `transaction keys half-made in a crash are created again`() throws {
        let folder = TemporaryFolder()
        let place = folder.file("keys")
        try KeyStore.create(in: place)
        let before = try files(folder)
        for count in 0...Self.names.count {
            try folder.removeKeys(
                try files(folder).keys.filter { before[$0] == nil })
            for name in Self.names.prefix(count) { try folder.write([1, 2, 3], "keys/\(name)") }
            try folder.write([4], "keys/\(Self.marker).tmp")
            let store = try KeyStore(directory: place)
            let receipt = try store.transactionReceiptSigner(
                .sandbox, isTest: false, worldID: Samples.worldID
            ).sign(Samples.transactionInfo)
            let read = try KeyStore(directory: place).transactionReceiptVerifier()
            #expect(try read.verify(receipt).info == Samples.transactionInfo)
            #expect(try folder.mode("keys/sandbox-transaction-leaf.key") == 0o600)
            for (name, bytes) in before { #expect(try folder.read("keys/\(name)") == bytes) }
        }
    }

    @Test func `a transaction key missing or changed later is refused by name`() throws {
        let folder = TemporaryFolder()
        let place = folder.file("keys")
        try KeyStore.create(in: place)
        _ = try KeyStore(directory: place)
        try folder.expectEachKeyNeeded(Self.names)
    }

    @Test func `concurrent openers of a directory agree on its transaction keys`() throws {
        let folder = TemporaryFolder()
        let place = folder.file("keys")
        try KeyStore.create(in: place)
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            #expect(throws: Never.self) {
                let receipt = try KeyStore(directory: place).transactionReceiptSigner(
                    .sandbox, isTest: false, worldID: Samples.worldID
                ).sign(Samples.transactionInfo)
                let read = try KeyStore(directory: place).transactionReceiptVerifier()
                #expect(try read.verify(receipt).info == Samples.transactionInfo)
            }
        }
    }

    @Test func `test sessions of an earlier version get transaction keys, too`() throws {
        let folder = TemporaryFolder()
        let place = folder.file("keys")
        try KeyStore.create(in: place)
        let first = try KeyStore(directory: place)
        let verifier = first.transactionReceiptVerifier()
        #expect(throws: SigningFailure(.noTestChains, "")) {
            try first.transactionReceiptSigner(
                .sandbox, isTest: true, worldID: Samples.worldID)
        }
        try first.prepareTestChains()
        let receipt = try first.transactionReceiptSigner(
            .sandbox, isTest: true, worldID: Samples.worldID
        ).sign(Samples.transactionInfo)
        #expect(try verifier.verify(receipt).isTest)
        try folder.removeKeys(
            try files(folder).keys.filter {
                $0.contains("transaction") && $0.contains("test")
            })
        let old = try files(folder)
        let second = try KeyStore(directory: place)
        #expect(refusal(second.transactionReceiptVerifier(), receipt)?.isMalformed == false)
        let anew = try second.transactionReceiptSigner(
            .sandbox, isTest: true, worldID: Samples.worldID
        ).sign(Samples.transactionInfo)
        #expect(try second.transactionReceiptVerifier().verify(anew).isTest)
        for (name, bytes) in old { #expect(try folder.read("keys/\(name)") == bytes) }
    }
}
