import Foundation
import Synchronization

/// The output of several threads, or the error of one.
final class Lines: Sendable {
    private let parts = Mutex<[Result<[Data], any Error>]>([])

    func add(_ part: Result<[Data], any Error>) {
        parts.withLock { $0.append(part) }
    }

    func all() throws -> [Data] {
        try parts.withLock { $0 }.flatMap { try $0.get() }
    }
}
