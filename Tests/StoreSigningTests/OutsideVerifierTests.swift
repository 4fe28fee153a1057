import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

private let outsidePython = ProcessInfo.processInfo.environment["BODEGA_PYTHON"]

/// Verifiers that this project did not write; a Python with their packages comes by
/// `BODEGA_PYTHON`, as `Tests/Verifiers/requirements.txt` pins them.
@Suite(
    .enabled(
        if: outsidePython != nil, "BODEGA_PYTHON names no Python with the verifiers"))
struct OutsideVerifierTests {
    static var scripts: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Verifiers")
    }

    /// Receipts that differ in what may matter to a verifier.
    struct Row: Sendable {
        let environment: StoreEnvironment
        let isTest: Bool
        let payload: ReceiptPayload
    }

    @Test(arguments: [
        Row(environment: .sandbox, isTest: false, payload: Samples.payload()),
        Row(environment: .sandbox, isTest: true, payload: Samples.payload([])),
        Row(environment: .production, isTest: false, payload: Samples.fullPayload),
        Row(environment: .production, isTest: true, payload: Samples.payload(type: "Production")),
    ])
    func `outside verifiers accept a receipt and refuse altered ones`(row: Row) throws {
        let python = try #require(outsidePython)
        let folder = TemporaryFolder()
        let root = try SharedStore.get().rootCertificate(row.environment, isTest: row.isTest)
        try folder.write(ChainMaterial.pem(root), "root.pem")
        let receipt = try SharedStore.signer(row.environment, isTest: row.isTest).sign(row.payload)
        try folder.write(receipt, "receipt.der")
        let done = try Command(
            python,
            [
                Self.scripts.appendingPathComponent("verify_receipt.py").path,
                folder.file("root.pem"), folder.file("receipt.der"), "--guid",
                hexText(Samples.guid), "--bundle-id", Samples.bundleID,
            ])
        #expect(done.status == 0, "\(done.output)")
        #expect(done.output.contains("ok: the device hash fits"))
        try keep(folder, as: "\(row.isTest ? "test-" : "")\(row.environment.rawValue)")
    }

    @Test func `the outside verifiers fail for another guid and another root`() throws {
        let python = try #require(outsidePython)
        let folder = TemporaryFolder()
        let store = try SharedStore.get()
        let receipt = try SharedStore.signer(.sandbox).sign(Samples.payload())
        try folder.write(receipt, "receipt.der")
        for (environment, guid, problem) in [
            (.sandbox, "00000000000000000000000000000000", "FAILED: the device hash fits"),
            (.production, hexText(Samples.guid), "FAILED: openssl cms -verify accepts"),
        ] as [(StoreEnvironment, String, String)] {
            try folder.write(
                ChainMaterial.pem(try store.rootCertificate(environment, isTest: false)),
                "root.pem")
            let done = try Command(
                python,
                [
                    Self.scripts.appendingPathComponent("verify_receipt.py").path,
                    folder.file("root.pem"), folder.file("receipt.der"), "--guid", guid,
                    "--bundle-id", Samples.bundleID,
                ])
            #expect(done.status == 1)
            #expect(done.output.contains(problem), "\(done.output)")
        }
    }

    /// Leaves receipt and root in the folder that `BODEGA_KEEP_RECEIPTS` names, to try by hand.
    private func keep(_ folder: TemporaryFolder, as name: String) throws {
        guard let target = ProcessInfo.processInfo.environment["BODEGA_KEEP_RECEIPTS"] else {
            return
        }
        for file in ["root.pem", "receipt.der"] {
            try Data(folder.read(file)).write(
                to: URL(fileURLWithPath: "\(target)/\(name)-\(file)"))
        }
    }
}
