// A person redeems an offer code.
extension QueueEngine {
    /// Shows the sheet for offer codes. The store has none yet, so nothing is shown.
    func presentCodeRedemption() {
        Message.sayOnce("offer codes are not available yet, so no sheet was shown.")
    }
}
