import Foundation
import StoreKit
import StoreKitTest
import TestSupport
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

    /// The same with another text of the file.
    static func session(_ change: (String) throws -> String) throws -> SKTestSession {
        let folder = TemporaryFolder()
        let other = URL(fileURLWithPath: folder.file("Other.storekit"))
        try change(String(contentsOf: file, encoding: .utf8))
            .write(to: other, atomically: true, encoding: .utf8)
        let session = try SKTestSession(contentsOf: other)
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

/// The receipt of the current session's device.
final class Receipt: NSObject, SKRequestDelegate, Sendable {
    private let ends: AsyncStream<(any Error)?>
    private let end: AsyncStream<(any Error)?>.Continuation

    private override init() {
        (ends, end) = AsyncStream.makeStream()
    }

    /// Its bytes, once the store has been asked for it anew.
    static func fetched() async throws -> Data {
        let receipt = Receipt()
        let request = SKReceiptRefreshRequest()
        request.delegate = receipt
        request.start()
        for await error in receipt.ends {
            if let error { throw error }
            break
        }
        return try Data(contentsOf: try #require(Bundle.main.appStoreReceiptURL))
    }

    func requestDidFinish(_ request: SKRequest) { end.yield(nil) }

    func request(_ request: SKRequest, didFailWithError error: any Error) { end.yield(error) }
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
