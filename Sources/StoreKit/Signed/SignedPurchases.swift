import CStoreKit
import Foundation
import StoreModel
import StoreWire

/// What a device knows of an account's signed purchases, and what it can do for its app.
///
/// Nothing here blocks the caller's thread: what waits for the store does so on the engine's queues.
final class SignedPurchases: Sendable {
    enum Selection: Hashable, Sendable {
        case all, currentEntitlements, unfinished
        case allOf(productID: String), currentEntitlementsOf(productID: String)
    }

    private let engine: QueueEngine

    init(engine: QueueEngine) {
        self.engine = engine
    }

    private var desk: SignedDesk? { engine.desk }

    // MARK: - Reading

    func transactions(_ selection: Selection) async -> [VerificationResult<Transaction>] {
        guard let shelf = await desk?.shelf() else { return [] }
        func of(
            _ productID: String, _ results: [VerificationResult<Transaction>]
        ) -> [VerificationResult<Transaction>] {
            results.filter { $0.unsafePayloadValue.productID == productID }
        }
        return switch selection {
        case .all: SignedSelection.all(shelf)
        case .currentEntitlements: SignedSelection.currentEntitlements(shelf)
        case .unfinished: SignedSelection.unfinished(shelf)
        case .allOf(let productID): of(productID, SignedSelection.all(shelf))
        case .currentEntitlementsOf(let productID):
            of(productID, SignedSelection.currentEntitlements(shelf))
        }
    }

    func updates() -> AsyncStream<VerificationResult<Transaction>> {
        desk?.updatesStream() ?? Self.nothing()
    }

    func latest(_ productID: String) async -> VerificationResult<Transaction>? {
        await desk?.shelf().flatMap { SignedSelection.latest(of: productID, $0) }
    }

    func statuses(group: String) async throws -> [Product.SubscriptionInfo.Status] {
        guard let shelf = await desk?.shelf() else { return [] }
        return shelf.copy.groups.first { $0.id == group }
            .map { $0.statuses.compactMap(shelf.judge.status) } ?? []
    }

    func status(transactionID: UInt64) async throws -> Product.SubscriptionInfo.Status? {
        guard let shelf = await desk?.shelf(), let entry = shelf.copy.entries[transactionID],
            let transaction = shelf.judge.transaction(entry)
        else { return nil }
        let original = transaction.unsafePayloadValue.originalID
        return shelf.copy.groups.flatMap(\.statuses).compactMap(shelf.judge.status)
            .first { $0.transaction.unsafePayloadValue.originalID == original }
    }

    func allStatuses() -> AsyncStream<
        (groupID: String, statuses: [Product.SubscriptionInfo.Status])
    > {
        let desk = desk
        return AsyncStream { continuation in
            let reading = Task {
                if let shelf = await desk?.shelf() {
                    for group in shelf.copy.groups where !group.statuses.isEmpty {
                        continuation.yield(
                            (group.id, group.statuses.compactMap(shelf.judge.status)))
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in reading.cancel() }
        }
    }

    func statusUpdates() -> AsyncStream<Product.SubscriptionInfo.Status> {
        desk?.statusStream() ?? Self.nothing()
    }

    /// True for a group that the store does not name: nobody used an offer of it.
    func isEligibleForIntroOffer(group: String) async -> Bool {
        guard let shelf = await desk?.shelf() else { return true }
        return shelf.copy.groups.first { $0.id == group }?.isEligibleForIntroductoryOffer ?? true
    }

    // MARK: - Doing

    func finish(_ transaction: Transaction) async {
        await engine.finish(transaction.id)
    }

    func appTransaction(refresh: Bool) async throws -> VerificationResult<AppTransaction> {
        let (desk, parts) = try usable()
        if refresh { try await signIn(desk, parts) }
        typealias Answer = Result<VerificationResult<AppTransaction>?, StoreKitError>
        let answer = await desk.onQueue { () -> Answer in
            guard let customer = desk.customer() else { return .failure(.notEntitled) }
            return Result { try desk.library.appTransaction(of: customer, refresh: refresh) }
                .mapError { StoreKitError($0) }
        }
        guard let found = try answer?.get() else { throw StoreKitError.unknown }
        return found
    }

    /// Asks the customer to sign in where nobody is, and the store for everything anew.
    func sync() async throws {
        let (desk, parts) = try usable()
        try await signIn(desk, parts)
        guard await desk.shelf(anew: true) != nil else { throw StoreKitError.unknown }
    }

    func products(_ identifiers: [String]) async throws -> [Product] {
        let (desk, parts) = try usable()
        let client = ProductsClient(
            connection: .success(parts.connection), retries: parts.retries)
        let wanted = Set(identifiers)
        if wanted.isEmpty || Task.isCancelled { return [] }
        let answer = await desk.onQueue(engine.refreshes) { client.bodies(wanted).map(\.products) }
        switch answer {
        case nil: return []
        case .success(let bodies): return bodies.map { Product($0) }
        case .failure(let failure): throw StoreKitError(failure)
        }
    }

    @MainActor
    func purchase(
        _ product: Product, _ options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        let terms = try PurchaseTerms(options)
        if Task.isCancelled { return .userCancelled }
        let desk: SignedDesk
        switch engine.usable {
        case .success:
            guard let usable = engine.desk else { throw Product.PurchaseError.purchaseNotAllowed }
            desk = usable
        case .failure(let reason):
            Diagnostic.sayOnce(reason.sentence)
            throw Product.PurchaseError.purchaseNotAllowed
        }
        switch await engine.buy(
            PaymentContents(product, terms),
            mayContinue: { terms.shouldContinue?(Storefront($0)) ?? true })
        {
        case .bought(let id, let customer):
            guard let number = UInt64(id), let shelf = try? desk.library.shelf(of: customer),
                let entry = shelf.copy.entries[number],
                let result = shelf.judge.transaction(entry)
            else { throw StoreKitError.unknown }
            return .success(result)
        case .pending: return .pending
        case .cancelled: return .userCancelled
        case .unreachable(let sentence):
            throw StoreKitError.networkError(Self.networkError(sentence))
        case .unsaved(let error): throw StoreKitError.systemError(error)
        case .failed(let reason): return try Self.result(of: reason)
        }
    }

    /// What a caller gets for a failed payment.
    private static func result(of reason: FailureReason) throws -> Product.PurchaseResult {
        if reason == .interrupted { return .pending }
        if reason.isUnreachable == true {
            throw StoreKitError.networkError(networkError(reason.sentence))
        }
        switch SKError.Code(rawValue: reason.code) {
        case .paymentCancelled: return .userCancelled
        case .paymentInvalid: throw Product.PurchaseError.invalidQuantity
        case .paymentNotAllowed: throw Product.PurchaseError.purchaseNotAllowed
        case .storeProductNotAvailable: throw Product.PurchaseError.productUnavailable
        case .invalidOfferIdentifier: throw Product.PurchaseError.invalidOfferIdentifier
        case .invalidOfferPrice: throw Product.PurchaseError.invalidOfferPrice
        case .invalidSignature: throw Product.PurchaseError.invalidOfferSignature
        case .missingOfferParams: throw Product.PurchaseError.missingOfferParameters
        case .ineligibleForOffer: throw Product.PurchaseError.ineligibleForOffer
        default:
            Diagnostic.say(reason.sentence)
            throw StoreKitError.unknown
        }
    }

    // MARK: - The device

    func storefront() async -> Storefront? {
        guard let desk, case .success(let parts) = engine.usable else { return nil }
        let session = await desk.onQueue { () -> DeviceRecord.Session? in
            if parts.connection.session == nil { try? parts.connection.learnWorld() }
            return parts.connection.session
        }
        return session.map {
            Storefront(countryCode: $0.countryCode, id: $0.storefrontIdentifier)
        }
    }

    func storefrontUpdates() -> AsyncStream<Storefront> {
        desk?.storefrontStream() ?? Self.nothing()
    }

    func messages() -> AsyncStream<Message> { Self.nothing() }
    func intents() -> AsyncStream<PurchaseIntent> { Self.nothing() }

    var deviceVerificationID: UUID? {
        guard case .success(let parts) = engine.parts else { return nil }
        return (try? parts.connection.guid()).flatMap { UUID(uuidString: $0) }
    }

    var canMakePayments: Bool { engine.mayPay }

    // MARK: -

    private func usable() throws -> (desk: SignedDesk, parts: QueueEngine.Parts) {
        guard case .success(let parts) = engine.usable, let desk = engine.desk else {
            if case .failure(let reason) = engine.usable { Diagnostic.sayOnce(reason.sentence) }
            throw StoreKitError.systemError(SKError(.paymentNotAllowed, sentence: ""))
        }
        return (desk, parts)
    }

    /// Signs in on the sheet where nobody is signed in, in turn with payments.
    private func signIn(_ desk: SignedDesk, _ parts: QueueEngine.Parts) async throws {
        let refusal = await desk.onQueue(engine.sheets) { () -> Result<Void, FailureReason>? in
            SheetFlow(parts).signInForReceipt().map { .failure($0) } ?? .success(())
        }
        guard case .failure(let reason)? = refusal else { return }
        if reason.isUnreachable == true {
            throw StoreKitError.networkError(Self.networkError(reason.sentence))
        }
        throw reason.code == SKError.Code.paymentCancelled.rawValue
            ? StoreKitError.userCancelled : StoreKitError.unknown
    }

    private static func nothing<Element>() -> AsyncStream<Element> { AsyncStream { $0.finish() } }

    fileprivate static func networkError(_ sentence: String) -> URLError {
        URLError(.cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}

extension StoreKitError {
    /// The error for a call to the store that failed.
    init(_ error: any Error) {
        guard let failure = error as? StoreFailure else {
            self = .systemError(error)
            return
        }
        switch failure.kind {
        case .lost: self = .networkError(SignedPurchases.networkError(failure.sentence))
        case .signedOut: self = .notEntitled
        case .cancelled: self = .userCancelled
        case .refused, .otherWorld:
            Diagnostic.sayOnce(failure.sentence)
            self = .unknown
        }
    }
}
