import Dispatch
import Synchronization

// Content that the store keeps for a purchase is downloaded to the device.
extension QueueEngine {
    func startDownloads(_ downloads: [SKDownload]) {
        // What the app sees now, not what it will see when the event's turn comes.
        let finished = downloads.filter(\.isShownFinished).compactMap(\.name)
        handleDownload(.startCalled(names(of: downloads), sawFinished: Set(finished)))
    }

    func pauseDownloads(_ downloads: [SKDownload]) {
        handleDownload(.pauseCalled(names(of: downloads)))
    }

    func resumeDownloads(_ downloads: [SKDownload]) {
        handleDownload(.resumeCalled(names(of: downloads)))
    }

    func cancelDownloads(_ downloads: [SKDownload]) {
        handleDownload(.cancelCalled(names(of: downloads)))
    }

    func handleDownload(_ event: DownloadEvent) {
        downloads.withLock { $0 }?.handle(event)
    }

    private func names(of downloads: [SKDownload]) -> [TransactionName] {
        let names = downloads.compactMap(\.name)
        if names.count < downloads.count {
            Diagnostic.sayOnce(
                "a download created by the app itself is ignored: it has no content.")
        }
        return names
    }

    /// Reports transactions; their content is offered when observers are called, and loaded only
    /// afterwards.
    func tell(_ all: [QueueAction.Update]) {
        for update in all where update.isForCaller { tellCaller(update) }
        let news = all.filter { !$0.isForCaller }
        if news.isEmpty { return }
        let offers = news.compactMap(\.offer)
        guard !offers.isEmpty, let downloads = downloads.withLock({ $0 }) else {
            return board.tell(news, queue: queue)
        }
        let presented = downloads.presented(of: offers)
        let whole = news.map { update in
            var update = update
            update.download = update.offer.flatMap { presented[$0.name] }
            return update
        }
        board.tell(whole, queue: queue)
        downloads.handle(.told)
    }

    /// The list shows which transactions an account still has.
    func sweepDownloads(of customer: Customer) {
        let names = look { $0.world == customer.worldId ? $0.unfinished(of: customer) : nil }
        guard let names else { return }
        downloads.withLock { $0 }?.sweep(keeping: names, of: customer)
    }

    func makeDownloads(_ parts: Parts) -> DownloadEngine {
        let configuration = parts.connection.configuration
        return DownloadEngine(
            parts: DownloadLoader.Parts(
                connection: parts.connection, home: parts.home, retries: parts.retries,
                network: configuration.network,
                signInAgain: { [weak self] in self?.signInAgain($0, parts) },
                uptimeMilliseconds: { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }),
            scope: configuration.scope, lanes: lanes,
            tell: { [weak self] news in
                guard let self else { return }
                board.tellDownloads(news, queue: queue)
            })
    }
}
