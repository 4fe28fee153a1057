// Payments whose price changed between the sheet and the store.
extension QueueState {
    /// The item of an attempt. Its key is the id of the first attempt, so that the app's
    /// transaction stays the same object.
    func key(ofAttempt attemptId: String) -> QueueKey {
        laterAttempts[attemptId] ?? QueueKey(attemptId: attemptId)
    }

    /// Shows the sheet with the new price. The old attempt stays refused in the store, so the next
    /// one has a new id, which is in the journal before the sheet asks.
    ///
    /// A payment of an earlier process ends instead: no sheet is expected for it.
    mutating func showAgain(_ refused: QueueItem, _ nextAttemptId: String) -> [QueueAction] {
        var item = refused
        item.sheetRounds += 1
        guard item.sheetRounds < Self.sheetRoundsMax, !item.isFromJournal,
            let refusedAttempt = item.attemptId
        else {
            return fail(
                item.key,
                FailureReason(.unknown, "The price has changed since it was shown; try again."))
        }
        item.attemptId = nextAttemptId
        item.stage = .writing(wasApproved: false)
        item.customer = nil
        item.terms = nil
        item.worldBefore = world
        items[item.key] = item
        laterAttempts[nextAttemptId] = item.key
        return [.forgetAttempt(attemptId: refusedAttempt), .writeAttempt(item)]
    }
}
