import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel

extension Scene {
    /// Of so many subscriptions that cannot be settled, each undoes the commit once; beyond them
    /// the request fails.
    private static let leftOutMax = 100

    /// Writes in one commit that settles what is due of several people's subscriptions first, then
    /// answers.
    ///
    /// One that cannot be settled (`DueTrouble`) stands in nobody's way: the commit is undone, the
    /// subscription logged as the worker does, and all of it done again without it. `body` is told
    /// which are left out.
    func commitSettling<Value: Sendable>(
        _ responder: Responder, except left: Set<TransactionID> = [],
        _ body: @escaping @Sendable (borrowing WriteScope, Set<TransactionID>) throws -> Value,
        then answer: @escaping @Sendable (Value) throws -> HTTPResponse
    ) {
        world.database.write { scope in
            try body(scope, left)
        } then: { result in
            if case .failure(let error) = result, let trouble = error as? DueTrouble,
                left.count < Self.leftOutMax, !left.contains(trouble.original)
            {
                log.event(
                    StoreEvent.renewalSetAside,
                    ("subscription", .number(trouble.original.rawValue)),
                    ("why", .text("\(trouble.cause)")))
                commitSettling(
                    responder, except: left.union([trouble.original]), body, then: answer)
            } else {
                self.answer(responder) { try answer(try result.get()) }
            }
        }
    }
}
