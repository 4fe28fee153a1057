import Dispatch
import Glibc
import Synchronization

/// Writes lines to a descriptor on its own thread, so that a stalled reader blocks nothing else:
/// lines beyond the limit are dropped and counted.
package final class LineWriter: Sendable {
    /// The maximum number of waiting lines.
    package static let linesMax = 10_000
    /// The rest between two writes: waking the thread for each line of a busy store takes longer than
    /// writing it.
    private static let restMicroseconds: UInt32 = 2_000

    private struct State {
        var waiting: [String] = []
        var dropped = 0
        var isWriting = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "bodega.log", qos: .utility)

    private let droppedInAll = Atomic(0)

    /// How many lines it has dropped.
    package var dropped: Int { droppedInAll.load(ordering: .relaxed) }

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    package func write(_ line: String) {
        let mustStart = state.withLock { state in
            guard state.waiting.count < Self.linesMax else {
                state.dropped += 1
                droppedInAll.add(1, ordering: .relaxed)
                return false
            }
            state.waiting.append(line)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart { queue.async { self.drain() } }
    }

    /// Waits until everything is written, or for the given time.
    package func flush(milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    private func drain() {
        while let (lines, dropped) = take() {
            var text = lines.map { $0 + "\n" }.joined()
            if dropped > 0 {
                let line = "{\"level\":\"warning\",\"event\":\"linesDropped\",\"count\":\(dropped)}"
                text += LineTime.now.stamp(line) + "\n"
            }
            put(Array(text.utf8))
            usleep(Self.restMicroseconds)
        }
    }

    private func take() -> (lines: [String], dropped: Int)? {
        state.withLock { state in
            guard !state.waiting.isEmpty || state.dropped > 0 else {
                state.isWriting = false
                return nil
            }
            defer {
                state.waiting.removeAll()
                state.dropped = 0
            }
            return (state.waiting, state.dropped)
        }
    }

    private func put(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0 && errno == EINTR { continue }
            // The reader is gone, so this cannot be reported.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
