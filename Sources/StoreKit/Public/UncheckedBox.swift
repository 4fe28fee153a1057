/// Carries a reference of the app's across a lock or a queue.
///
/// Apple's protocols say nothing of threads; what is in the box is only called where Apple calls
/// it.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
