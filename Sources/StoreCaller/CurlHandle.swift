import CCurl

/// One call at a time on the thread that makes it, and the connections kept between calls.
///
/// Unchecked because the pool hands it to one thread at a time; only `wake()` of its multi handle is
/// called from other threads, which that supports.
final class CurlHandle: @unchecked Sendable {
    /// One handle keeps at most this many connections open.
    private static let connectionsMax = 4

    private let easy: EasyHandle
    private let multi: CurlMulti

    init?() {
        guard let easy = EasyHandle(), let multi = CurlMulti(connectionsMax: Self.connectionsMax)
        else { return nil }
        self.easy = easy
        self.multi = multi
    }

    func send(
        _ request: CallerRequest, certificateAuthorityFile: String?,
        cancellation: CallCancellation?
    ) throws(CallerError) -> CallerResponse {
        defer { easy.reset() }
        try easy.prepare(request, certificateAuthorityFile: certificateAuthorityFile)
        switch withoutPipeSignal({ transfer(cancellation) }) {
        case .finished(let result): return try easy.answer(result)
        case .cancelled: throw CallerError(cancelled: request)
        }
    }

    private enum Outcome {
        case finished(CURLcode)
        case cancelled
    }

    private func transfer(_ cancellation: CallCancellation?) -> Outcome {
        guard multi.add(easy) else { return .finished(CURLE_FAILED_INIT) }
        defer { multi.remove(easy) }
        guard let cancellation else { return runLoop { false } }
        return cancellation.withWaker({ [self] in multi.wake() }) {
            runLoop { cancellation.isCancelled }
        }
    }

    private func runLoop(isCancelled: () -> Bool) -> Outcome {
        while true {
            guard let running = multi.perform() else { return .finished(CURLE_FAILED_INIT) }
            if running == 0 {
                return .finished(multi.finished().first?.result ?? CURLE_FAILED_INIT)
            }
            if isCancelled() { return .cancelled }
            multi.wait()
        }
    }
}
