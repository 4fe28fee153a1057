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
    }

    let home: HomeFolder
    let isSandbox: Bool

    var path: String { home.receiptFile(isSandbox: isSandbox) }

    /// Whether the file holds this revision, or a newer one, of the same account and app.
    func holds(_ wanted: State) -> Bool {
        guard access(path, R_OK) == 0,
            let held = try? home.load(State.self, from: home.receiptStateFile)
        else { return false }
        return held.customer == wanted.customer && held.appVersion == wanted.appVersion
            && held.scope == wanted.scope && held.revision >= wanted.revision
    }

    /// Stores a receipt unless a newer one is there already.
    func store(_ bytes: [UInt8], as state: State) throws {
        try home.locked {
            if holds(state) { return }
            // The receipt first: with an older state beside it, it is only fetched once more.
            try DurableFile.write(bytes, to: path)
            try home.save(state, to: home.receiptStateFile)
        }
    }
}
