import StoreCaller
import StoreWire

extension StoreConnection {
    /// Waits for changes after a revision; without a known revision, everything comes at once.
    func keyValues(
        of customer: Customer, after known: Int64?, cancellation: CallCancellation
    ) throws(StoreFailure) -> KeyValuesBody {
        let seconds = known == nil ? 0 : Self.updatesWaitSecondsMax
        return try call(
            KeyValuesBody.self, "GET", "key-values?after=\(known ?? 0)&wait=\(seconds)",
            as: customer, millisecondsMax: (seconds + 10) * 1_000, cancellation: cancellation)
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
