import Foundation
import StoreModel
import StoreWire

// What the fake store gives back: every finished purchase that is not fuel.
extension FakeStore {
    /// The account has bought and finished so much of something, one after another.
    func own(_ count: Int, of product: String = Shop.turbo, username: String? = nil) {
        state.withLock { state in
            for _ in 0..<count {
                let transaction = Self.record(
                    AttemptRequestBody(
                        attemptId: UUID().uuidString, productId: product, quantity: 1,
                        applicationUsername: username), device: "ANOTHER", &state)
                state.finished.insert(transaction.transactionId)
            }
            state.events = []
        }
    }

    static func restore(_ request: RawRequest, _ state: inout State) -> Reply {
        guard let body = try? WireJSON.decode(RestoreRequestBody.self, from: request.body) else {
            return Reply(status: 400, body: error("badBody", "bad body"))
        }
        guard state.account != nil else {
            return Reply(status: 401, body: error("notSignedIn", "Nobody is signed in."))
        }
        let name = "\(body.restoreId) \(body.after ?? "")"
        let page = state.restorePages[name] ?? giveBack(body, &state)
        state.restorePages[name] = page
        if state.endsSessionAfterRestore {
            state.endsSessionAfterRestore = false
            state.token = "gone"
            state.account = nil
        }
        return reply(page)
    }

    private static func giveBack(
        _ body: RestoreRequestBody, _ state: inout State
    ) -> RestoreAnswerBody {
        let owned = state.transactions.filter {
            $0.original == nil && $0.productId != Shop.fuel
                && state.finished.contains($0.transactionId)
                && (body.applicationUsername == nil
                    || body.applicationUsername == $0.applicationUsername)
        }
        let rest = owned.drop { Int($0.transactionId) ?? 0 <= Int(body.after ?? "0") ?? 0 }
        let part = rest.prefix(state.restorePageMax)
        var given: [TransactionBody] = []
        for purchase in part {
            let transaction = TransactionBody(
                transactionId: "\(2_000_000_000_000_001 + state.transactions.count)",
                originalTransactionId: purchase.transactionId, productId: purchase.productId,
                quantity: purchase.quantity,
                purchaseDate: Timestamp(milliseconds: 1_700_000_900_500),
                originalPurchaseDate: purchase.purchaseDate, attemptId: body.restoreId,
                deviceGuid: state.guid, applicationUsername: purchase.applicationUsername,
                original: OriginalBody(
                    transactionId: purchase.transactionId, productId: purchase.productId,
                    quantity: purchase.quantity, purchaseDate: purchase.purchaseDate,
                    applicationUsername: purchase.applicationUsername))
            state.transactions.append(transaction)
            given.append(transaction)
        }
        return RestoreAnswerBody(
            transactions: given, next: part.count < rest.count ? part.last?.transactionId : nil,
            receiptRevision: state.revision)
    }
}
