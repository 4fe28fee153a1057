import StoreKitTest

// begin
func refund(_ transaction: SKTestTransaction, in session: SKTestSession) throws {
    do {
        try session.refundTransaction(identifier: transaction.identifier)
    } catch SKTestError.noTransactionFound {
        print("It is gone.")
    }
}
// end
