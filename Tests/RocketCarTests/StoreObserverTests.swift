import Foundation
import StoreKit
import TestSupport
import Testing

@testable import RocketCar

/// What the observer makes of each state of a transaction.
@Suite final class StoreObserverTests {
    /// A transaction whose state the test sets; its error is that of a cancellation.
    final class Transaction: SKPaymentTransaction, @unchecked Sendable {
        var state = SKPaymentTransactionState.purchasing
        var product = ""

        override var transactionState: SKPaymentTransactionState { state }
        override var transactionIdentifier: String? { "7" }
        override var payment: SKPayment {
            let payment = SKMutablePayment()
            payment.productIdentifier = product
            return payment
        }
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

    private func observer() throws -> StoreObserver {
        let garage = try Garage(environment: ["ROCKETCAR_HOME": folder.path])
        let report: (News) -> Void = { [unowned self] in heard.append($0) }
        let contents = StoreContents(garage: garage, askAboveBytes: 0, report: report)
        return StoreObserver(
            player: nil, delivery: Delivery(garage: garage, contents: contents, report: report),
            report: report)
    }

    @Test(arguments: rows)
    func `the customer hears of a decline but not of their own cancellation`(
        row: Row
    ) throws {
        let observer = try observer()
        let queue = Queue()
        let transaction = Transaction()
        for state in row.states {
            transaction.state = state
            observer.paymentQueue(queue, updatedTransactions: [transaction])
        }
        #expect(heard.last == row.news)
        #expect(queue.finished == [transaction])
    }

    struct Act: Sendable {
        let state: SKPaymentTransactionState?
        let news: [News]
        let isFinished: Bool
    }

    private static let filled = News.fuel(litres: 100, isNew: true)

    static let acts = [
        Act(state: .purchasing, news: [.purchasing(product: Garage.fuel)], isFinished: false),
        Act(state: .deferred, news: [.deferred(product: Garage.fuel)], isFinished: false),
        Act(
            state: .failed,
            news: [.failed(product: Garage.fuel, message: "It was declined.")], isFinished: true),
        Act(
            state: .purchased,
            news: [.purchased(product: Garage.fuel, transaction: "7"), filled], isFinished: true),
        Act(
            state: .restored,
            news: [.restored(product: Garage.fuel, transaction: "7", original: "-"), filled],
            isFinished: true),
        Act(
            state: SKPaymentTransactionState(rawValue: 9),
            news: [.unknown(product: Garage.fuel, state: 9)], isFinished: false),
    ]

    @Test(arguments: acts)
    func `each state is acted on, and an unknown one is reported and left alone`(
        act: Act
    ) throws {
        let observer = try observer()
        let queue = Queue()
        let transaction = Transaction()
        transaction.product = Garage.fuel
        transaction.state = try #require(act.state)
        observer.paymentQueue(queue, updatedTransactions: [transaction])
        #expect(heard == act.news)
        #expect(queue.finished == (act.isFinished ? [transaction] : []))
    }
}
