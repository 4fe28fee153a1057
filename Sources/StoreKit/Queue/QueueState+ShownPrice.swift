// Payments whose price changed between the sheet and the store.
extension QueueState {
    /// The item of an attempt. Its key has the id of the first attempt, so that the app's
    /// transaction stays the same object.
    func key(ofAttempt attemptId: String) -> QueueKey {
        laterAttempts[attemptId] ?? QueueKey(attemptId: attemptId)
    }

    /// Shows the sheet with the new price. The old attempt stays refused in the store, so the next
    /// one has an id of its own, which is in the journal before anything is asked.
    ///
    /// For a payment of an earlier process nobody expects a sheet: it ends.
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
