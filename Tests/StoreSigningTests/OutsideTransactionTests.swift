import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

private let outsidePython = ProcessInfo.processInfo.environment["BODEGA_PYTHON"]

/// Transaction receipts under code that this project did not write.
@Suite(
    .enabled(
        if: outsidePython != nil, "BODEGA_PYTHON names no Python with the verifiers"))
struct OutsideTransactionTests {
    private func run(
        _ receipt: [UInt8], _ store: KeyStore, _ environment: StoreEnvironment, isTest: Bool,
        rootOf other: StoreEnvironment? = nil, expect: [String] = []
    ) throws -> Command {
        let folder = TemporaryFolder()
        let root = try store.rootCertificate(other ?? environment, isTest: isTest)
        try folder.write(ChainMaterial.pem(root), "root.pem")
        let authority = try store.transactionAuthority(environment, isTest: isTest)
        try folder.write(ChainMaterial.pem(authority), "authority.pem")
        try folder.write(receipt, "receipt")
        return try Command(
            try #require(outsidePython),
            [
                OutsideVerifierTests.scripts
                    .appendingPathComponent("verify_transaction_receipt.py").path,
                folder.file("root.pem"), folder.file("authority.pem"), folder.file("receipt"),
            ] + expect.flatMap { ["--expect", $0] })
    }

    @Test(arguments: StoreEnvironment.allCases, [false, true])
    func `outside code reads a transaction receipt and verifies its signature`(
        environment: StoreEnvironment, isTest: Bool
    ) throws {
        let receipt = try SharedStore.transactionSigner(environment, isTest: isTest)
            .sign(Samples.transactionInfo)
        let done = try run(
            receipt, try SharedStore.get(), environment, isTest: isTest,
            expect: [
                "bid=com.example.rocketcar", "bvrs=1.2.3", "quantity=3",
                "product-id=com.example.rocketcar.fuel", "transaction-id=2000000000000002",
                "original-transaction-id=2000000000000001", "purchase-date-ms=1714558830123",
                "purchase-date=2024-05-01 10:20:30 Etc/GMT",
                "purchase-date-pst=2024-05-01 03:20:30 America/Los_Angeles",
            ])
        #expect(done.status == 0, "\(done.output)")
        #expect(done.output.contains("ok: Apple's library finds the transaction"))
    }

    @Test func `the outside script fails for another root, text or value`() throws {
        let store = try SharedStore.get()
        let receipt = try SharedStore.transactionSigner().sign(Samples.transactionInfo)
        var done = try run(
            receipt, store, .sandbox, isTest: false, rootOf: .production)
        #expect(done.status == 1)
        #expect(done.output.contains("FAILED: the root issued the authority"))
        let text = try TransactionReceiptText(receipt)
        let forged = TransactionReceiptText.text(
            signature: text.signature,
            info: Array(
                String(decoding: text.info, as: UTF8.self)
                    .replacingOccurrences(of: "\"3\"", with: "\"9\"").utf8), from: .sandbox)
        done = try run(forged, store, .sandbox, isTest: false)
        #expect(done.status == 1)
        #expect(done.output.contains("FAILED: the signature fits"), "\(done.output)")
        done = try run(receipt, store, .sandbox, isTest: false, expect: ["quantity=4"])
        #expect(done.status == 1)
        #expect(done.output.contains("FAILED: quantity is as expected"), "\(done.output)")
    }
}
