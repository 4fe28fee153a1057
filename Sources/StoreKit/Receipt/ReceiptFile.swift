import Foundation
import Glibc

/// The receipt on disk and its revision.
struct ReceiptFile: Sendable {
    /// The description of the file on disk, kept beside it.
    struct State: Codable, Hashable, Sendable {
        let revision: Int64
        /// The receipt's owner; a file of another world holds nothing of this one.
        let customer: Customer
        let appVersion: String
        let scope: StoreScope
        /// The file that this describes; it says nothing about a file that replaced it.
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

    /// Whether the file holds exactly this revision of the same account and app.
    ///
    /// A newer one does not count: the store may have been set back since. That costs one call.
    func holds(_ wanted: State) -> Bool {
        guard access(path, R_OK) == 0, let mark = FileMark(path: path),
            let held = try? home.load(State.self, from: home.receiptStateFile)
        else { return false }
        return held == wanted.marked(mark)
    }

    /// Stores a receipt; false when a newer one of the same account and app exists, unless that is
    /// to be replaced, too.
    ///
    /// Throws `signedOut` while another account is signed in: signing in takes the same lock, so
    /// that a receipt never overwrites that of an account that signed in meanwhile.
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
            // Not synced: if it is lost or outdated, the receipt is merely fetched again.
            try home.save(
                state.marked(FileMark(path: path)), to: home.receiptStateFile, isSynced: false)
            return true
        }
    }
}
