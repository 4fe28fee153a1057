import Foundation
import StoreKitTest
import Testing

/// What an app of the original API gets in a session.
@Suite(.ownSessions, .timeLimit(.minutes(10))) struct SessionObserverTests {
    @available(*, deprecated)
    @Test func `the original API buys, hears of the test's purchases, and fails as asked`()
        async throws
    {
        let session = try Press.session()
        try await Ear.listening(to: session) { heard in
            try session.buyProduct(productIdentifier: Press.issue)
            #expect(await heard.next() == Ear.News(product: Press.issue, state: .purchased))
            session.failureError = .invalidOfferPrice
            session.failTransactionsEnabled = true
            Self.pay(for: Press.issue)
            #expect(
                await heard.next { $0.state == .failed }
                    == Ear.News(product: Press.issue, state: .failed, error: .invalidOfferPrice))
            session.failTransactionsEnabled = false
            Self.pay(for: Press.issue)
            #expect(await heard.next { $0.state != .purchasing }?.state == .purchased)
            session.clearTransactions()
            #expect(session.allTransactions().isEmpty)
        }
    }

    @Test func `a payment that waits for approval is deferred, then bought, or failed`()
        async throws
    {
        let session = try Press.session()
        session.askToBuyEnabled = true
        try await Ear.listening(to: session) { heard in
            for (isApproved, product) in [(true, Press.archive), (false, Press.issue)] {
                Self.pay(for: product)
                #expect(
                    await heard.next { $0.state != .purchasing }
                        == Ear.News(product: product, state: .deferred))
                let waiting = try #require(
                    session.allTransactions().first { $0.pendingAskToBuyConfirmation })
                #expect(waiting.productIdentifier == product && waiting.state == .deferred)
                if isApproved {
                    try session.approveAskToBuyTransaction(identifier: waiting.identifier)
                } else {
                    try session.declineAskToBuyTransaction(identifier: waiting.identifier)
                }
                let end = try #require(await heard.next { $0.state != .purchasing })
                #expect(end.product == product)
                #expect(end.state == (isApproved ? .purchased : .failed))
            }
        }
    }

    @Test func `an interrupted payment fails, and is bought when its issue is resolved`()
        async throws
    {
        let session = try Press.session()
        session.interruptedPurchasesEnabled = true
        try await Ear.listening(to: session) { heard in
            Self.pay(for: Press.archive)
            #expect(await heard.next { $0.state != .purchasing }?.state == .failed)
            let failed = try #require(session.allTransactions().first)
            #expect(failed.hasPurchaseIssue && failed.state == .failed)
            session.interruptedPurchasesEnabled = false
            try session.resolveIssueForTransaction(identifier: failed.identifier)
            #expect(
                await heard.next { $0.state != .purchasing }
                    == Ear.News(product: Press.archive, state: .purchased))
            #expect(session.allTransactions().map(\.state) == [.purchased])
        }
    }

    @Test func `a refund takes the entitlement back from the observers`() async throws {
        let session = try Press.session()
        try await Ear.listening(to: session) { heard in
            Self.pay(for: Press.archive)
            #expect(await heard.next { $0.state != .purchasing }?.state == .purchased)
            let bought = try #require(session.allTransactions().first)
            try session.refundTransaction(identifier: bought.identifier)
            #expect(await heard.next() == Ear.News(product: Press.archive, state: nil))
        }
    }

    private static func pay(for product: String) {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        SKPaymentQueue.default().add(payment)
    }
}

/// Writes down what an observer hears.
private final class Ear: NSObject, SKPaymentTransactionObserver, Sendable {
    struct News: Hashable, Sendable {
        let product: String
        /// Nil for an entitlement that was taken back.
        let state: SKPaymentTransactionState?
        var error: SKError.Code?
    }

    let heard: AsyncStream<News>
    private let told: AsyncStream<News>.Continuation

    override init() {
        (heard, told) = AsyncStream.makeStream()
    }

    /// Runs a body in a session, with what an observer of its queue hears meanwhile.
    static func listening(
        to session: SKTestSession,
        _ body: (_ heard: inout AsyncStream<News>.Iterator) async throws -> Void
    ) async throws {
        try await session.run {
            let ear = Ear()
            SKPaymentQueue.default().add(ear)
            defer { SKPaymentQueue.default().remove(ear) }
            var heard = ear.heard.makeAsyncIterator()
            try await body(&heard)
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            told.yield(
                News(
                    product: transaction.payment.productIdentifier,
                    state: transaction.transactionState,
                    error: (transaction.error as? SKError)?.code))
            // Those in between cannot be finished.
            if ![.purchasing, .deferred].contains(transaction.transactionState) {
                queue.finishTransaction(transaction)
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers products: [String]
    ) {
        for product in products { told.yield(News(product: product, state: nil)) }
    }
}

extension AsyncStream.Iterator {
    fileprivate mutating func next(_ fits: (Element) -> Bool) async -> Element? {
        while let element = await next() {
            if fits(element) { return element }
        }
        return nil
    }
}
