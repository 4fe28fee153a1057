import StoreKitTest

// begin
func failed(in session: SKTestSession) -> [SKTestTransaction] {
    session.allTransactions().filter { $0.state == .failed }
}
// end
