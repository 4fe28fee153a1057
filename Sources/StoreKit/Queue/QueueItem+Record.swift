extension QueueItem {
    /// The journal's record of an item; nil when it has none.
    func record(scope: StoreScope) -> AttemptRecord? {
        guard let attemptId else { return nil }
        let recordStage: AttemptRecord.Stage
        switch (stage, presented) {
        case (.writing, _): recordStage = .written
        case (.approving(let customer), _):
            recordStage = .approved(account: customer.account)
        case (.failed, .failed(let reason)): recordStage = .failed(reason)
        default: return nil
        }
        return AttemptRecord(
            attemptId: attemptId, scope: scope, worldId: worldId, deviceGuid: deviceGuid,
            madeAtMilliseconds: madeAtMilliseconds,
            productId: payment.productIdentifier, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, requestData: payment.requestData,
            simulatesAskToBuyInSandbox: payment.simulatesAskToBuyInSandbox, terms: terms,
            discount: payment.discount, offers: payment.offers, stage: recordStage,
            owner: ProcessName.own)
    }

    /// An item that an earlier process recorded, not yet reported.
    init(key: QueueKey, _ attempt: AttemptRecord) {
        var payment = PaymentContents(
            productIdentifier: attempt.productId, quantity: attempt.quantity,
            applicationUsername: attempt.applicationUsername)
        payment.requestData = attempt.requestData
        payment.simulatesAskToBuyInSandbox = attempt.simulatesAskToBuyInSandbox
        payment.discount = attempt.discount
        payment.offers = attempt.offers
        self.init(
            key: key, attemptId: attempt.attemptId, deviceGuid: attempt.deviceGuid,
            madeAtMilliseconds: attempt.madeAtMilliseconds, payment: payment, stage: .failed,
            presented: .purchasing, isFromJournal: true)
        terms = attempt.terms
    }
}
