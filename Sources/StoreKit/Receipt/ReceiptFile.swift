import Foundation
import Glibc

/// The receipt on disk and the revision it has.
struct ReceiptFile: Sendable {
    /// What the file on disk is; kept beside it.
    struct State: Codable, Hashable, Sendable {
        let revision: Int64
        /// Whose it is; another world's file holds nothing of this one.
        let customer: Customer
        let appVersion: String
        let scope: StoreScope
        /// The file that this is said of; of one that took its place it says nothing.
        private(set) var mark: FileMark?

        init(revision: Int64, customer: Customer, appVersion: String, scope: StoreScope) {
            self.revision = revision
            self.customer = customer
            self.appVersion = appVersion
            self.scope = scope
        }

        func marked(_ mark: FileMark?) -> State {
            var marked = self
            marked.mark = mark
            return marked
        }

        func isSameFile(as other: State) -> Bool {
            customer == other.customer && appVersion == other.appVersion && scope == other.scope
        }
    }

    let home: HomeFolder
    let isSandbox: Bool

    var path: String { home.receiptFile(isSandbox: isSandbox) }

    /// Whether the file holds just this revision of the same account and app.
    ///
    /// A newer one does not count: the store may have been set back since. It costs one call.
    func holds(_ wanted: State) -> Bool {
        guard access(path, R_OK) == 0, let mark = FileMark(path: path),
            let held = try? home.load(State.self, from: home.receiptStateFile)
        else { return false }
        return held == wanted.marked(mark)
    }

    /// Stores a receipt; false when a newer one of the same account and app is there, unless that
    /// is to be replaced, too.
    ///
    /// Throws `signedOut` while somebody else is signed in: the lock is the one that signing in
    /// takes, so that no receipt lands on the one of whoever came between.
    func store(_ bytes: [UInt8], as state: State, overNewer: Bool) throws -> Bool {
        try home.locked {
            if let session = try home.deviceSession(), session.scope == state.scope,
                let present = session.customer, present != state.customer
            {
                throw StoreFailure(
                    .signedOut,
                    "The receipt of \(state.customer.account) waits: \(present.account) is "
                        + "signed in.")
            }
            let held = try home.load(State.self, from: home.receiptStateFile)
            if let held, held.isSameFile(as: state), held.revision > state.revision, !overNewer {
                return false
            }
            try DurableFile.write(bytes, to: path)
            // Not synced: without it, or with an older one, the receipt is only fetched once more.
            try home.save(
                state.marked(FileMark(path: path)), to: home.receiptStateFile, isSynced: false)
            return true
        }
    }
}
