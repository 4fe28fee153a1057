extension QueueItem {
    /// What an earlier process wrote down, not told yet.
    init(key: QueueKey, _ attempt: AttemptRecord) {
        var payment = PaymentContents(
            productIdentifier: attempt.productId, quantity: attempt.quantity,
            applicationUsername: attempt.applicationUsername)
        payment.requestData = attempt.requestData
        payment.simulatesAskToBuyInSandbox = attempt.simulatesAskToBuyInSandbox
        payment.discount = attempt.discount
        self.init(
            key: key, attemptId: attempt.attemptId, deviceGuid: attempt.deviceGuid,
            madeAtMilliseconds: attempt.madeAtMilliseconds, payment: payment, stage: .failed,
            presented: .purchasing, isFromJournal: true)
        terms = attempt.terms
    }
}
