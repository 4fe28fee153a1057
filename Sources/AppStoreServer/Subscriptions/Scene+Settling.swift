import StoreDatabase
import StoreLog
import StoreModel

extension Scene {
    /// Up to this many subscriptions that cannot be settled each undo the commit once; beyond them
    /// the request fails.
    private static let leftOutMax = 100

    /// Writes in one commit that first settles what is due of several customers' subscriptions, and
    /// waits for it.
    ///
    /// A subscription that cannot be settled (`DueTrouble`) does not block the others: the commit
    /// is undone, the subscription is logged as the worker does, and the commit is repeated without
    /// it. `body` gets the subscriptions that are left out.
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
