import StoreDatabase
import StoreLog
import StoreModel

extension Scene {
    /// Of so many subscriptions that cannot be settled, each undoes the commit once; beyond them
    /// the request fails.
    private static let leftOutMax = 100

    /// Writes in one commit that settles what is due of several people's subscriptions first, and
    /// waits for it.
    ///
    /// One that cannot be settled (`DueTrouble`) stands in nobody's way: the commit is undone, the
    /// subscription logged as the worker does, and all of it done again without it. `body` is told
    /// which are left out.
    func commitSettling<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing WriteScope, Set<TransactionID>) throws -> Value
    ) async throws -> Value {
        var left: Set<TransactionID> = []
        while true {
            do {
                return try await commit { [left] scope in try body(scope, left) }
            } catch let trouble as DueTrouble where left.count < Self.leftOutMax {
                guard left.insert(trouble.original).inserted else { throw trouble }
                log.event(
                    StoreEvent.renewalSetAside,
                    ("subscription", .number(trouble.original.rawValue)),
                    ("why", .text("\(trouble.cause)")))
            }
        }
    }
}
