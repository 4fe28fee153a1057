import StoreModel

extension AttemptAnswerBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("attemptId", attemptId)
            $0.member("receiptRevision", receiptRevision)
            if let receipts { $0.member("receipts", receipts) }
            if let refusal { $0.member("refusal", refusal) }
            if let signed { $0.member("signed", signed) }
            $0.member("state", state.rawValue)
            if let transaction { $0.member("transaction", transaction) }
        }
    }
}

extension SentReceiptsBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("receipt", receipt)
            $0.member("revision", revision)
            $0.member("transactionReceipt", transactionReceipt)
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
            if let downloads { $0.member("downloads", downloads) }
            if let isFinished { $0.member("isFinished", isFinished) }
            if let original { $0.member("original", original) }
            $0.member("originalPurchaseDate", originalPurchaseDate.milliseconds)
            $0.member("originalTransactionId", originalTransactionId)
            $0.member("productId", productId)
            $0.member("purchaseDate", purchaseDate.milliseconds)
            $0.member("quantity", Int64(quantity))
            $0.member("transactionId", transactionId)
        }
    }
}

extension DownloadBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("contentIdentifier", contentIdentifier)
            $0.member("contentLength", contentLength)
            $0.member("contentVersion", contentVersion)
        }
    }
}
