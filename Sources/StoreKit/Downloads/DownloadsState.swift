import Foundation

/// All downloads of the queue, and the rules by which they change: an event goes in, actions come
/// out.
///
/// It never waits and has no side effects, so that each rule can be tested by itself.
struct DownloadsState: Sendable {
    /// The number loaded at a time; the others wait their turn, in the order they were requested.
    static let loadsMax = 2
    /// The minimum interval between progress notifications; the first bytes and every other change
    /// are reported at once. A download always shows the app its newest values.
    static let progressMilliseconds: Int64 = 250

    let scope: StoreScope
    /// The location of a transaction's content once it is complete.
    let contentURL: @Sendable (TransactionName) -> URL
    private(set) var downloads: [TransactionName: DownloadState] = [:]
    /// Those that wait their turn.
    private var line: [TransactionName] = []
    private var isListening = false
    private var runCount = 0

    init(scope: StoreScope, contentURL: @escaping @Sendable (TransactionName) -> URL) {
        self.scope = scope
        self.contentURL = contentURL
    }

    func presented(_ name: TransactionName) -> PresentedDownload? {
        downloads[name]?.presented(contentURL: contentURL(name))
    }

    /// Applies one event and gives the required actions, in order.
    mutating func apply(_ event: DownloadEvent) -> [DownloadAction] {
        switch event {
        case .offered(let offer, let record, let bytes, let isWhole):
            // Its turn comes when observers have been notified.
            offered(offer, record, bytes, isWhole)
            return []
        case .told: return giveTurns()
        case .startCalled(let names, let sawFinished):
            return names.flatMap { started($0, sawFinished: sawFinished.contains($0)) }
                + giveTurns()
        case .pauseCalled(let names): return names.flatMap { paused($0) } + giveTurns()
        case .resumeCalled(let names): return names.flatMap { resumed($0) } + giveTurns()
        case .cancelCalled(let names): return names.flatMap { cancelled($0) } + giveTurns()
        case .held(let name, let run): return held(name, run)
        case .arrived(let name, let run, let bytes, let version, let length, let moment):
            return arrived(name, run, bytes, version, length, moment)
        case .ended(let name, let run, let outcome):
            return ended(name, run, outcome) + giveTurns()
        case .signedIn(let customer): return signedIn(customer) + giveTurns()
        case .dropped(let name): return dropped(name) + giveTurns()
        case .listening(let isListening): return listening(isListening) + giveTurns()
        }
    }

    // MARK: - Requests of the app

    private mutating func offered(
        _ offer: DownloadOffer, _ record: DownloadRecord?, _ bytes: Int64, _ isWhole: Bool
    ) {
        guard downloads[offer.name] == nil else { return }
        let download = DownloadState(offer, record, bytesOnDisk: bytes, isWhole: isWhole)
        downloads[offer.name] = download
        if download.stage == .queued { line.append(offer.name) }
    }

    /// Checks a download that the app saw finished: if the app took the files away it is fetched
    /// again, otherwise observers are told once more that it is there. An app that called before
    /// seeing that gets the news already on its way.
    private mutating func started(_ name: TransactionName, sawFinished: Bool) -> [DownloadAction] {
        switch downloads[name]?.stage {
        case .waiting, .cancelled: line(up: name, isNews: false)
        case .finished: sawFinished ? line(up: name, isNews: false) : []
        case .paused, .failed: line(up: name, isNews: true)
        case .queued, .loading, .absent, nil: []
        }
    }

    /// A download that failed before this launch is waiting, and resumes like one that failed now.
    private mutating func resumed(_ name: TransactionName) -> [DownloadAction] {
        switch downloads[name]?.stage {
        case .waiting: line(up: name, isNews: false)
        case .paused, .failed: line(up: name, isNews: true)
        case .queued, .loading, .absent, .finished, .cancelled, nil: []
        }
    }

    private mutating func paused(_ name: TransactionName) -> [DownloadAction] {
        guard let download = downloads[name], download.isWanted else { return [] }
        return leave(name, for: .paused) + write(name) + tell(name)
    }

    private mutating func cancelled(_ name: TransactionName) -> [DownloadAction] {
        switch downloads[name]?.stage {
        case .waiting, .queued, .loading, .absent, .paused, .failed:
            let left = leave(name, for: .cancelled)
            downloads[name]?.begunVersion = nil
            downloads[name]?.arrivedBytes = 0
            return left + [.discard(name)] + tell(name)
        case .finished, .cancelled, nil: return []
        }
    }

    /// The transaction is gone, and everything that came with it.
    private mutating func dropped(_ name: TransactionName) -> [DownloadAction] {
        guard let before = downloads[name] else { return [.discard(name)] }
        var actions: [DownloadAction] = []
        switch before.stage {
        case .queued, .loading, .absent, .paused, .failed, .waiting:
            actions = leave(name, for: before.isToldFinished ? .finished : .cancelled)
        case .finished, .cancelled: break
        }
        let wasUnderWay =
            (before.isWanted || before.stage == .paused) && !before.isToldFinished
        if let presented = downloads[name]?.presented(contentURL: nil) {
            actions.append(
                .tell(
                    DownloadNews(
                        key: before.offer.key, presented: presented, isGone: true,
                        isTold: wasUnderWay)))
        }
        downloads[name] = nil
        return actions + [.discard(name)]
    }

    // MARK: - What a run says

    private mutating func held(_ name: TransactionName, _ run: Int) -> [DownloadAction] {
        guard downloads[name]?.stage == .loading(run: run, isActive: true) else { return [] }
        downloads[name]?.stage = .loading(run: run, isActive: false)
        downloads[name]?.pace = nil
        return tell(name)
    }

    private mutating func arrived(
        _ name: TransactionName, _ run: Int, _ bytes: Int64, _ version: String, _ length: Int64,
        _ moment: Int64
    ) -> [DownloadAction] {
        guard var download = downloads[name],
            case .loading(run, let wasActive) = download.stage
        else { return [] }
        let isOtherVersion = download.begunVersion != version
        let arrivedBefore = download.arrivedBytes
        download.begunVersion = version
        download.contentLength = length
        download.arrivedBytes = bytes
        download.stage = .loading(run: run, isActive: true)
        if wasActive {
            download.pace?.reach(bytes, at: moment)
        } else {
            download.pace = DownloadPace(at: moment, bytes: bytes)
        }
        let isFirst = arrivedBefore == 0 && bytes > 0
        let isDue = download.toldAt.map { moment - $0 >= Self.progressMilliseconds } ?? true
        let isTold = !wasActive || isOtherVersion || isFirst || isDue
        if isTold { download.toldAt = moment }
        downloads[name] = download
        return (isOtherVersion ? write(name) : []) + tell(name, isTold: isTold)
    }

    private mutating func ended(
        _ name: TransactionName, _ run: Int, _ outcome: DownloadOutcome
    ) -> [DownloadAction] {
        guard case .loading(run, let wasActive)? = downloads[name]?.stage else { return [] }
        downloads[name]?.pace = nil
        switch outcome {
        case .finished:
            downloads[name]?.stage = .finished
            return write(name) + tell(name)
        case .failed(let reason):
            downloads[name]?.stage = .failed(reason)
            return write(name) + tell(name)
        case .absent:
            downloads[name]?.stage = .absent
            return wasActive ? tell(name) : []
        case .stopped:
            // The stop was not requested here, so it continues.
            return line(up: name, isNews: wasActive)
        }
    }

    // MARK: - Who may load

    private mutating func signedIn(_ customer: Customer) -> [DownloadAction] {
        let back = downloads.values.filter {
            $0.stage == .absent && $0.offer.customer == customer
        }
        for name in back.map(\.offer.name).sorted(by: { $0.transactionId < $1.transactionId }) {
            downloads[name]?.stage = .queued
            line.append(name)
        }
        return []
    }

    private mutating func listening(_ isListening: Bool) -> [DownloadAction] {
        self.isListening = isListening
        if isListening { return [] }
        return loading.flatMap { name in
            downloads[name]?.stage = .queued
            line.insert(name, at: 0)
            return [DownloadAction.stop(name)]
        }
    }

    private var loading: [TransactionName] {
        downloads.values.filter(\.isLoading).map(\.offer.name)
            .sorted { $0.transactionId > $1.transactionId }
    }

    private mutating func giveTurns() -> [DownloadAction] {
        guard isListening else { return [] }
        var actions: [DownloadAction] = []
        var free = Self.loadsMax - loading.count
        while free > 0, !line.isEmpty {
            let name = line.removeFirst()
            guard let download = downloads[name], download.stage == .queued else { continue }
            runCount += 1
            downloads[name]?.stage = .loading(run: runCount, isActive: false)
            actions.append(
                .load(download.offer, version: download.begunVersion, run: runCount))
            free -= 1
        }
        return actions
    }

    // MARK: -

    /// The journal records it before it is loaded.
    private mutating func line(up name: TransactionName, isNews: Bool) -> [DownloadAction] {
        downloads[name]?.stage = .queued
        line.append(name)
        return write(name) + (isNews ? tell(name) : [])
    }

    /// Takes a download out of the line, or ends its run.
    private mutating func leave(
        _ name: TransactionName, for stage: DownloadState.Stage
    ) -> [DownloadAction] {
        let wasLoading = downloads[name]?.isLoading ?? false
        line.removeAll { $0 == name }
        downloads[name]?.stage = stage
        downloads[name]?.pace = nil
        return wasLoading ? [.stop(name)] : []
    }

    private func write(_ name: TransactionName) -> [DownloadAction] {
        downloads[name]?.record(scope: scope).map { [.write($0)] } ?? []
    }

    private mutating func tell(
        _ name: TransactionName, isTold: Bool = true
    ) -> [DownloadAction] {
        guard let download = downloads[name], let presented = presented(name) else { return [] }
        if isTold { downloads[name]?.isToldFinished = download.stage == .finished }
        return [.tell(DownloadNews(key: download.offer.key, presented: presented, isTold: isTold))]
    }
}
