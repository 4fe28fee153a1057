import StoreCaller
import StoreWire

extension StoreConnection {
    func products(_ identifiers: [String]) throws(StoreFailure) -> ProductsAnswerBody {
        try call(
            ProductsAnswerBody.self, "POST", "products",
            body: ProductsRequestBody(
                productIdentifiers: identifiers, locale: configuration.locale))
    }

    func post(
        _ attempt: AttemptRequestBody, as customer: Customer, onDevice guid: String
    ) throws(StoreFailure) -> AttemptAnswerBody {
        try call(
            AttemptAnswerBody.self, "POST", "attempts", body: attempt, as: customer,
            onDevice: guid)
    }

    func unfinished(
        of customer: Customer, cancellation: CallCancellation
    ) throws(StoreFailure) -> UnfinishedBody {
        try call(
            UnfinishedBody.self, "GET", "transactions", as: customer, cancellation: cancellation)
    }

    /// Waits for what happens after a cursor.
    func updates(
        of customer: Customer, after cursor: Int64, cancellation: CallCancellation
    ) throws(StoreFailure) -> UpdatesBody {
        let seconds = Self.updatesWaitSecondsMax
        return try call(
            UpdatesBody.self, "GET", "updates?after=\(cursor)&wait=\(seconds)", as: customer,
            millisecondsMax: (seconds + 10) * 1_000, cancellation: cancellation)
    }

    func finish(
        _ transactionId: String, as customer: Customer
    ) throws(StoreFailure) -> FinishAnswerBody {
        guard !transactionId.isEmpty, transactionId.allSatisfy({ $0.isASCII && $0.isNumber })
        else {
            throw StoreFailure(
                .refused(status: 404, code: "transactionUnknown"),
                "\"\(transactionId)\" is no transaction's number.")
        }
        return try call(
            FinishAnswerBody.self, "POST", "transactions/\(transactionId)/finish", as: customer)
    }

    /// The receipts of single transactions, at most `TransactionReceiptsRequestBody` allows.
    func transactionReceipts(
        _ transactionIds: [String], of customer: Customer
    ) throws(StoreFailure) -> TransactionReceiptsAnswerBody {
        try call(
            TransactionReceiptsAnswerBody.self, "POST", "transaction-receipts",
            body: TransactionReceiptsRequestBody(transactionIds: transactionIds), as: customer)
    }

    /// The receipt as it is now, and its revision.
    func receipt(
        of customer: Customer
    ) throws(StoreFailure) -> (bytes: [UInt8], revision: Int64) {
        let response = try exchange("GET", "receipt", as: customer, millisecondsMax: 60_000)
        guard let text = response.headers[receiptRevisionHeader.lowercased()],
            let revision = Int64(text), !response.body.isEmpty
        else {
            throw StoreFailure(.lost, "The store's receipt has no revision.")
        }
        return (response.body, revision)
    }
}
