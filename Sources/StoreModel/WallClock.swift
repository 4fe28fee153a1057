/// The source of the real time; read once per request or tick and passed on as `now`.
package struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp

    package init(_ read: @escaping @Sendable () -> Timestamp) {
        self.read = read
    }

    package func now() -> Timestamp { read() }
}
