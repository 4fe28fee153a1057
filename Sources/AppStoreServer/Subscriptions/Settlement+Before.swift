import StoreDatabase
import StoreModel

extension Settlement {
    /// Does what is due of one subscription before something else is done to it, within the same
    /// commit; gives it as it stands then, which may be that it waits for a payment. Throws 503
    /// when that is too much for who waits.
    static func settled(
        _ kept: KeptSubscription, until moment: Timestamp, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws -> KeptSubscription {
        guard kept.payment == nil, let due = kept.state.dueAt, due <= moment else { return kept }
        var settlement = try Settlement(time: time, scope)
        return try settlement.catchUp(kept, until: moment, scope)
    }
}
