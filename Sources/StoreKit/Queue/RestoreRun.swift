/// One call of `restoreCompletedTransactions` in progress.
struct RestoreRun: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// Another one comes first.
        case waiting
        /// The customer is asked to sign in.
        case atSheet
        /// The store was asked for a page.
        case asking(Customer)
        /// Observers have yet to receive these, the last of a page; the next one begins at `next`.
        case telling(Set<QueueKey>, next: String?, Customer)
    }

    /// Made for this call: under it, the store returns the same transactions however often it is
    /// asked.
    let restoreId: String
    let applicationUsername: String?
    var stage = Stage.waiting
    /// Where the page requested last begins; nil for the first.
    var position: String?
    var pageCount = 0
    var restoredCount = 0
}
