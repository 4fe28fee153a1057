import FoundationEssentials
import Glibc
import StoreModel
@testable import StoreSigning

/// `scripts/fuzz --make-receipts`: signs the known receipts under keys that are discarded, and
/// saves their parts as seeds.
@main struct MakeReceipts {
    static let worldID = "6F9619FF-8B86-D011-B42D-00C04FC964FF"

    static func main() throws {
        guard CommandLine.arguments.count == 3 else {
            print("usage: MakeReceipts FUZZ-FOLDER FOLDER-FOR-KEYS")
            exit(2)
        }
        let folder = CommandLine.arguments[1]
        try KeyStore.create(in: CommandLine.arguments[2])
        let keys = try KeyStore(directory: CommandLine.arguments[2])
        let leaf = try keys.makeLeaf(.sandbox, isTest: false, worldID: worldID)
        let signer = try keys.receiptSigner(.sandbox, isTest: false, leaf: leaf)
        let root = try keys.rootCertificate(.sandbox, isTest: false)
        try write(root, "\(folder)/Receipts/root.der")
        try write(root, "\(folder)/Corpus/receipt/root.der")
        try write(leaf, "\(folder)/Corpus/receipt/leaf.der")
        for (name, payload) in [
            ("one-purchase", payload([purchase])), ("every-field", everyField),
            ("empty", payload([])),
        ] {
            let receipt = try signer.sign(payload)
            let container = try ReceiptContainer(receipt)
            try write(receipt, "\(folder)/Receipts/\(name).der")
            try write(receipt, "\(folder)/Corpus/receipt/\(name).der")
            try write(
                container.reader.contents(of: container.payload),
                "\(folder)/Corpus/receipt/\(name)-payload.der")
        }
        try makeTransactionReceipts(keys, folder)
    }

    private static func makeTransactionReceipts(_ keys: KeyStore, _ folder: String) throws {
        let authority = try keys.transactionAuthority(.sandbox, isTest: false)
        try write(authority, "\(folder)/Receipts/transaction-authority.der")
        let signer = try keys.transactionReceiptSigner(.sandbox, isTest: false, worldID: worldID)
        for (name, info) in [("transaction", transaction), ("subscription", subscription)] {
            let receipt = try signer.sign(info)
            let text = try TransactionReceiptText(receipt)
            try write(receipt, "\(folder)/Receipts/\(name).plist")
            try write(receipt, "\(folder)/Corpus/receipt/\(name).plist")
            try write(text.info, "\(folder)/Corpus/receipt/\(name)-info.plist")
            try write(text.signature, "\(folder)/Corpus/receipt/\(name)-signature.bin")
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private static let time = Timestamp(seconds: 1_714_558_831)

    private static let purchase = ReceiptPurchase(
        quantity: 1, productID: "com.example.rocketcar.fuel", transactionID: "2000000000000001",
        purchasedAt: time, originalTransactionID: "2000000000000001", originallyPurchasedAt: time,
        kind: .consumable)

    private static func payload(_ purchases: [ReceiptPurchase]) -> ReceiptPayload {
        ReceiptPayload(
            receiptType: "ProductionSandbox", appItemID: 0, bundleID: "com.example.rocketcar",
            applicationVersion: "1.2.3", opaqueValue: Array(0..<16), deviceHash: Array(0..<20),
            createdAt: time, downloadID: 0, versionExternalIdentifier: 0, purchases: purchases,
            originalPurchaseDate: Timestamp(seconds: 1_375_340_400),
            originalApplicationVersion: "1.0", expiresAt: nil)
    }

    private static var everyField: ReceiptPayload {
        var second = purchase
        second.quantity = 3
        second.productID = "com.example.rocketcar.club"
        second.transactionID = "2000000000000002"
        second.kind = .autoRenewable
        second.expiresAt = Timestamp(seconds: 1_717_237_231)
        second.webOrderLineItemID = 2_000_000_000_000_003
        second.cancelledAt = Timestamp(seconds: 1_714_608_000)
        second.isTrialPeriod = true
        second.isInIntroOfferPeriod = true
        second.cancellationReason = 1
        second.promotionalOfferID = "spring"
        var payload = payload([purchase, second])
        payload.appItemID = 1_234_567_890
        payload.downloadID = 500_000_000_000_001
        payload.versionExternalIdentifier = 812_345_678
        payload.expiresAt = Timestamp(seconds: 1_893_456_000)
        return payload
    }

    private static let transaction = TransactionReceiptInfo(
        bundleID: "com.example.rocketcar", applicationVersion: "1.2.3",
        vendorIdentifier: "00112233-4455-6677-8899-AABBCCDDEEFF",
        productID: "com.example.rocketcar.fuel", quantity: 3, transactionID: "2000000000000002",
        originalTransactionID: "2000000000000001",
        purchasedAt: Timestamp(milliseconds: 1_714_558_830_123),
        originallyPurchasedAt: Timestamp(milliseconds: 1_710_000_000_007))

    private static var subscription: TransactionReceiptInfo {
        var info = transaction
        info.subscription = .init(
            expiresAt: Timestamp(seconds: 1_717_237_231),
            webOrderLineItemID: 2_000_000_000_000_003, isTrialPeriod: true,
            isInIntroOfferPeriod: false)
        return info
    }
}
