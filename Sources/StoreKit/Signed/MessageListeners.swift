import Synchronization

/// The iterations of `Message.messages`, each of which hears of every occasion once.
final class MessageListeners: Sendable {
    private struct Listener {
        let stream: AsyncStream<Message>.Continuation
        var told: Set<MessageOccasion> = []

        mutating func tell(_ occasions: [MessageOccasion]) {
            for occasion in occasions where told.insert(occasion).inserted {
                stream.yield(Message(reason: occasion.reason))
            }
        }
    }

    private struct State {
        /// By number.
        var listeners: [Int: Listener] = [:]
        var count = 0
        /// Whether nothing more is told.
        var isOver = false
    }

    private let state = Mutex(State())

    /// Whether nobody listens.
    var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

    /// A new stream, which ends with the task that listens, or with its last reference.
    ///
    /// - Parameter left: Called when the stream has ended.
    func stream(left: @escaping @Sendable () -> Void) -> AsyncStream<Message> {
        AsyncStream { continuation in
            let (number, isOver) = state.withLock { state in
                state.count += 1
                state.listeners[state.count] = Listener(stream: continuation)
                return (state.count, state.isOver)
            }
            continuation.onTermination = { [weak self] _ in
                self?.remove(number)
                left()
            }
            if isOver { continuation.finish() }
        }
    }

    /// Tells what lasts at this moment to whoever was not told yet.
    func tell(_ occasions: [MessageOccasion]) {
        state.withLock { state in
            for number in state.listeners.keys { state.listeners[number]?.tell(occasions) }
        }
    }

    /// Ends all streams.
    func end() {
        let listeners = state.withLock { state in
            state.isOver = true
            return state.listeners.values.map(\.stream)
        }
        for stream in listeners { stream.finish() }
    }

    private func remove(_ number: Int) {
        // Freed outside the lock.
        _ = state.withLock { $0.listeners.removeValue(forKey: number) }
    }
}
