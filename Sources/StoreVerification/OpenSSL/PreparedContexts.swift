import Synchronization

/// Prepared contexts of one key, each lent to one thread at a time: preparing one takes
/// microseconds.
package final class PreparedContexts<Context: Sendable>: Sendable {
    /// How many are kept.
    private static var idleMax: Int { 4 }

    private let idle = Mutex<[Context]>([])

    package init() {}

    /// Nil when a context is needed and cannot be made.
    package func lend<Result>(
        _ make: () -> Context?, to use: (Context) throws -> Result
    ) rethrows -> Result? {
        let kept = idle.withLock { $0.popLast() }
        guard let context = kept ?? make() else { return nil }
        defer { idle.withLock { if $0.count < Self.idleMax { $0.append(context) } } }
        return try use(context)
    }
}
