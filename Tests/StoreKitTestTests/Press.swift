import Foundation
import StoreKit
import StoreKitTest
import Testing

/// The newspaper of these tests, as its configuration file sells it.
enum Press {
    static let issue = "com.example.press.issue"
    static let archive = "com.example.press.archive"
    static let monthly = "com.example.press.monthly"
    static let yearly = "com.example.press.yearly"

    static var file: URL {
        get throws {
            try #require(Bundle.module.url(forResource: "Press", withExtension: "storekit"))
        }
    }

    /// A session in real time whose renewals come only when they are asked for.
    static func session() throws -> SKTestSession {
        let session = try SKTestSession(contentsOf: file)
        session.timeRate = .realTime
        return session
    }

    static func product(_ id: String) async throws -> Product {
        try #require(try await Product.products(for: [id]).first)
    }

    /// Buys in the current session, and finishes unless told otherwise.
    @MainActor @discardableResult
    static func buy(
        _ id: String, finish: Bool = true, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let result = try await product(id).purchase(options: options)
        guard case .success(let verified) = result else {
            throw NotBought(result: "\(result)")
        }
        let transaction = try verified.payloadValue
        if finish { await transaction.finish() }
        return transaction
    }

    struct NotBought: Error {
        let result: String
    }

    static func status(_ session: SKTestSession) async throws -> Product.SubscriptionInfo.Status {
        try #require(try await product(monthly).subscription?.status.first)
    }
}

/// Runs each test where sessions do not take the process's place: tests of other suites have theirs.
struct OwnSessions: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let nowhere = StoreContext(variables: [:], ending: "")
        try await nowhere.run { try await function() }
    }
}

extension Trait where Self == OwnSessions {
    static var ownSessions: Self { OwnSessions() }
}

extension AsyncSequence {
    /// The first element that fits.
    func first(_ fits: (Element) -> Bool) async throws -> Element? {
        for try await element in self where fits(element) { return element }
        return nil
    }
}

/// Expects an error of a session with this code.
func expectRefused<Value>(
    _ code: SKTestError.Code, at place: SourceLocation = #_sourceLocation,
    _ body: () throws -> Value
) {
    do {
        _ = try body()
        Issue.record("It was not refused.", sourceLocation: place)
    } catch {
        #expect((error as? SKTestError)?.code == code, "\(error)", sourceLocation: place)
    }
}

/// The same for a body that waits.
func expectRefused<Value>(
    _ code: SKTestError.Code, at place: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    do {
        _ = try await body()
        Issue.record("It was not refused.", sourceLocation: place)
    } catch {
        #expect((error as? SKTestError)?.code == code, "\(error)", sourceLocation: place)
    }
}
