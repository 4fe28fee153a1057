import StoreCaller
import StoreWire

extension StoreConnection {
    /// All key values, at once.
    func keyValues(
        of customer: Customer, cancellation: CallCancellation
    ) throws(StoreFailure) -> KeyValuesBody {
        try call(
            KeyValuesBody.self, "GET", "key-values?after=0&wait=0", as: customer,
            cancellation: cancellation)
    }

    /// Sends changes; the answer holds everything new since a revision.
    func change(
        _ request: KeyValueRecord.Request, after known: Int64?, as customer: Customer
    ) throws(StoreFailure) -> KeyValuesBody {
        let changes = request.changes.sorted { $0.key < $1.key }
        return try call(
            KeyValuesBody.self, "PUT", "key-values",
            body: ChangeKeyValuesBody(
                requestId: request.id, after: known ?? 0, isInitial: request.isInitial,
                changes: changes.map { KeyValueBody(key: $0.key, value: $0.value.value) }),
            as: customer, millisecondsMax: 60_000)
    }
}
