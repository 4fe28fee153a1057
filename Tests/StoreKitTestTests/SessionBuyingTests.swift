import Foundation
import StoreKitTest
import Testing

/// Purchases of the app and of the test, and what becomes of them.
@Suite(.ownSessions, .timeLimit(.minutes(10))) struct SessionBuyingTests {
    @Test func `a purchase of the app is among all transactions`() async throws {
        let session = try Press.session()
        try await session.run {
            let bought = try await Press.buy(Press.archive)
            let listed = try #require(session.allTransactions().first)
            #expect(listed.identifier == Int(bought.id))
            #expect(listed.originalTransactionIdentifier == Int(bought.originalID))
            #expect(listed.productIdentifier == Press.archive)
            #expect(listed.state == .purchased)
            #expect(listed.purchaseDate == bought.purchaseDate)
            #expect(listed.cancelDate == nil && listed.expirationDate == nil)
            #expect(!listed.autoRenewingEnabled && !listed.hasPurchaseIssue)
        }
    }

    @Test func `a purchase of the test comes to the updates of the app`() async throws {
        let session = try Press.session()
        try await session.run {
            let updates = Transaction.updates.makeAsyncIterator()
            let token = UUID()
            let bought = try await session.buyProduct(
                identifier: Press.issue, options: [.quantity(2), .appAccountToken(token)])
            #expect(bought.productID == Press.issue)
            #expect(bought.purchasedQuantity == 2)
            #expect(bought.appAccountToken == token)
            var iterator = updates
            let heard = try #require(await iterator.next()).payloadValue
            #expect(heard.id == bought.id)
        }
    }

    @Test func `a refund ends the entitlement and is told`() async throws {
        let session = try Press.session()
        try await session.run {
            var updates = Transaction.updates.makeAsyncIterator()
            let bought = try await Press.buy(Press.archive)
            try session.refundTransaction(identifier: Int(bought.id))
            let told = try #require(await updates.next()).payloadValue
            #expect(told.id == bought.id)
            #expect(told.revocationReason == .other)
            #expect(session.allTransactions().first?.cancelDate == told.revocationDate)
            #expect(try await Transaction.currentEntitlements.first { _ in true } == nil)
            expectRefused(.invalidAction) {
                try session.refundTransaction(identifier: Int(bought.id))
            }
        }
    }

    @Test func `a deleted transaction is gone from every list`() async throws {
        let session = try Press.session()
        try await session.run {
            let kept = try await Press.buy(Press.issue, finish: false)
            let bought = try await Press.buy(Press.archive)
            try session.deleteTransaction(identifier: Int(bought.id))
            #expect(session.allTransactions().map(\.identifier) == [Int(kept.id)])
            var all: [UInt64] = []
            for await result in Transaction.all { all.append(try result.payloadValue.id) }
            #expect(all == [kept.id])
            #expect(await Transaction.latest(for: Press.archive) == nil)
            expectRefused(.noTransactionFound) {
                try session.deleteTransaction(identifier: Int(bought.id))
            }
        }
    }

    @Test func `a cleared session has nothing, and an introductory offer again`() async throws {
        let session = try Press.session()
        try await session.run {
            try await Press.buy(Press.archive)
            try await Press.buy(Press.issue, finish: false)
            let trial = try await Press.buy(Press.monthly)
            #expect(trial.offer?.type == .introductory)
            session.clearTransactions()
            #expect(session.allTransactions().isEmpty)
            for await _ in Transaction.all { Issue.record("A transaction is left.") }
            for await _ in Transaction.unfinished { Issue.record("One is unfinished.") }
            for await _ in Transaction.currentEntitlements { Issue.record("One is entitled to.") }
            #expect(try await Press.buy(Press.monthly).offer?.type == .introductory)
            #expect(session.storefront == "DEU")
        }
    }

    @Test func `a deleted subscription takes its renewals along, and the receipt has neither`()
        async throws
    {
        let session = try Press.session()
        try await session.run {
            let archive = try await Press.buy(Press.archive)
            let monthly = try await Press.buy(Press.monthly)
            try session.forceRenewalOfSubscription(productIdentifier: Press.monthly)
            let renewal = try #require(await Transaction.latest(for: Press.monthly)).payloadValue
            func inReceipt() async throws -> [UInt64] {
                let receipt = try await Receipt.fetched()
                return [archive.id, monthly.id, renewal.id]
                    .filter { receipt.range(of: Data("\($0)".utf8)) != nil }
            }
            #expect(try await inReceipt() == [archive.id, monthly.id, renewal.id])
            try session.deleteTransaction(identifier: Int(monthly.id))
            #expect(session.allTransactions().map(\.identifier) == [Int(archive.id)])
            #expect(await Transaction.latest(for: Press.monthly) == nil)
            #expect(try await inReceipt() == [archive.id])
            session.clearTransactions()
            #expect(try await inReceipt() == [])
        }
    }

    // MARK: - Waiting

    @Test func `a purchase that was approved is told, and a declined one is not`() async throws {
        let session = try Press.session()
        session.askToBuyEnabled = true
        try await session.run {
            var updates = Transaction.updates.makeAsyncIterator()
            for product in [Press.issue, Press.archive] {
                guard case .pending = try await Press.product(product).purchase() else {
                    Issue.record("The purchase did not wait.")
                    return
                }
            }
            let waiting = session.allTransactions()
            #expect(waiting.map(\.productIdentifier) == [Press.issue, Press.archive])
            #expect(waiting.allSatisfy { $0.pendingAskToBuyConfirmation && $0.state == .deferred })
            try session.declineAskToBuyTransaction(identifier: waiting[0].identifier)
            try session.approveAskToBuyTransaction(identifier: waiting[1].identifier)
            let told = try #require(await updates.next()).payloadValue
            #expect(told.productID == Press.archive)
            let after = session.allTransactions()
            #expect(after.first { $0.productIdentifier == Press.issue }?.state == .failed)
            #expect(!after.contains { $0.pendingAskToBuyConfirmation })
            for transaction in waiting {
                expectRefused(.invalidAction) {
                    try session.approveAskToBuyTransaction(identifier: transaction.identifier)
                }
            }
        }
    }

    @Test func `a purchase of the test that is interrupted is listed and resolved`() async throws {
        let session = try Press.session()
        session.interruptedPurchasesEnabled = true
        await expectRefused(.invalidAction) {
            try await session.buyProduct(identifier: Press.archive)
        }
        let failed = try #require(session.allTransactions().first)
        #expect(failed.state == .failed && failed.hasPurchaseIssue)
        try session.resolveIssueForTransaction(identifier: failed.identifier)
        #expect(session.allTransactions().map(\.state) == [.purchased])
    }

    @Test func `an interrupted purchase is made when its issue is resolved`() async throws {
        let session = try Press.session()
        session.interruptedPurchasesEnabled = true
        try await session.run {
            var updates = Transaction.updates.makeAsyncIterator()
            guard case .pending = try await Press.product(Press.archive).purchase() else {
                Issue.record("The purchase was not interrupted.")
                return
            }
            let failed = try #require(session.allTransactions().first)
            #expect(failed.state == .failed && failed.hasPurchaseIssue)
            session.interruptedPurchasesEnabled = false
            try session.resolveIssueForTransaction(identifier: failed.identifier)
            #expect(try #require(await updates.next()).payloadValue.productID == Press.archive)
            #expect(throws: SKTestError.self) {
                try session.resolveIssueForTransaction(identifier: failed.identifier)
            }
        }
    }

    // MARK: - Wrong arguments

    @Test func `products that are not there are refused`() async throws {
        let session = try Press.session()
        await expectRefused(.invalidProductIdentifier) {
            try await session.buyProduct(identifier: "com.example.nothing")
        }
        await #expect(throws: Product.PurchaseError.invalidQuantity) {
            try await session.buyProduct(identifier: Press.issue, options: [.quantity(11)])
        }
        #expect(session.allTransactions().isEmpty)
    }

    @Test(arguments: [0, -1, 1, Int.max, Int.min])
    func `numbers that no transaction has are refused by every method`(_ number: Int) throws {
        let session = try Press.session()
        let methods: [(Int) throws -> Void] = [
            session.refundTransaction, session.deleteTransaction,
            session.enableAutoRenewForTransaction, session.disableAutoRenewForTransaction,
            session.approveAskToBuyTransaction, session.declineAskToBuyTransaction,
            session.resolveIssueForTransaction, session.requestPriceIncreaseConsentForTransaction,
            session.consentToPriceIncreaseForTransaction,
            session.declinePriceIncreaseForTransaction,
        ]
        for method in methods {
            expectRefused(.noTransactionFound) { try method(number) }
        }
    }
}
