import StoreModel

extension RestoreAnswerBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            if let next { $0.member("next", next) }
            $0.member("receiptRevision", receiptRevision)
            $0.member("transactions", transactions)
        }
    }
}

extension OriginalBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            if let applicationUsername { $0.member("applicationUsername", applicationUsername) }
            $0.member("productId", productId)
            $0.member("purchaseDate", purchaseDate.milliseconds)
            $0.member("quantity", Int64(quantity))
            $0.member("transactionId", transactionId)
        }
    }
}
