import Dispatch
import Foundation
import StoreModel
import StoreVerification
import StoreWire
import Synchronization

/// The signed purchases of a device's customers: their copies in memory and on disk, and what brings
/// them up to date.
final class SignedLibrary: Sendable {
    /// A file is written anew when it has this much more than twice what it needs.
    private static let wasteBytesMax = 1 << 20

    /// A customer's copy, with what it takes to read it.
    struct KeptCopy: Sendable {
        var contents: SignedCopyFile.Contents
        let file: SignedCopyFile
        let verifier: DeviceVerifier
        /// Whether the file lacks something that only memory has.
        var isUnsaved = false
        /// Until when lists leave out what came just now.
        fileprivate(set) var unlisted: [UInt64: ContinuousClock.Instant] = [:]

        var copy: SignedCopy { contents.copy }

        /// A transaction with its verdict; nil when the copy lacks it.
        func transaction(_ id: UInt64) -> VerificationResult<Transaction>? {
            copy.entries[id].flatMap(verifier.transaction)
        }

        /// Whether the file has all that memory has, and not much more.
        var isTidy: Bool {
            !isUnsaved && contents.bytes <= 2 * contents.bytesNeeded + SignedLibrary.wasteBytesMax
        }

        /// Takes in lines that were written, as `bytes`, or were not; lists leave out what is new for
        /// some milliseconds, in memory alone. Source: a client author's measurement of the Mac, which
        /// lists a purchase up to a second after `purchase()` has returned.
        mutating func take(
            _ lines: [SignedCopyFile.Line], isAnew: Bool, bytes: Int, isSaved: Bool,
            unlistedFor milliseconds: Int
        ) -> News {
            var news = News()
            for line in lines {
                let (changes, statuses) = contents.take(line, isAnew: isAnew)
                news.changes += changes
                news.statuses += statuses
            }
            contents.bytes += bytes
            isUnsaved = isUnsaved || !isSaved
            if milliseconds > 0 {
                let now = ContinuousClock.now
                unlisted = unlisted.filter { $0.value > now }
                for change in news.changes where change.isNew {
                    unlisted[change.entry.id] = now + .milliseconds(milliseconds)
                }
            }
            return news
        }

        /// The transactions that lists have by now: all, unless they are to have them late.
        var listed: [UInt64: SignedEntry] {
            if unlisted.isEmpty { return copy.entries }
            let now = ContinuousClock.now
            return copy.entries.filter { id, _ in unlisted[id].map { $0 <= now } ?? true }
        }
    }

    /// What a batch of the store's answers changed.
    struct News: Sendable {
        var changes: [SignedChange] = []
        var statuses: [SignedCopy.Status] = []

        static func += (news: inout News, later: News) {
            news.changes += later.changes
            news.statuses += later.statuses
        }
    }

    let connection: StoreConnection
    private let home: HomeFolder
    private let keptCopies = Mutex<[Customer: KeptCopy]>([:])
    /// Held while a file is written and memory follows.
    private let writing = Mutex(())
    /// Held from asking what changed until it is written, so that no older answer follows a newer one.
    private let following = Mutex(())

    init(connection: StoreConnection, home: HomeFolder) {
        self.connection = connection
        self.home = home
    }

    /// A customer's copy, read from disk the first time.
    func kept(of customer: Customer) throws -> KeptCopy {
        if let known = keptCopies.withLock({ $0[customer] }) { return known }
        return try writing.withLock { _ in
            if let known = keptCopies.withLock({ $0[customer] }) { return known }
            let file = SignedCopyFile(
                home: home, customer: customer, scope: connection.configuration.scope,
                deviceGuid: try connection.guid())
            var contents = try file.read()
            // Finishes that the store has not heard of yet count here.
            for record in Journal(home: home).contents(of: file.scope).finishes
            where record.attemptId == nil && record.worldId == customer.worldId {
                if let id = UInt64(record.transactionId) { _ = contents.copy.finish(id) }
            }
            let kept = KeptCopy(
                contents: contents, file: file, verifier: try verifier(of: customer))
            keptCopies.withLock { $0[customer] = kept }
            return kept
        }
    }

    /// The customer whose copy has a transaction, this one where it does; nil when none has.
    func customer(having id: UInt64, rather customer: Customer?) -> Customer? {
        keptCopies.withLock { keptCopies in
            let having = keptCopies.filter { $0.value.copy.entries[id] != nil }.keys
            return customer.flatMap { having.contains($0) ? $0 : nil } ?? having.first
        }
    }

    private func verifier(of customer: Customer) throws -> DeviceVerifier {
        let configuration = connection.configuration
        if configuration.roots == nil { connection.meetRoot(of: customer.worldId) }
        let roots =
            try configuration.roots.map { try PEMCertificates.read($0) }
            ?? RootPins(home: home).rootToTrust(of: customer.worldId).map { [$0] } ?? []
        return DeviceVerifier(
            facts: DeviceVerifier.Facts(
                worldId: customer.worldId, bundleIdentifier: configuration.bundleIdentifier,
                environment: connection.session?.environment ?? "",
                deviceGuid: try connection.guid()),
            roots: roots, simulation: connection.simulation)
    }

    // MARK: - From the store

    /// Brings a copy up to date, page by page; each page is on disk before the next is asked for.
    /// `news` gets what they changed, also when a later page fails.
    func catchUp(
        of customer: Customer, anew: Bool = false, millisecondsMax: Int? = nil,
        into news: inout News
    ) throws {
        try following.withLock { _ in
            try follow(customer, anew: anew, millisecondsMax: millisecondsMax, &news)
        }
    }

    private func follow(
        _ customer: Customer, anew: Bool, millisecondsMax: Int?, _ news: inout News
    ) throws {
        let cursor = anew ? nil : try kept(of: customer).copy.cursor
        var after = cursor ?? 0
        while true {
            let page = try connection.signedChanges(
                after: after, of: customer, millisecondsMax: millisecondsMax)
            // Otherwise the cursor would pass what was never taken in.
            guard page.isReadable else { throw StoreFailure.unreadable }
            let changed = page.transactions.map { SignedCopyFile.Line(transaction: $0) }
            // Only tests delete; nobody signs it, so in production it is not believed.
            let isTest = connection.session?.isOfSandbox == true
            let deleted = isTest ? page.deleted?.compactMap { UInt64($0) } : nil
            let last = SignedCopyFile.Line(
                deleted: deleted, groups: page.groups, cursor: page.cursor)
            // A cursor alone promises nothing.
            let found = try take(
                changed + [last], under: page.header, of: customer,
                isSynced: !changed.isEmpty || deleted != nil || page.groups != nil, isAnew: anew,
                isHistory: cursor == nil)
            news += found
            after = page.cursor
            if !page.hasMore { return }
            // Signatures take longer than pages: those that streams tell are checked while the next
            // one comes.
            try kept(of: customer).verifier.beginReading(
                found.changes.map(\.entry).filter { !$0.isFinished })
        }
    }

    /// Keeps a purchase of this device, on disk; a transaction that is known stays as it is, since
    /// what came after the purchase may be newer.
    func keep(_ purchase: SignedPurchaseBody, of customer: Customer) throws -> News {
        // The caller of `purchase()` then has it fetched again, and gets it verified.
        guard purchase.isReadable else { throw StoreFailure.unreadable }
        let id = UInt64(purchase.transaction.transactionId)
        let isKnown = try id.flatMap { try kept(of: customer).copy.entries[$0] } != nil
        let line = SignedCopyFile.Line(
            transaction: isKnown ? nil : purchase.transaction, groups: purchase.groups)
        let news = try take([line], under: purchase.header, of: customer, isSynced: true)
        try save(customer)
        return news
    }

    /// Makes sure that the file has whatever memory has.
    func save(_ customer: Customer) throws {
        try writing.withLock { _ in
            guard let kept = keptCopies.withLock({ $0[customer] }), kept.isUnsaved else { return }
            try rewrite(kept, of: customer)
        }
    }

    /// The app transaction, from the copy unless it is to be fetched.
    func appTransaction(
        of customer: Customer, refresh: Bool
    ) throws -> VerificationResult<AppTransaction>? {
        let kept = try kept(of: customer)
        if !refresh, let known = kept.copy.appTransaction {
            return kept.verifier.appTransaction(known)
        }
        let text = try connection.signedAppTransaction(of: customer).appTransaction
        guard let read = SignedText(text).flatMap({ kept.verifier.appTransaction($0) }) else {
            throw StoreFailure.unreadable
        }
        try take(
            [SignedCopyFile.Line(appTransaction: text)], under: nil, of: customer, isSynced: false)
        return read
    }

    /// Notes that the app finished a transaction; the journal holds the promise.
    func finished(_ id: UInt64, of customer: Customer) {
        guard keptCopies.withLock({ $0[customer]?.copy.entries[id]?.isFinished }) == false
        else { return }
        do {
            try take(
                [SignedCopyFile.Line(finished: id)], under: nil, of: customer, isSynced: false)
        } catch {
            Diagnostic.sayOnce("\(error)")
        }
    }

    // MARK: -

    /// Writes lines, and takes them into memory; what must be on disk is saved after that.
    ///
    /// When the disk refuses them, memory follows all the same: the store can be asked again.
    @discardableResult
    private func take(
        _ lines: [SignedCopyFile.Line], under header: String?, of customer: Customer,
        isSynced: Bool, isAnew: Bool = false, isHistory: Bool = false
    ) throws -> News {
        // Nothing here holds a copy: with a second one, each change would copy all the entries.
        _ = try kept(of: customer)
        return writing.withLock { _ in
            guard
                let (file, present, removed, isUnsaved, isEmpty) = keptCopies.withLock({ copies in
                    copies[customer].map {
                        (
                            $0.file, $0.contents.header, $0.copy.removed, $0.isUnsaved,
                            $0.copy.entries.isEmpty
                        )
                    }
                })
            else { preconditionFailure("a copy that was read is gone") }
            var lines = lines
            var isSaved = true
            var added = 0
            // The answer to a purchase may be older than the news of its deletion.
            lines.removeAll { line in
                line.transaction.flatMap { UInt64($0.transactionId) }.map(removed.contains) ?? false
            }
            if let header, header != present || isUnsaved {
                lines.insert(SignedCopyFile.Line(header: header), at: 0)
            }
            do {
                let (bytes, isNew) = try file.add(lines, isSynced: isSynced)
                added = bytes
                // Somebody took the file away: it lacks what memory has.
                if isNew, !isEmpty { isSaved = false }
            } catch {
                Diagnostic.sayOnce("\(error)")
                isSaved = false
            }
            let news = keptCopies.withLock { keptCopies in
                keptCopies[customer]?.take(
                    lines, isAnew: isAnew, bytes: added, isSaved: isSaved,
                    unlistedFor: isHistory
                        ? 0 : connection.configuration.listingDelayMilliseconds)
            }
            tidy(customer)
            return news ?? News()
        }
    }

    /// Writes a file anew that holds much of the past, or lacks something.
    private func tidy(_ customer: Customer) {
        let untidy = keptCopies.withLock { $0[customer].flatMap { $0.isTidy ? nil : $0 } }
        guard let kept = untidy else { return }
        do {
            try rewrite(kept, of: customer)
        } catch {
            Diagnostic.sayOnce("\(error)")
        }
    }

    private func rewrite(_ kept: KeptCopy, of customer: Customer) throws {
        let (bytes, lines) = try kept.file.replace(with: kept.contents)
        keptCopies.withLock {
            $0[customer]?.contents.bytes = bytes
            $0[customer]?.contents.lines = lines
            $0[customer]?.isUnsaved = false
            // The next answer names its header again.
            $0[customer]?.contents.header = nil
        }
    }
}

extension StoreConnection {
    func signedChanges(
        after cursor: Int64, of customer: Customer, millisecondsMax: Int?
    ) throws(StoreFailure) -> SignedChangesBody {
        try call(
            SignedChangesBody.self, "GET", "signed?after=\(cursor)", as: customer,
            millisecondsMax: millisecondsMax ?? Self.millisecondsMax)
    }

    func signedAppTransaction(
        of customer: Customer
    ) throws(StoreFailure) -> SignedAppTransactionBody {
        try call(SignedAppTransactionBody.self, "GET", "app-transaction", as: customer)
    }
}
