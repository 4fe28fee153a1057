import BodegaTesting
import Foundation
import StoreKit
@testable import StoreKitTest
import TestSupport
import Testing

/// Several sessions, one for several tasks, and what is left of them.
@Suite(.ownSessions, .timeLimit(.minutes(10))) struct SessionsTogetherTests {
    @Test func `sessions at the same time neither see nor hear each other's purchases`()
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...12 {
                group.addTask {
                    let session = try Press.session()
                    try await session.run {
                        var updates = Transaction.updates.makeAsyncIterator()
                        for _ in 0..<number % 3 + 1 { try await Press.buy(Press.issue) }
                        #expect(session.allTransactions().count == number % 3 + 1)
                        for _ in 0..<3 {
                            let bought = try await session.buyProduct(identifier: Press.issue)
                            let heard = try #require(await updates.next()).payloadValue
                            #expect(heard.id == bought.id)
                            #expect(heard.originalID == bought.originalID)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a session bears 64 tasks at once`() async throws {
        let session = try Press.session()
        try await session.run {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        switch number % 4 {
                        case 0: try await session.buyProduct(identifier: Press.issue)
                        case 1: session.storefront = number % 8 == 1 ? "FRA" : "ITA"
                        case 2: _ = session.allTransactions()
                        default: try await Press.buy(Press.issue)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(session.allTransactions().count == 32)
            #expect(["FRA", "ITA"].contains(session.storefront))
        }
    }

    @Test func `a session bears changes of what it has from 64 tasks at once`() async throws {
        let session = try Press.session()
        try await session.run {
            try await Press.buy(Press.monthly)
            for _ in 0..<32 { try await session.buyProduct(identifier: Press.issue) }
            let issues = session.allTransactions().map(\.identifier).suffix(32)
            let (refunded, deleted) = (Array(issues.prefix(16)), Array(issues.suffix(16)))
            let changes: [@Sendable (Int) async throws -> Void] = [
                { try session.refundTransaction(identifier: refunded[$0]) },
                { try session.deleteTransaction(identifier: deleted[$0]) },
                { _ in
                    try session.forceRenewalOfSubscription(productIdentifier: Press.monthly)
                },
                { number in
                    try await session.setSimulatedError(
                        number % 2 == 0 ? .generic(.unknown) : nil, forAPI: .loadProducts)
                },
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask { try await changes[number % 4](number / 4) }
                }
                try await group.waitForAll()
            }
            let left = session.allTransactions()
            let leftIssues = left.filter { $0.productIdentifier == Press.issue }
            #expect(leftIssues.map(\.identifier) == refunded)
            #expect(leftIssues.allSatisfy { $0.cancelDate != nil })
            let periods = left.filter { $0.productIdentifier == Press.monthly }
            #expect(periods.count == 17 && periods.count { $0.autoRenewingEnabled } == 1)
        }
    }

    @Test func `a session that 64 tasks fill and clear is empty when it is cleared at last`()
        async throws
    {
        let session = try Press.session()
        try await session.run {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        if number % 4 == 0 { return session.clearTransactions() }
                        // Its buyer may be another one by now.
                        do {
                            try await session.buyProduct(identifier: Press.issue)
                        } catch let error as SKTestError {
                            #expect(error.code != .invalidProductIdentifier, "\(error)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            session.clearTransactions()
            #expect(session.allTransactions().isEmpty)
            for await _ in Transaction.all { Issue.record("A transaction is left.") }
            let bought = try await Press.buy(Press.issue)
            #expect(session.allTransactions().map(\.identifier) == [Int(bought.id)])
        }
    }

    @Test func `a session that went leaves no world and no home`() async throws {
        var session: SKTestSession? = try Press.session()
        let world = try #require(session).world
        #expect(FileManager.default.fileExists(atPath: world.home))
        session = nil
        await world.ended()
        #expect(!FileManager.default.fileExists(atPath: world.home))
        #expect(!world.isAtStore)
        expectRefused(.serviceUnavailable) { try world.checkRunning() }
    }

    @Test func `a session whose world is gone says so and changes nothing`() async throws {
        let session = try Press.session()
        session.world.end()
        await session.world.ended()
        session.askToBuyEnabled = true
        #expect(!session.askToBuyEnabled)
        #expect(session.allTransactions().isEmpty)
        session.clearTransactions()
        session.resetToDefaultState()
        let error = #expect(throws: SKTestError.self) {
            try session.expireSubscription(productIdentifier: Press.monthly)
        }
        #expect(error?.code == .serviceUnavailable)
        #expect(error?.localizedDescription.contains("has ended") == true)
        await expectRefused(.serviceUnavailable) {
            try await session.buyProduct(identifier: Press.issue)
        }
        await expectRefused(.serviceUnavailable) {
            try await session.setSimulatedError(.generic, forAPI: .appStoreSync)
        }
        await session.run {
            for await _ in Transaction.all { Issue.record("Something is left.") }
            await #expect(throws: (any Error).self) { try await Press.buy(Press.issue) }
        }
    }
}

/// What would reach the tests beside it has a process of its own.
@Suite(.timeLimit(.minutes(10))) struct ProcessSessionTests {
    @Test func `who listened before the first session hears of it, until they leave`() async {
        await #expect(processExitsWith: .success) {
            let file = try Press.file
            var updates = Transaction.updates.makeAsyncIterator()
            let (stays, leaves) = (Bell(), Bell())
            SKPaymentQueue.default().add(stays)
            SKPaymentQueue.default().add(leaves)
            var rings = stays.rings.makeAsyncIterator()
            var session: SKTestSession? = try SKTestSession(contentsOf: file)
            let first = try await session?.buyProduct(identifier: Press.issue)
            #expect(try await updates.next()?.payloadValue.id == first?.id)
            #expect(await rings.next() == Press.issue)
            session = nil
            SKPaymentQueue.default().remove(leaves)
            leaves.close()
            session = try SKTestSession(contentsOf: file)
            try await session?.buyProduct(identifier: Press.archive)
            #expect(await rings.next() == Press.archive)
            var heard: [String] = []
            for await ring in leaves.rings { heard.append(ring) }
            #expect(!heard.contains(Press.archive))
        }
    }

    @MainActor
    @Test func `the newest session is the process's, and who listens goes on to it`() async {
        await #expect(processExitsWith: .success) {
            let file = try Press.file
            let first = try SKTestSession(contentsOf: file)
            var updates = Transaction.updates.makeAsyncIterator()
            let one = try await first.buyProduct(identifier: Press.issue)
            #expect(try await updates.next()?.payloadValue.id == one.id)
            let second = try SKTestSession(contentsOf: file)
            let two = try await second.buyProduct(identifier: Press.archive)
            #expect(try await updates.next()?.payloadValue.productID == two.productID)
            try await Press.buy(Press.issue)
            #expect(first.allTransactions().count == 1)
            #expect(second.allTransactions().count == 2)
        }
    }

    @Test func `news that nobody took before the next session began are not told in it`() async {
        await #expect(processExitsWith: .success) {
            let file = try Press.file
            let first = try SKTestSession(contentsOf: file)
            var late = Transaction.updates.makeAsyncIterator()
            var early = Transaction.updates.makeAsyncIterator()
            let one = try await first.buyProduct(identifier: Press.issue)
            #expect(try await early.next()?.payloadValue.id == one.id)
            let second = try SKTestSession(contentsOf: file)
            try await second.buyProduct(identifier: Press.archive)
            #expect(try await late.next()?.payloadValue.productID == Press.archive)
        }
    }

    @Test func `without a program for the store, the error says what to do`() async {
        await #expect(processExitsWith: .success) {
            setenv("BODEGA_PROGRAM", "/nowhere/bodega", 1)
            let file = try Press.file
            let error = #expect(throws: SKTestError.self) {
                try SKTestSession(contentsOf: file)
            }
            #expect(error?.code == .serviceUnavailable)
            #expect(error?.localizedDescription.contains("BODEGA_PROGRAM") == true)
        }
    }

    @Test func `a store that runs already is used, and given back empty`() async {
        await #expect(processExitsWith: .success) {
            let store = try await BodegaStore.start()
            setenv("BODEGA_URL", store.url.absoluteString, 1)
            let file = try Press.file
            let error = #expect(throws: SKTestError.self) { try SKTestSession(contentsOf: file) }
            #expect(error?.localizedDescription.contains("BODEGA_TOKEN") == true)
            setenv("BODEGA_TOKEN", store.controlToken, 1)
            let session = try SKTestSession(contentsOf: file)
            try await Press.buy(Press.issue)
            #expect(session.allTransactions().count == 1)
            session.world.end()
            await session.world.ended()
            #expect(!session.world.isAtStore)
        }
    }
}

/// Rings for each purchase that an observer hears of.
private final class Bell: NSObject, SKPaymentTransactionObserver, Sendable {
    let rings: AsyncStream<String>
    private let bell: AsyncStream<String>.Continuation

    override init() {
        (rings, bell) = AsyncStream.makeStream()
    }

    /// Ends the rings, after those that were heard.
    func close() {
        bell.finish()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState == .purchased {
            bell.yield(transaction.payment.productIdentifier)
            queue.finishTransaction(transaction)
        }
    }
}
