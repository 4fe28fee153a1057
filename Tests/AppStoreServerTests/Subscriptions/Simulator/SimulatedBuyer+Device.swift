import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire

@testable import AppStoreServer

// What a buyer's app asks the store beside purchases.
extension SimulatedBuyer {
    mutating func answer(at moment: Moment) async throws {
        let verb = random.below(3) == 0 ? "decline" : "agree"
        let listed = try moment.store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                """
                SELECT number FROM price_consent
                JOIN account ON account.id = price_consent.account_id
                WHERE account.name = ?1 AND answer IS NULL AND withdrawn_ms IS NULL ORDER BY number
                """, [.text(name)]
            ).map { $0.integer(0) }
        }
        for number in listed {
            let answer = await moment.store.send(
                "POST", "\(base)/device/v1/price-consents/\(number)/\(verb)", token: token)
            if moment.isHeldUp(answer) { return }
            guard answer.status == 200 else { throw failure("answer \(number)", answer) }
        }
    }

    /// The app finishes what waits and restores all it has, as one that was installed anew.
    func finishAndRestore(at moment: Moment) async throws {
        for _ in 0..<2 {
            let waiting = await moment.store.send(
                "GET", "\(base)/device/v1/transactions", token: token)
            guard waiting.status == 200 else { throw failure("GET transactions", waiting) }
            let body = try WireJSON.decode(UnfinishedBody.self, from: waiting.body)
            for transaction in body.transactions {
                let id = transaction.transactionId
                let done = await moment.store.send(
                    "POST", "\(base)/device/v1/transactions/\(id)/finish", token: token)
                guard done.status == 200 else { throw failure("finish \(id)", done) }
            }
        }
        let restored = await moment.store.send(
            "POST", "\(base)/device/v1/restores", token: token,
            body: try WireJSON.encode(
                RestoreRequestBody(
                    restoreId: UUID().uuidString, applicationUsername: nil, after: nil)))
        guard restored.status == 200 else { throw failure("POST restores", restored) }
    }

    /// Asks for its receipt and what `verifyReceipt` says of it, and keeps that for the auditor.
    func keepAnswer(from store: TestStore, secret: String, in folder: String) async throws {
        let receipt = await store.send("GET", "\(base)/device/v1/receipt", token: token)
        guard receipt.status == 200 else { throw failure("GET receipt", receipt) }
        let answer = await store.send(
            "POST", "\(base)/verifyReceipt",
            body: JSONValue.object([
                .init("receipt-data", .string(Data(receipt.body).base64EncodedString())),
                .init("password", .string(secret)),
            ]).compactBytes)
        guard answer.status == 200 else { throw failure("verifyReceipt", answer) }
        try Data(answer.body).write(
            to: URL(fileURLWithPath: "\(folder)/audit/answers/\(name).json"))
    }
}
