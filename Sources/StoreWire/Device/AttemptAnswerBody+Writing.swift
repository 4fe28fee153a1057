import StoreModel

extension AttemptAnswerBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("attemptId", attemptId)
            $0.member("receiptRevision", receiptRevision)
            if let refusal { $0.member("refusal", refusal) }
            $0.member("state", state.rawValue)
            if let transaction { $0.member("transaction", transaction) }
        }
    }
}

extension RefusalBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("code", code.rawValue)
            $0.member("message", message)
        }
    }
}

extension TransactionBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            if let applicationUsername { $0.member("applicationUsername", applicationUsername) }
            $0.member("attemptId", attemptId)
            $0.member("deviceGuid", deviceGuid)
            $0.member("originalPurchaseDate", originalPurchaseDate.milliseconds)
            $0.member("originalTransactionId", originalTransactionId)
            $0.member("productId", productId)
            $0.member("purchaseDate", purchaseDate.milliseconds)
            $0.member("quantity", Int64(quantity))
            $0.member("transactionId", transactionId)
        }
    }
}
