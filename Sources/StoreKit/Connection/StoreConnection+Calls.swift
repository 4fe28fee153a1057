import Foundation
import StoreCaller
import StoreWire

extension StoreConnection {
    func products(_ identifiers: [String]) throws(StoreFailure) -> ProductsAnswerBody {
        try call(
            ProductsAnswerBody.self, "POST", "products",
            body: ProductsRequestBody(
                productIdentifiers: identifiers,
                locale: simulation.present.locale ?? configuration.locale))
    }

    func post(
        _ attempt: AttemptRequestBody, as customer: Customer, onDevice guid: String,
        isSigned: Bool = false
    ) throws(StoreFailure) -> AttemptAnswerBody {
        let wanted = isSigned ? SignedPurchaseBody.queryName : SentReceiptsBody.queryName
        return try call(
            AttemptAnswerBody.self, "POST", "attempts?\(wanted)=true", body: attempt, as: customer,
            onDevice: guid)
    }

    func redeem(
        _ redemption: RedeemOfferCodeBody, as customer: Customer, onDevice guid: String
    ) throws(StoreFailure) -> AttemptAnswerBody {
        try call(
            AttemptAnswerBody.self, "POST", "offer-codes/redeem", body: redemption, as: customer,
            onDevice: guid)
    }

    func unfinished(
        of customer: Customer, cancellation: CallCancellation
    ) throws(StoreFailure) -> UnfinishedBody {
        try call(
            UnfinishedBody.self, "GET", "transactions", as: customer, cancellation: cancellation)
    }

    /// Learns the store's current world; this works whether or not an account is signed in.
    func learnWorld() throws(StoreFailure) {
        do throws(StoreFailure) {
            _ = try exchange("GET", "transactions")
        } catch {
            guard error.kind == .signedOut else { throw error }
        }
    }

    /// A page of what a customer owns.
    func restore(
        _ question: RestoreRequestBody, as customer: Customer
    ) throws(StoreFailure) -> RestoreAnswerBody {
        try call(RestoreAnswerBody.self, "POST", "restores", body: question, as: customer)
    }

    func finish(
        _ transactionId: String, as customer: Customer
    ) throws(StoreFailure) -> FinishAnswerBody {
        guard !transactionId.isEmpty, transactionId.allSatisfy({ $0.isASCII && $0.isNumber })
        else {
            throw StoreFailure(
                .refused(status: 404, code: "transactionUnknown"),
                "\"\(transactionId)\" is not a transaction number.")
        }
        return try call(
            FinishAnswerBody.self, "POST", "transactions/\(transactionId)/finish", as: customer)
    }

    /// Finishes the answer to an attempt that only changed a renewal.
    func finishAnswer(
        to attemptId: String, as customer: Customer
    ) throws(StoreFailure) -> FinishAnswerBody {
        try call(
            FinishAnswerBody.self, "POST", "attempts/\(Journal.safe(attemptId))/finish",
            as: customer)
    }

    /// Sends the customer's answer to a price.
    func answer(
        _ agrees: Bool, toPriceConsent number: Int64, as customer: Customer
    ) throws(StoreFailure) -> DevicePriceConsentBody {
        try call(
            DevicePriceConsentBody.self, "POST",
            "price-consents/\(number)/\(agrees ? "agree" : "decline")", as: customer)
    }

    /// The receipts of single transactions by their numbers, at most as many as
    /// `TransactionReceiptsRequestBody` allows.
    func transactionReceipts(
        _ transactionIds: [String], of customer: Customer
    ) throws(StoreFailure) -> [String: Data] {
        let answer = try call(
            TransactionReceiptsAnswerBody.self, "POST", "transaction-receipts",
            body: TransactionReceiptsRequestBody(transactionIds: transactionIds), as: customer)
        return answer.receipts.reduce(into: [:]) { receipts, body in
            receipts[body.transactionId] = Data(base64Encoded: body.receipt)
        }
    }

    /// The current receipt and its revision; in the sandbox also one with properties that the app
    /// asks for.
    func receipt(
        of customer: Customer, with properties: ReceiptProperties = ReceiptProperties()
    ) throws(StoreFailure) -> (bytes: [UInt8], revision: Int64) {
        let response = try exchange(
            "GET", "receipt" + properties.query, as: customer, millisecondsMax: 60_000)
        guard let text = response.headers[receiptRevisionHeader.lowercased()],
            let revision = Int64(text), !response.body.isEmpty
        else {
            throw StoreFailure(.lost, "The store's receipt has no revision.")
        }
        return (response.body, revision)
    }
}
