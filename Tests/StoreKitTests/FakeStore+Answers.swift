import Foundation
import StoreModel
import StoreWire

// What the fake store does and answers.
extension FakeStore {
    static func reply(_ body: some Encodable) -> Reply {
        Reply(body: (try? WireJSON.encode(body)) ?? [])
    }

    static func error(_ code: String, _ message: String) -> [UInt8] {
        (try? WireJSON.encode(ErrorBody(code: code, message: message))) ?? []
    }

    static func session(_ state: State) -> Reply {
        let country = state.account.flatMap { _ in state.accountStorefront } ?? state.storefront
        return reply(
            DeviceSessionBody(
                deviceToken: state.token, environment: "Sandbox", worldId: state.worldId,
                account: state.account,
                storefront: StorefrontBody(
                    Storefront(countryCode: country) ?? .default)))
    }

    static func register(_ request: RawRequest, _ state: inout State) -> Reply {
        guard let body = try? WireJSON.decode(RegisterDeviceBody.self, from: request.body) else {
            return Reply(status: 400, body: error("badBody", "bad body"))
        }
        state.guid = body.guid
        // As in the real store, registering again ends the sign-in.
        state.account = nil
        state.tokenCount += 1
        state.token = "token-\(state.tokenCount)-\(state.worldId)"
        return session(state)
    }

    static func signIn(_ request: RawRequest, _ state: inout State) -> Reply {
        guard let body = try? WireJSON.decode(SignInBody.self, from: request.body) else {
            return Reply(status: 400, body: error("badBody", "bad body"))
        }
        if state.wrongPasswords >= 5 {
            return Reply(status: 423, body: error("accountLocked", "The account is locked."))
        }
        guard body.password == password else {
            state.wrongPasswords += 1
            return Reply(status: 401, body: error("wrongPassword", "Wrong name or password."))
        }
        state.account = body.account
        state.tokenCount += 1
        state.token = "token-\(state.tokenCount)-\(state.worldId)"
        return session(state)
    }

    static func products(_ request: RawRequest, _ state: State) -> Reply {
        guard let body = try? WireJSON.decode(ProductsRequestBody.self, from: request.body) else {
            return Reply(status: 400, body: error("badBody", "bad body"))
        }
        guard body.productIdentifiers.count <= 1_000 else {
            return Reply(status: 422, body: error("badField", "too many"))
        }
        let known = body.productIdentifiers.filter { $0.hasPrefix("com.example.") }
        return reply(
            ProductsAnswerBody(
                products: known.map {
                    var product = ProductBody(
                        productId: $0, kind: .consumable, localizedTitle: "Title of \($0)",
                        localizedDescription: "About", priceMilliunits: state.priceMilliunits,
                        currency: "USD",
                        priceLocale: "en_US@currency=USD", isFamilyShareable: false,
                        subscriptionGroupIdentifier: nil)
                    if !state.offers.isEmpty {
                        product.promotionalOffers = state.offers.map {
                            OfferBody($0, in: Storefront.default.currency)
                        }
                    }
                    return product
                },
                invalidProductIdentifiers: body.productIdentifiers.filter { !known.contains($0) }))
    }

    static func attempt(_ request: RawRequest, _ state: inout State) -> Reply {
        guard let body = try? WireJSON.decode(AttemptRequestBody.self, from: request.body) else {
            return Reply(status: 400, body: error("badBody", "bad body"))
        }
        guard state.account != nil else {
            return Reply(status: 401, body: error("notSignedIn", "Nobody is signed in."))
        }
        // As in the real store, an attempt is one device's.
        let name = "\(state.guid) \(body.attemptId)"
        if let known = state.attempts[name] {
            guard state.attemptBodies[name] == body else {
                return Reply(status: 409, body: error("attemptDiffers", "another body"))
            }
            return reply(state.finishedAnswers.contains(body.attemptId) ? over(known) : known)
        }
        state.attemptBodies[name] = body
        let answer: AttemptAnswerBody
        let offer = state.offers.first { $0.id == body.discount?.identifier }
        let price = offer?.price.milliunits ?? state.priceMilliunits * Int64(body.quantity)
        if let shown = body.shownPriceMilliunits, shown != price {
            answer = refused(body.attemptId, .priceChanged, state)
        } else if state.isInterrupting {
            answer = AttemptAnswerBody(
                attemptId: body.attemptId, state: .interrupted, transaction: nil, refusal: nil,
                receiptRevision: state.revision)
        } else if let refusal = state.refusal {
            answer = AttemptAnswerBody(
                attemptId: body.attemptId, state: .refused, transaction: nil, refusal: refusal,
                receiptRevision: state.revision)
        } else if let period = state.period {
            answer = AttemptAnswerBody(
                attemptId: body.attemptId, state: .done, transaction: period, refusal: nil,
                receiptRevision: state.revision)
        } else if state.isDeferring {
            answer = AttemptAnswerBody(
                attemptId: body.attemptId, state: .deferred, transaction: nil, refusal: nil,
                receiptRevision: state.revision)
        } else {
            let transaction = record(body, device: state.guid, &state)
            answer = AttemptAnswerBody(
                attemptId: body.attemptId, state: .done, transaction: transaction, refusal: nil,
                receiptRevision: state.revision,
                receipts: state.sendsReceipts && request.path.hasSuffix("?receipts=true")
                    ? sentReceipts(transaction, state) : nil)
        }
        state.attempts[name] = answer
        if state.endsSessionAfterAttempt {
            state.endsSessionAfterAttempt = false
            state.token = "gone"
            state.account = nil
        }
        return reply(answer)
    }

    /// The receipt names what is unfinished.
    static func receipt(_ state: State) -> [UInt8] {
        let ids = state.transactions.filter { $0.original == nil }.map(\.transactionId)
            .filter { !state.finished.contains($0) }
        return Array("\(state.receiptWord) \(ids.joined(separator: ","))".utf8)
    }

    private static func sentReceipts(
        _ transaction: TransactionBody, _ state: State
    ) -> SentReceiptsBody {
        SentReceiptsBody(
            receipt: Data(receipt(state)).base64EncodedString(), revision: state.revision,
            transactionReceipt: Data("\(state.receiptWord) of \(transaction.transactionId)".utf8)
                .base64EncodedString())
    }

    static func record(
        _ body: AttemptRequestBody, device: String, _ state: inout State
    ) -> TransactionBody {
        let id = "\(2_000_000_000_000_001 + state.transactions.count)"
        var transaction = TransactionBody(
            transactionId: id, originalTransactionId: id, productId: body.productId,
            quantity: body.quantity, purchaseDate: Timestamp(milliseconds: 1_700_000_000_500),
            originalPurchaseDate: Timestamp(milliseconds: 1_700_000_000_500),
            attemptId: body.attemptId, deviceGuid: device,
            applicationUsername: body.applicationUsername)
        transaction.downloads = state.content.offer(of: body.productId)
        state.transactions.append(transaction)
        state.revision += 1
        state.events.append(
            UpdateBody(
                number: Int64(state.events.count + 1), kind: .purchased, transaction: transaction))
        return transaction
    }

    static func transactionReceipts(_ request: RawRequest, _ state: State) -> Reply {
        guard
            let body = try? WireJSON.decode(
                TransactionReceiptsRequestBody.self, from: request.body),
            (1...TransactionReceiptsRequestBody.transactionsMax)
                .contains(body.transactionIds.count)
        else { return Reply(status: 422, body: error("badField", "bad body")) }
        let known = Set(state.transactions.map(\.transactionId))
        return reply(
            TransactionReceiptsAnswerBody(
                receipts: body.transactionIds.filter { known.contains($0) }.map {
                    TransactionReceiptBody(
                        transactionId: $0,
                        receipt: Data("\(state.receiptWord) of \($0)".utf8)
                            .base64EncodedString())
                }))
    }

    /// An attempt's answer once it is finished.
    private static func over(_ answer: AttemptAnswerBody) -> AttemptAnswerBody {
        var transaction = answer.transaction
        transaction?.isFinished = true
        return AttemptAnswerBody(
            attemptId: answer.attemptId, state: answer.state, transaction: transaction,
            refusal: nil, receiptRevision: answer.receiptRevision)
    }

    static func finishAnswer(_ attemptId: String, _ state: inout State) -> Reply {
        guard let answer = state.attempts["\(state.guid) \(attemptId)"],
            let transaction = answer.transaction, transaction.attemptId != attemptId
        else { return Reply(status: 404, body: error("attemptUnknown", "unknown")) }
        state.finishedAnswers.insert(attemptId)
        return reply(
            FinishAnswerBody(
                transactionId: transaction.transactionId, receiptRevision: state.revision))
    }

    static func finish(_ id: String, _ state: inout State) {
        guard state.finished.insert(id).inserted,
            let transaction = state.transactions.first(where: { $0.transactionId == id })
        else { return }
        state.revision += 1
        state.events.append(
            UpdateBody(
                number: Int64(state.events.count + 1), kind: .finished, transaction: transaction))
    }
}
