import Synchronization

/// The streams that tasks of an app listen to; each gets whatever is told while it is there.
final class Listeners<Element: Sendable>: Sendable {
    private struct State {
        /// By number, in the order in which they came.
        var streams: [Int: AsyncStream<Element>.Continuation] = [:]
        /// Those that do not hear news yet.
        var waiting: [Int: AsyncStream<Element>.Continuation] = [:]
        var count = 0
        /// Whether nothing is told any more.
        var isOver = false
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.streams.isEmpty && $0.waiting.isEmpty } }

    /// Whether a stream has not ended.
    func has(_ number: Int) -> Bool {
        state.withLock { $0.streams[number] != nil || $0.waiting[number] != nil }
    }

    /// A new stream, which ends with the task that listens, or with its last reference.
    ///
    /// - Parameters:
    ///   - begin: Gets the stream's number and what yields to it alone. Once it calls `join` with the
    ///     number, the stream gets all news.
    ///   - left: Called when the stream has ended.
    func stream(
        begin: (_ number: Int, _ tell: @escaping @Sendable (Element) -> Void) -> Void,
        left: @escaping @Sendable () -> Void = {}
    ) -> AsyncStream<Element> {
        AsyncStream { continuation in
            let (number, isOver) = state.withLock { state in
                state.count += 1
                state.waiting[state.count] = continuation
                return (state.count, state.isOver)
            }
            continuation.onTermination = { [weak self] _ in
                self?.remove(number)
                left()
            }
            begin(number) { continuation.yield($0) }
            if isOver { continuation.finish() }
        }
    }

    func join(_ number: Int) {
        state.withLock { state in
            state.streams[number] = state.waiting.removeValue(forKey: number)
        }
    }

    func tell(_ news: [Element]) {
        let streams = state.withLock { $0.streams }.sorted { $0.key < $1.key }
        for (_, stream) in streams {
            for element in news { stream.yield(element) }
        }
    }

    /// Ends all streams.
    func end() {
        let all = state.withLock { state in
            state.isOver = true
            return Array(state.streams.values) + Array(state.waiting.values)
        }
        for stream in all { stream.finish() }
    }

    private func remove(_ number: Int) {
        state.withLock { state in
            state.streams[number] = nil
            state.waiting[number] = nil
        }
    }
}
