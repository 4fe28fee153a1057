import StoreDatabase
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

extension TestStore {
    /// Copies a purchase so often, each with a receipt revision of its own.
    func repeatPurchase(_ bought: TransactionBody, _ count: Int) throws {
        let number = try #require(Int64(bought.transactionId))
        try registry.defaultWorld.database.write { scope in
            let sample = try #require(
                try scope.reading.transaction(TransactionID(number)))
            for index in 0..<count {
                let id = try scope.nextTransactionID(.sandbox)
                try scope.addTransaction(
                    StoreTransaction(
                        id: id, original: id, environment: .sandbox, app: sample.app,
                        account: sample.account, device: sample.device,
                        attempt: AttemptID("copy \(bought.transactionId) \(index)"),
                        product: sample.product, kind: sample.kind, quantity: 1,
                        purchasedAt: sample.purchasedAt,
                        originallyPurchasedAt: sample.purchasedAt, charged: sample.charged,
                        storefront: "USA", applicationUsername: nil, finishedAt: nil))
            }
            try scope.execute(
                "UPDATE receipt_revision SET revision = revision + ?1", [.integer(Int64(count))])
        }
    }
}
