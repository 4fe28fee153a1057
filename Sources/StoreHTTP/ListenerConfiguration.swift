/// Where a listener listens, and its limits.
package struct ListenerConfiguration: Sendable {
    /// An IPv4 or IPv6 address, or `localhost` for 127.0.0.1.
    package var host: String
    /// 0 takes a free port.
    package var port: Int
    package var threads: Int
    /// More clients wait until one leaves.
    package var connectionsMax: Int
    /// The longest body for a method and a path as sent.
    package var bodyBytesMax: @Sendable (_ method: String, _ path: String) -> Int
    /// What the bodies of all open requests may take together; one beyond is answered 503.
    package var bodyBytesOpenMax: Int
    /// What the answers that clients have not taken yet may hold together; a large one beyond is
    /// answered 503.
    package var answerBytesOpenMax: Int
    /// What one connection may take for a request's header; a longer one is answered 431.
    package var headerBytesMax: Int
    /// A connection on which nothing moves, or which brings no request line, is closed after this.
    package var idleSecondsMax: Int
    /// From its first line to its last byte, a request may take this long to arrive, however
    /// steadily it drips; its connection is closed then.
    package var arrivalSecondsMax: Int
    /// A client may take this long to read an answer; its connection is closed then.
    package var takingSecondsMax: Int
    /// When three of four connections are in use, those above that number which waited for their
    /// client longer than this are closed, the longest wait first.
    package var pressedMillisecondsMax: Int
    /// No request waits longer for its answer.
    package var suspendedMillisecondsMax: Int
    /// Called once for each request that got an answer, on a listener's thread.
    package var accessLog: (@Sendable (AccessRecord) -> Void)?

    package static let bodyBytesMaxUsual = 1 << 20
    package static let bodyBytesOpenMaxUsual = 256 << 20
    package static let answerBytesOpenMaxUsual = 256 << 20

    /// Whether only programs of this machine can connect to an address.
    package static func isLoopback(_ host: String) -> Bool {
        host == "::1" || host == "localhost" || host.hasPrefix("127.")
    }

    package init(
        host: String = "127.0.0.1", port: Int = 0, threads: Int = 2,
        connectionsMax: Int = 1_024,
        bodyBytesMax: @escaping @Sendable (_ method: String, _ path: String) -> Int = { _, _ in
            ListenerConfiguration.bodyBytesMaxUsual
        },
        bodyBytesOpenMax: Int = ListenerConfiguration.bodyBytesOpenMaxUsual,
        answerBytesOpenMax: Int = ListenerConfiguration.answerBytesOpenMaxUsual,
        headerBytesMax: Int = 32 << 10, idleSecondsMax: Int = 60, arrivalSecondsMax: Int = 60,
        takingSecondsMax: Int = 120, pressedMillisecondsMax: Int = 2_000,
        suspendedMillisecondsMax: Int = 30_000,
        accessLog: (@Sendable (AccessRecord) -> Void)? = nil
    ) {
        self.host = host
        self.port = port
        self.threads = threads
        self.connectionsMax = connectionsMax
        self.bodyBytesMax = bodyBytesMax
        self.bodyBytesOpenMax = bodyBytesOpenMax
        self.answerBytesOpenMax = answerBytesOpenMax
        self.headerBytesMax = headerBytesMax
        self.idleSecondsMax = idleSecondsMax
        self.arrivalSecondsMax = arrivalSecondsMax
        self.takingSecondsMax = takingSecondsMax
        self.pressedMillisecondsMax = pressedMillisecondsMax
        self.suspendedMillisecondsMax = suspendedMillisecondsMax
        self.accessLog = accessLog
    }
}

/// What one finished request leaves for a log: no query, no header, no body.
package struct AccessRecord: Sendable, Hashable {
    package let requestID: String
    package let method: String
    /// As sent, without the query.
    package let path: String
    package let status: Int
    package let durationMicroseconds: Int
    package let responseBytes: Int
    /// False when the client left before the last byte.
    package let isWhole: Bool
}
