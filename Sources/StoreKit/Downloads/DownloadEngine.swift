import Dispatch
import Foundation
import StoreCaller
import Synchronization

/// Carries out what `DownloadsState` decides: journal, runs, files, observers.
///
/// Events are handled one after another on a queue of its own, which also writes the journal. Each
/// download has another queue for slow work, so that its runs and the removal of its files follow
/// each other.
final class DownloadEngine: Sendable {
    /// Another process may be using a folder that is to be removed; after so many tries it stays.
    private static let removalTriesMax = 50
    private static let removalWaitSeconds = 0.1

    private let parts: DownloadLoader.Parts
    private let journal: Journal
    /// The journal's records of earlier processes, as they were at the start.
    private let leftovers: [DownloadRecord]
    private let tell: @Sendable ([DownloadNews]) -> Void
    private let events: DispatchQueue
    private let sweeper: DispatchQueue
    private let state: Mutex<DownloadsState>
    private let queues = Mutex<[TransactionName: DispatchQueue]>([:])
    private let cancellations = Mutex<[TransactionName: CallCancellation]>([:])

    init(
        parts: DownloadLoader.Parts, scope: StoreScope, lanes: Lanes = Lanes(),
        tell: @escaping @Sendable ([DownloadNews]) -> Void
    ) {
        events = DispatchQueue(label: "StoreKit.downloads", target: lanes.downloads)
        sweeper = DispatchQueue(label: "StoreKit.downloads.sweeper", target: lanes.downloads)
        self.parts = parts
        self.tell = tell
        journal = Journal(home: parts.home)
        leftovers = journal.downloads(of: scope)
        let home = parts.home
        state = Mutex(
            DownloadsState(scope: scope) { name in
                URL(
                    fileURLWithPath: DownloadFolder.contentPath(home: home, name),
                    isDirectory: true)
            })
    }

    deinit {
        for cancellation in cancellations.withLock({ $0.values }) { cancellation.cancel() }
    }

    /// Accepts an event; its consequences happen on other threads.
    func handle(_ event: DownloadEvent) {
        events.async { self.handleNow(event) }
    }

    /// Drops a transaction's content; observers learn of it before any later news.
    func drop(_ name: TransactionName) {
        events.sync { handleNow(.dropped(name)) }
    }

    /// The content to show to observers that are about to get these transactions. Nothing is loaded
    /// before they have: send `.told` then.
    func presented(of offers: [DownloadOffer]) -> [TransactionName: PresentedDownload] {
        events.sync {
            for offer in offers {
                let record = journal.download(offer.name)
                let found = record.flatMap { _ in onDisk(offer.name) }
                handleNow(
                    .offered(
                        offer, record, bytesOnDisk: found?.bytes ?? 0,
                        isWhole: found?.isWhole ?? false))
            }
            return state.withLock { state in
                offers.reduce(into: [:]) { $0[$1.name] = state.presented($1.name) }
            }
        }
    }

    private func onDisk(_ name: TransactionName) -> (bytes: Int64, isWhole: Bool)? {
        do throws(DownloadTrouble) {
            let folder = try DownloadFolder(home: parts.home, name)
            return (try folder.partialByteCount(), try folder.isWhole())
        } catch {
            Diagnostic.sayOnce(error.sentence)
            return nil
        }
    }

    /// Removes what an earlier process left of transactions that a customer no longer has, and
    /// folders without a record.
    ///
    /// Downloads begun by this process stay: a list requested before another process bought
    /// something does not include that purchase.
    func sweep(keeping names: Set<TransactionName>, of customer: Customer) {
        events.async { [self] in
            for record in leftovers
            where record.customer == customer && !names.contains(record.name) {
                handleNow(.dropped(record.name))
            }
            // This process may have downloads whose records could not be written.
            let present = state.withLock { Set($0.downloads.keys.map(Journal.fileName)) }
            sweeper.async { [self] in
                for name in DownloadFolder.withoutRecord(journal) where !present.contains(name) {
                    removeFolder(name, triesMax: 1)
                }
            }
        }
    }

    /// Stops for good, and waits for what is under way.
    func end() {
        handle(.listening(false))
        events.sync {}
        for queue in queues.withLock({ Array($0.values) }) { queue.sync {} }
        sweeper.sync {}
        events.sync {}
    }

    private func handleNow(_ event: DownloadEvent) {
        dispatchPrecondition(condition: .onQueue(events))
        var news: [DownloadNews] = []
        for action in state.withLock({ $0.apply(event) }) {
            switch action {
            case .load(let offer, let version, let run): load(offer, version, run)
            case .stop(let name): stop(name)
            case .write(let record): write(record)
            case .discard(let name): discard(name)
            case .tell(let one): news.append(one)
            }
        }
        if !news.isEmpty { tell(news) }
    }

    private func queue(of name: TransactionName) -> DispatchQueue {
        queues.withLock { queues in
            let queue = queues[name] ?? DispatchQueue(label: "StoreKit.download")
            queues[name] = queue
            return queue
        }
    }

    // MARK: - Actions

    private func load(_ offer: DownloadOffer, _ version: String?, _ run: Int) {
        let cancellation = CallCancellation()
        cancellations.withLock { $0[offer.name] = cancellation }
        queue(of: offer.name).async { [parts, weak self] in
            let name = offer.name
            let loader = DownloadLoader(
                TransactionContent(offer: offer), version: version, parts: parts,
                cancellation: cancellation
            ) { report in
                switch report {
                case .held: self?.handle(.held(name, run: run))
                case .arrived(let bytes, let manifest):
                    self?.handle(
                        .arrived(
                            name, run: run, bytes: bytes, version: manifest.version,
                            length: manifest.byteCount, at: parts.uptimeMilliseconds()))
                }
            }
            let outcome = loader.run()
            self?.handle(.ended(name, run: run, outcome))
            // Signing in may have happened between the request and its answer.
            if outcome == .absent, parts.connection.customer == offer.customer {
                self?.handle(.signedIn(offer.customer))
            }
        }
    }

    private func stop(_ name: TransactionName) {
        cancellations.withLock { $0.removeValue(forKey: name) }?.cancel()
    }

    /// Without its record, a download continues for as long as this process lives. The next process
    /// removes what has arrived, and the app must request it again.
    private func write(_ record: DownloadRecord) {
        do {
            try journal.write(record)
        } catch {
            Diagnostic.say("\(error)")
        }
    }

    /// The record is removed first: if a crash follows, files without a record are swept.
    private func discard(_ name: TransactionName) {
        do {
            try journal.removeDownload(name)
        } catch {
            Diagnostic.say("\(error)")
        }
        queue(of: name).async { [self] in
            removeFolder(Journal.fileName(of: name), triesMax: Self.removalTriesMax)
        }
    }

    private func removeFolder(_ name: String, triesMax: Int) {
        do throws(DownloadTrouble) {
            for _ in 0..<triesMax {
                guard let folder = try DownloadFolder(existing: name, home: parts.home) else {
                    return
                }
                if try folder.takeLock() { return try folder.remove() }
                if triesMax > 1 { Thread.sleep(forTimeInterval: Self.removalWaitSeconds) }
            }
        } catch {
            Diagnostic.say(error.sentence)
        }
    }
}
