/// Where the real time comes from; read once per request or tick and handed on as `now`.
package struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp

    package init(_ read: @escaping @Sendable () -> Timestamp) {
        self.read = read
    }

    package func now() -> Timestamp { read() }
}
