import Foundation
import StoreKit
import TestSupport
import Testing

@testable import RocketCar

/// What the observer makes of payments that come to nothing.
@Suite final class StoreObserverTests {
    /// A transaction whose state the test sets; its error is that of a cancellation.
    final class Transaction: SKPaymentTransaction, @unchecked Sendable {
        var state = SKPaymentTransactionState.purchasing

        override var transactionState: SKPaymentTransactionState { state }
        override var error: (any Error)? {
            SKError(.paymentCancelled, userInfo: [NSLocalizedDescriptionKey: "It was declined."])
        }
    }

    /// A queue that only notes what is finished.
    final class Queue: SKPaymentQueue, @unchecked Sendable {
        var finished: [SKPaymentTransaction] = []

        override func finishTransaction(_ transaction: SKPaymentTransaction) {
            finished.append(transaction)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let states: [SKPaymentTransactionState]
        let news: News
        let testDescription: String
    }

    private static let failed = News.failed(product: "", message: "It was declined.")

    static let rows = [
        Row(
            states: [.purchasing, .failed], news: .cancelled(product: ""),
            testDescription: "cancelled on the sheet"),
        Row(
            states: [.purchasing, .deferred, .failed], news: failed,
            testDescription: "declined by somebody else"),
        Row(
            states: [.deferred, .failed], news: failed,
            testDescription: "declined after a launch that told of the wait"),
        Row(states: [.failed], news: failed, testDescription: "declined between two launches"),
    ]

    private let folder = TemporaryFolder()
    private var heard: [News] = []

    @Test(arguments: rows)
    func `the customer hears of a decline but not of their own cancellation`(
        row: Row
    ) throws {
        let garage = try Garage(environment: ["ROCKETCAR_HOME": folder.path])
        let report: (News) -> Void = { [unowned self] in heard.append($0) }
        let contents = StoreContents(garage: garage, askAboveBytes: 0, report: report)
        let observer = StoreObserver(
            player: nil, delivery: Delivery(garage: garage, contents: contents, report: report),
            report: report)
        let queue = Queue()
        let transaction = Transaction()
        for state in row.states {
            transaction.state = state
            observer.paymentQueue(queue, updatedTransactions: [transaction])
        }
        #expect(heard.last == row.news)
        #expect(queue.finished == [transaction])
    }
}
