/// How far a view is with finding out what the customer may use.
///
/// Apple: <https://developer.apple.com/documentation/storekit/entitlementtaskstate>
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public enum EntitlementTaskState<Value> {
    /// It has begun.
    case loading
    /// It did not work, for this reason.
    case failure(any Error)
    /// It is known.
    case success(Value)

    /// What is known; nil while it is not.
    public var value: Value? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The state with what is known replaced by something made of it.
    public func map<NewValue>(
        _ transform: (Value) throws -> NewValue
    ) rethrows -> EntitlementTaskState<NewValue> {
        try flatMap { .success(try transform($0)) }
    }

    /// The state, or the one that is made of what is known.
    public func flatMap<NewValue>(
        _ transform: (Value) throws -> EntitlementTaskState<NewValue>
    ) rethrows -> EntitlementTaskState<NewValue> {
        switch self {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .success(let value): try transform(value)
        }
    }
}

extension EntitlementTaskState: Sendable where Value: Sendable {}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension EntitlementTaskState where Value == VerificationResult<Transaction>? {
    /// The transaction by which the customer may use the product; nil while it is not known, and
    /// when there is none.
    public var transaction: VerificationResult<Transaction>? { value ?? nil }
}
