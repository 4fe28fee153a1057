/// One call of `restoreCompletedTransactions` on its way.
struct RestoreRun: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// Another one comes first.
        case waiting
        /// The person is asked who they are.
        case atSheet
        /// The store was asked for a page.
        case asking(Customer)
        /// Observers do not know these yet, the last of a page; the next one begins at `next`.
        case telling(Set<QueueKey>, next: String?, Customer)
    }

    /// Made for this call: the store gives the same transactions back under it, however often it
    /// is asked.
    let restoreId: String
    let applicationUsername: String?
    var stage = Stage.waiting
    /// Where the page begins that was asked for last; nil for the first.
    var position: String?
    var pageCount = 0
    var restoredCount = 0
}
