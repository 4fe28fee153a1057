import Dispatch
import Synchronization

extension Array where Element: Sendable {
    /// As `map`, on all cores when there is much to do: for work of some microseconds each.
    func concurrentMap<Value: Sendable>(_ transform: @Sendable (Element) -> Value) -> [Value] {
        let pieceCount = (count + ConcurrentMap.pieceMax - 1) / ConcurrentMap.pieceMax
        guard pieceCount > 1 else { return map(transform) }
        let pieces = Mutex<[Int: [Value]]>([:])
        DispatchQueue.concurrentPerform(iterations: pieceCount) { number in
            let start = number * ConcurrentMap.pieceMax
            let end = Swift.min(start + ConcurrentMap.pieceMax, count)
            let piece = self[start..<end].map(transform)
            pieces.withLock { $0[number] = piece }
        }
        return pieces.withLock { pieces in (0..<pieceCount).flatMap { pieces[$0] ?? [] } }
    }
}

enum ConcurrentMap {
    /// Some milliseconds of work.
    static let pieceMax = 32
}
