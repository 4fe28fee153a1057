import StoreKit
import Testing

@testable import RocketCar

/// When the lower part of the screen is the system's.
@Suite struct SheetTurnTests {
    /// A transaction whose state the test sets.
    final class Transaction: SKPaymentTransaction, @unchecked Sendable {
        var state = SKPaymentTransactionState.purchasing
        let wanted: SKPayment

        init(_ product: String, _ state: SKPaymentTransactionState = .purchasing) {
            let payment = SKMutablePayment()
            payment.productIdentifier = product
            wanted = payment
            self.state = state
            super.init()
        }

        override var transactionState: SKPaymentTransactionState { state }
        override var payment: SKPayment { wanted }
    }

    @Test(arguments: [.purchased, .failed, .deferred] as [SKPaymentTransactionState])
    func `a payment holds the sheet until its own transaction changes`(
        state: SKPaymentTransactionState
    ) {
        var turn = SheetTurn()
        turn.begin(.payment(product: "p"))
        turn.see([Transaction("p", .purchased), Transaction("q", .failed)])
        #expect(turn.prompt == .payment(product: "p"), "an older one ends nothing")
        let own = Transaction("p")
        turn.see([own])
        turn.see([Transaction("p", state)])
        #expect(turn.prompt == .payment(product: "p"), "nor does another of the same product")
        own.state = state
        turn.see([own])
        #expect(turn.prompt == nil)
    }

    @Test func `a restore holds the sheet until a transaction arrives or it ends`() {
        var turn = SheetTurn()
        turn.begin(.restore)
        turn.see([Transaction("p", .purchased)])
        #expect(turn.prompt == .restore)
        turn.see([Transaction("p", .restored)])
        #expect(turn.prompt == nil)
        turn.begin(.restore)
        turn.end(.receipt)
        #expect(turn.prompt == .restore)
        turn.end(.restore)
        #expect(turn.prompt == nil)
    }
}
