import CCurl

/// Makes the calls of a loop, all of them on the loop's thread.
///
/// Unchecked because it is made by the thread that starts the loop's, which alone uses it then.
final class LoopDriver: @unchecked Sendable {
    /// More idle handles than this are freed.
    private static let idleMax = 256

    private struct Transfer {
        let call: LoopCall
        let easy: EasyHandle
        let pool: LoopPool
        /// Wakes the loop when the call is cancelled.
        let waker: Int?

        /// What the loop has no more to do with.
        func letGo() {
            pool.remove(easy)
            if let waker { call.cancellation?.removeWaker(waker) }
        }
    }

    private let inbox: LoopInbox
    private let poller: SocketPoller
    /// By `refusesPrivateAddresses`, because a kept connection is not opened again: those that
    /// private addresses are allowed for are kept apart.
    private var pools: [LoopPool] = []
    private var lanes: CallLanes<LoopCall>
    private var transfers: [UInt: Transfer] = [:]
    private var idle: [EasyHandle] = []

    init?(inbox: LoopInbox, poller: SocketPoller, callsMax: Int, callsPerHostMax: Int) {
        self.inbox = inbox
        self.poller = poller
        lanes = CallLanes(callsMax: callsMax, callsPerHostMax: callsPerHostMax)
        for number in 0..<2 {
            guard let pool = LoopPool(number: number, connectionsMax: callsMax, poller: poller)
            else { return nil }
            pools.append(pool)
        }
    }

    /// Makes calls until the inbox is closed, and cancels those that are left.
    func run() {
        while let calls = inbox.take() {
            for call in calls { lanes.add(call, host: call.host) }
            startCalls()
            let now = LoopPool.now()
            for pool in pools { pool.actOnTime(now: now) }
            finishCalls()
            endCancelled()
            startCalls()
            waitForNews()
        }
        cancelAll()
    }

    private func waitForNews() {
        for event in poller.wait(milliseconds: waitMilliseconds()) {
            pools[event.pool].act(on: event)
        }
    }

    /// Until the first timer, rounded up.
    private func waitMilliseconds() -> Int32? {
        guard let due = pools.compactMap(\.dueNanoseconds).min() else { return nil }
        let now = LoopPool.now()
        return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
    }

    // MARK: - Calls

    private func startCalls() {
        while let call = lanes.next() {
            do throws(CallerError) {
                try start(call)
            } catch {
                lanes.finish(host: call.host)
                call.then(.failure(error))
            }
        }
    }

    private func start(_ call: LoopCall) throws(CallerError) {
        try call.request.check()
        if call.isCancelled { throw CallerError(cancelled: call.request) }
        guard let easy = idle.popLast() ?? EasyHandle() else { throw CallerError.notStarted }
        let pool = pools[call.request.refusesPrivateAddresses ? 1 : 0]
        do throws(CallerError) {
            try easy.prepare(call.request, certificateAuthorityFile: nil)
            guard pool.add(easy) else { throw CallerError.notStarted }
        } catch {
            putAway(easy)
            throw error
        }
        let waker = call.cancellation?.addWaker { [inbox] in inbox.wake() }
        transfers[easy.id] = Transfer(call: call, easy: easy, pool: pool, waker: waker)
        // It may have been cancelled before there was anything to wake.
        if call.isCancelled { inbox.wake() }
    }

    private func endCancelled() {
        for (id, transfer) in transfers where transfer.call.isCancelled {
            transfers[id] = nil
            transfer.letGo()
            putAway(transfer.easy)
            lanes.finish(host: transfer.call.host)
            transfer.call.cancel()
        }
    }

    private func finishCalls() {
        for pool in pools {
            for (id, result) in pool.finished() {
                guard let transfer = transfers.removeValue(forKey: id) else { continue }
                transfer.letGo()
                let answer = Result { () throws(CallerError) in try transfer.easy.answer(result) }
                putAway(transfer.easy)
                lanes.finish(host: transfer.call.host)
                transfer.call.then(answer)
            }
        }
    }

    private func putAway(_ easy: EasyHandle) {
        easy.reset()
        if idle.count < Self.idleMax { idle.append(easy) }
    }

    /// Leaves nothing open: connections are closed on this thread, too.
    private func cancelAll() {
        let running = Array(transfers.values)
        for transfer in running { transfer.letGo() }
        transfers = [:]
        idle = []
        pools = []
        let waiting = lanes.removeWaiting() + inbox.takeRest()
        for call in running.map(\.call) + waiting { call.cancel() }
    }
}
