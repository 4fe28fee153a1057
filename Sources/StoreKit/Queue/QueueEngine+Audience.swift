import Dispatch
import Synchronization

// The audience comes and goes, and what it wants is carried out while it is there.
extension QueueEngine {
    /// Adds an observer.
    ///
    /// - Parameter isOfProcess: Whether it goes on to the next context that is the process's.
    func add(_ observer: any SKPaymentTransactionObserver, isOfProcess: Bool) {
        if board.observers.add(observer, isOfProcess: isOfProcess) { audienceArrived() }
    }

    /// Somebody is there who was not before.
    func audienceArrived() {
        events.async { [self] in
            // It may have left before its turn came.
            guard !audience.isEmpty else { return }
            board.tellUntold(queue: queue)
            guard case .success(let parts) = parts, !parts.connection.hasEnded else { return }
            if !launchOnce(parts) { listener?.start() }
            watch.start(self)
            takeUpParked()
            handleDownload(.listening(true))
        }
    }

    /// A caller has arrived, who hears of one payment and of no news.
    func callerArrived() {
        events.async { [self] in
            guard case .success(let parts) = parts, !parts.connection.hasEnded else { return }
            _ = launchOnce(parts)
            takeUpParked()
        }
    }

    /// Carries out what waited for somebody who wants it.
    private func takeUpParked() {
        let wanted = parked.withLock { parked in
            defer { parked.removeAll(where: audience.wants) }
            return parked.filter(audience.wants)
        }
        for action in wanted { perform(action) }
    }

    /// Takes up what an earlier process left; false when this process did so before.
    private func launchOnce(_ parts: Parts) -> Bool {
        let isFirst = isLaunched.withLock { isLaunched in
            defer { isLaunched = true }
            return !isLaunched
        }
        if isFirst { launch(parts) }
        return isFirst
    }

    /// Stops everything that runs for an audience, unless one has arrived meanwhile.
    func audienceLeft() {
        events.async { [self] in
            guard audience.isEmpty else { return }
            handleDownload(.listening(false))
            listener?.stop()
            watch.stop()
            feed?.newsStopped()
        }
    }

    /// Keeps an action for later when nobody wants it now; false when it may proceed.
    func park(_ action: QueueAction) -> Bool {
        parked.withLock { parked in
            // An audience that arrives after this check takes up the parked actions.
            guard !audience.wants(action) else { return false }
            parked.append(action)
            return true
        }
    }
}
