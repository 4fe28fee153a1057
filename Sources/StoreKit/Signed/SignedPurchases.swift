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

    private var feed: SignedFeed? { engine.feed }

    // MARK: - Reading

    func transactions(_ selection: Selection) async -> [VerificationResult<Transaction>] {
        guard let kept = await feed?.kept() else { return [] }
        func of(
            _ productID: String, _ results: [VerificationResult<Transaction>]
        ) -> [VerificationResult<Transaction>] {
            results.filter { $0.unsafePayloadValue.productID == productID }
        }
        return switch selection {
        case .all: SignedSelection.all(kept)
        case .currentEntitlements: SignedSelection.currentEntitlements(kept)
        case .unfinished: SignedSelection.unfinished(kept)
        case .allOf(let productID): of(productID, SignedSelection.all(kept))
        case .currentEntitlementsOf(let productID):
            of(productID, SignedSelection.currentEntitlements(kept))
        }
    }

    func updates() -> AsyncStream<VerificationResult<Transaction>> {
        feed?.updatesStream() ?? Self.nothing()
    }

    func latest(_ productID: String) async -> VerificationResult<Transaction>? {
        await feed?.kept().flatMap { SignedSelection.latest(of: productID, $0) }
    }

    func statuses(group: String) async throws -> [Product.SubscriptionInfo.Status] {
        if simulated?.failsStatuses == true { throw StoreKitError.unknown }
        guard let kept = await feed?.kept() else { return [] }
        return kept.copy.groups.first { $0.id == group }
            .map { $0.statuses.compactMap(kept.verifier.status) } ?? []
    }

    func status(transactionID: UInt64) async throws -> Product.SubscriptionInfo.Status? {
        if simulated?.failsStatuses == true { throw StoreKitError.unknown }
        guard let kept = await feed?.kept(), let entry = kept.copy.entries[transactionID],
            let transaction = kept.verifier.transaction(entry)
        else { return nil }
        let original = transaction.unsafePayloadValue.originalID
        return kept.copy.groups.flatMap(\.statuses).compactMap(kept.verifier.status)
            .first { $0.transaction.unsafePayloadValue.originalID == original }
    }

    func allStatuses() -> AsyncStream<
        (groupID: String, statuses: [Product.SubscriptionInfo.Status])
    > {
        let feed = feed
        return AsyncStream { continuation in
            let reading = Task {
                if let kept = await feed?.kept() {
                    for group in kept.copy.groups where !group.statuses.isEmpty {
                        continuation.yield(
                            (group.id, group.statuses.compactMap(kept.verifier.status)))
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in reading.cancel() }
        }
    }

    func statusUpdates() -> AsyncStream<Product.SubscriptionInfo.Status> {
        feed?.statusStream() ?? Self.nothing()
    }

    /// True for a group that the store does not name: nobody used an offer of it. A cancelled task is
    /// answered from what the device has, since Apple's answers it, too.
    func isEligibleForIntroOffer(group: String) async -> Bool {
        guard let kept = await feed?.kept() ?? feed?.known else { return true }
        return kept.copy.groups.first { $0.id == group }?.isEligibleForIntroductoryOffer ?? true
    }

    // MARK: - Doing

    func finish(_ transaction: Transaction) async {
        await engine.finish(transaction.id)
    }

    func appTransaction(refresh: Bool) async throws -> VerificationResult<AppTransaction> {
        let (feed, parts) = try usable()
        if parts.connection.simulation.present.failsAppTransaction { throw StoreKitError.unknown }
        if refresh { try await signIn(feed, parts) }
        typealias Answer = Result<VerificationResult<AppTransaction>?, StoreKitError>
        let answer = await feed.onQueue { () -> Answer in
            guard let customer = feed.customer() else { return .failure(.notEntitled) }
            return Result { try feed.library.appTransaction(of: customer, refresh: refresh) }
                .mapError { StoreKitError($0) }
        }
        guard let found = try answer?.get() else { throw StoreKitError.unknown }
        return found
    }

    /// Asks the customer to sign in where nobody is, and the store for everything anew.
    func sync() async throws {
        let (feed, parts) = try usable()
        if parts.connection.simulation.present.failsSync { throw StoreKitError.unknown }
        try await signIn(feed, parts)
        let failure = await feed.onQueue { feed.fetchAnew() }
        if let failure { throw StoreKitError(failure) }
        if Task.isCancelled { throw StoreKitError.userCancelled }
    }

    func products(_ identifiers: [String]) async throws -> [Product] {
        let (feed, parts) = try usable()
        if let error = parts.connection.simulation.present.loadProducts { throw error }
        let client = ProductsClient(
            connection: .success(parts.connection), retries: parts.retries)
        let wanted = Set(identifiers)
        if wanted.isEmpty || Task.isCancelled { return [] }
        let answer = await feed.onQueue(engine.refreshes) { client.bodies(wanted).map(\.products) }
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
        if let error = simulated?.purchase { throw error }
        let feed: SignedFeed
        switch engine.usable {
        case .success:
            guard let usable = engine.feed else { throw Product.PurchaseError.purchaseNotAllowed }
            feed = usable
        case .failure(let reason):
            Diagnostic.sayOnce(reason.sentence)
            throw Product.PurchaseError.purchaseNotAllowed
        }
        switch await engine.buy(
            PaymentContents(product, terms),
            mayContinue: { terms.shouldContinue?(Storefront($0)) ?? true })
        {
        case .bought(let id, let customer):
            guard let number = UInt64(id),
                let result = (try? feed.library.kept(of: customer))?.transaction(number)
            else { throw StoreKitError.unknown }
            let found = result.unsafePayloadValue.productID
            // A subscription may be answered with the plan that runs.
            guard found == product.id || product.type == .autoRenewable else {
                Diagnostic.say("the store answered a purchase of \(product.id) with \(found).")
                throw StoreKitError.unknown
            }
            return .success(result)
        case .pending: return .pending
        case .cancelled: return .userCancelled
        case .unreachable(let failure): throw StoreKitError(failure)
        case .unsaved(let error): throw StoreKitError.systemError(error)
        case .failed(let reason): return try Self.result(of: reason)
        }
    }

    /// A transaction of the account that somebody else made; nil when the store does not list it now.
    func bought(_ id: UInt64) async -> VerificationResult<Transaction>? {
        await feed?.kept(with: id)?.transaction(id)
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
        guard let feed, case .success(let parts) = engine.usable else { return nil }
        let session = await feed.onQueue { () -> DeviceRecord.Session? in
            if parts.connection.session == nil { try? parts.connection.learnWorld() }
            return parts.connection.session
        }
        return session.map {
            Storefront(countryCode: $0.countryCode, id: $0.storefrontIdentifier)
        }
    }

    func storefrontUpdates() -> AsyncStream<Storefront> {
        feed?.storefrontStream() ?? Self.nothing()
    }

    func messages() -> AsyncStream<Message> { feed?.messageStream() ?? Self.nothing() }

    func intents() -> AsyncStream<PurchaseIntent> { feed?.intentStream() ?? Self.nothing() }

    var deviceVerificationID: UUID? {
        guard case .success(let parts) = engine.parts else { return nil }
        return (try? parts.connection.guid()).flatMap { UUID(uuidString: $0) }
    }

    var canMakePayments: Bool { engine.mayPay }

    // MARK: -

    private var simulated: Simulation.Settings? {
        if case .success(let parts) = engine.parts {
            parts.connection.simulation.present
        } else {
            nil
        }
    }

    private func usable() throws -> (feed: SignedFeed, parts: QueueEngine.Parts) {
        switch engine.usable {
        case .success(let parts):
            guard let feed = engine.feed else { throw StoreKitError.unknown }
            return (feed, parts)
        case .failure(let reason):
            Diagnostic.sayOnce(reason.sentence)
            throw StoreKitError.systemError(reason.error)
        }
    }

    /// Signs in on the sheet where nobody is signed in, in turn with payments.
    private func signIn(_ feed: SignedFeed, _ parts: QueueEngine.Parts) async throws {
        let refusal = await feed.onQueue(engine.sheets) { () -> Result<Void, FailureReason>? in
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

    fileprivate static func networkError(
        _ sentence: String, _ code: URLError.Code = .cannotConnectToHost
    ) -> URLError {
        URLError(code, userInfo: [NSLocalizedDescriptionKey: sentence])
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
        case .lost:
            self = .networkError(SignedPurchases.networkError(failure.sentence, failure.urlCode))
        case .signedOut: self = .notEntitled
        case .cancelled: self = .userCancelled
        case .refused, .otherWorld:
            Diagnostic.sayOnce(failure.sentence)
            self = .unknown
        }
    }
}
