import StoreKitTest

// begin
func watchRenewals(in session: SKTestSession) {
    session.timeRate = .oneRenewalEveryTwoSeconds
}
// end
