import AppStoreServer
import Foundation
import StoreHTTP
import StoreModel
import StoreSigning

/// Receipts of a store's default world, signed and verified by the library without HTTP.
enum ReceiptBench {
    /// The number of purchases in each receipt sent to `verifyReceipt`.
    static let purchasesPerReceipt = 5
    /// The number of distinct receipts that the verifications use.
    static let receiptsChecked = 2_000

    /// Writes bodies for `/verifyReceipt`, one per line, each with a different receipt.
    static func writeBodies(_ options: Options) throws {
        let signer = try openSigner(options)
        let count = Int(try options.number("count"))
        let path = try options.text("out")
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw Failure("cannot write \(path)") }
        let half = count / 2
        let lines = Lines()
        DispatchQueue.concurrentPerform(iterations: 2) { part in
            let numbers = part == 0 ? 0..<half : half..<count
            lines.add(Result { try numbers.map { try bodyLine(signer, $0) } })
        }
        for part in try lines.all() { try file.write(contentsOf: part) }
        try file.close()
    }

    private static func bodyLine(_ signer: ReceiptSigner, _ number: Int) throws -> Data {
        let receipt = Data(try signer.sign(payload(number))).base64EncodedString()
        return Data("{\"receipt-data\":\"\(receipt)\"}\n".utf8)
    }

    static func verify(_ options: Options) throws {
        let signer = try openSigner(options)
        let receipts = try (0..<receiptsChecked).map { try signer.sign(payload($0)) }
        let verifier = try openKeys(options).receiptVerifier()
        let floor = try OpenSSLFloor()
        var number = 0
        let rates = try Stopwatch.rates(seconds: try options.number("seconds")) {
            let found = try verifier.verify(receipts[number % receipts.count])
            guard found.payload.purchases.count == purchasesPerReceipt else {
                throw Failure("a receipt lost its purchases")
            }
            number += 1
        } _: {
            try floor.verify()
        }
        try report(["rate": rates.first, "floor": rates.second])
    }

    static func sign(_ options: Options) throws {
        let signer = try openSigner(options)
        let floor = try OpenSSLFloor()
        var number = 0
        let rates = try Stopwatch.rates(seconds: try options.number("seconds")) {
            _ = try signer.sign(payload(number))
            number += 1
        } _: {
            try floor.sign()
        }
        try report(["rate": rates.first, "floor": rates.second])
    }

    // MARK: - What is signed

    static func openKeys(_ options: Options) throws -> KeyStore {
        try KeyStore(directory: try options.text("data") + "/keys")
    }

    private static func openSigner(_ options: Options) throws -> ReceiptSigner {
        let world = try openWorld(options)
        defer { world.close() }
        return try world.signer(for: .sandbox)
    }

    static func openWorld(_ options: Options) throws -> World {
        let data = try options.text("data")
        return try World(
            name: .default, path: WorldRegistry.defaultPath(below: data + "/worlds"),
            keys: try openKeys(options), wall: WallClock { Timestamp(seconds: 1_700_000_000) },
            polls: Gate(limit: 0), numberOffset: 0)
    }

    private static func payload(_ number: Int) -> ReceiptPayload {
        let moment = Timestamp(seconds: 1_700_000_000 + Int64(number))
        let opaque = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) } + randomBytes(8)
        let guid = [UInt8](repeating: 1, count: 16)
        let bundleID = "com.example.bench"
        return ReceiptPayload(
            receiptType: "ProductionSandbox", appItemID: 0, bundleID: bundleID,
            applicationVersion: "1.0", opaqueValue: opaque,
            deviceHash: receiptDeviceHash(guid: guid, opaqueValue: opaque, bundleID: bundleID),
            createdAt: moment, downloadID: 0, versionExternalIdentifier: 0,
            purchases: (0..<purchasesPerReceipt).map { purchase(number, $0, at: moment) },
            originalPurchaseDate: Timestamp(seconds: 1_375_340_400),
            originalApplicationVersion: "1.0", expiresAt: nil)
    }

    private static func purchase(
        _ receipt: Int, _ place: Int, at moment: Timestamp
    ) -> ReceiptPurchase {
        let transaction = "\(2_000_000_000_000_000 + receipt * purchasesPerReceipt + place)"
        return ReceiptPurchase(
            quantity: 1, productID: "com.example.bench.fuel\(place)", transactionID: transaction,
            purchasedAt: moment, originalTransactionID: transaction,
            originallyPurchasedAt: moment, kind: .consumable)
    }
}
