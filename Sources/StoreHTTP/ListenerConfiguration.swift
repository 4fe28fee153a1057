/// A listener's address and limits.
package struct ListenerConfiguration: Sendable {
    /// An IPv4 or IPv6 address, or `localhost` for 127.0.0.1.
    package var host: String
    /// 0 selects a free port.
    package var port: Int
    /// A second port, which speaks TLS; it shares everything but its threads and its own number of
    /// connections with the first.
    package var tls: TLSPort?
    /// Of each port.
    package var threads: Int
    /// Of the first port. Further clients wait until one leaves.
    package var connectionsMax: Int
    /// The longest body for a method and a `Host` header, both as sent, and the decoded parts of a
    /// path.
    package var bodyBytesMax:
        @Sendable (_ method: String, _ host: String?, _ segments: [String]) -> Int
    /// The number of parts that a path may be split into, for a `Host` header and a path, both as
    /// sent; nil for any. The last part is then the rest of the path, with its slashes.
    package var pathPartsMax: @Sendable (_ host: String?, _ path: String) -> Int?
    /// The limit for the bodies of all open requests together; one beyond it is answered 503.
    package var bodyBytesOpenMax: Int
    /// The limit for the large ones among them of all strangers together; one beyond it is answered
    /// 503.
    package var strangerBytesOpenMax: Int
    /// The same for each account.
    package var accountBytesOpenMax: Int
    /// The sender of a request that still lacks its body. Asked once for each large body, on one of
    /// the listener's threads.
    package var sender: @Sendable (HTTPRequest) -> BodySender
    /// The limit for all answers that clients have not read yet; a large one beyond it is answered
    /// 503.
    package var answerBytesOpenMax: Int
    /// The memory for a request's header per connection; a longer one is answered 431.
    package var headerBytesMax: Int
    /// A connection that is idle, or brings no request line, is closed after this time.
    package var idleSecondsMax: Int
    /// The maximum time for a request to arrive, from its first line to its last byte, however
    /// steadily it drips; then its connection is closed.
    package var arrivalSecondsMax: Int
    /// The maximum time for a client to read an answer; then its connection is closed.
    package var takingSecondsMax: Int
    /// When three quarters of the connections are in use, those beyond that number that have waited
    /// for their client longer than this are closed, the longest wait first; an eighth of it for
    /// connections that have not brought a request yet.
    package var pressedMillisecondsMax: Int
    /// The maximum time that a request waits for its answer.
    package var suspendedMillisecondsMax: Int
    /// Counts the answers to requests that reached no route.
    package var unrouted = AnswerCounts()
    /// Called once for each answered request, or for those of `logsOwnAnswersOnly`, on one of the
    /// listener's threads.
    package var accessLog: (@Sendable (AccessRecord) -> Void)?
    /// Whether `accessLog` is called for the listener's own answers alone.
    package var logsOwnAnswersOnly = false

    package static let bodyBytesMaxUsual = 1 << 20
    package static let bodyBytesOpenMaxUsual = 256 << 20
    package static let answerBytesOpenMaxUsual = 256 << 20

    /// The limit for the large bodies of a sender; nil if it has none of its own.
    func bytesOpenMax(of sender: BodySender) -> Int? {
        switch sender {
        case .stranger: strangerBytesOpenMax
        case .account: accountBytesOpenMax
        case .owner: nil
        }
    }

    /// Whether only programs on this machine can connect to an address.
    package static func isLoopback(_ host: String) -> Bool {
        host == "::1" || host == "localhost" || host.hasPrefix("127.")
    }

    package init(
        host: String = "127.0.0.1", port: Int = 0, tls: TLSPort? = nil, threads: Int = 2,
        connectionsMax: Int = 1_024,
        bodyBytesMax:
            @escaping @Sendable (_ method: String, _ host: String?, _ segments: [String]) -> Int =
            { _, _, _ in ListenerConfiguration.bodyBytesMaxUsual },
        pathPartsMax: @escaping @Sendable (_ host: String?, _ path: String) -> Int? =
            { _, _ in nil },
        bodyBytesOpenMax: Int = ListenerConfiguration.bodyBytesOpenMaxUsual,
        strangerBytesOpenMax: Int = ListenerConfiguration.bodyBytesOpenMaxUsual,
        accountBytesOpenMax: Int = ListenerConfiguration.bodyBytesOpenMaxUsual,
        sender: @escaping @Sendable (HTTPRequest) -> BodySender = { _ in .stranger },
        answerBytesOpenMax: Int = ListenerConfiguration.answerBytesOpenMaxUsual,
        headerBytesMax: Int = 32 << 10, idleSecondsMax: Int = 60, arrivalSecondsMax: Int = 60,
        takingSecondsMax: Int = 120, pressedMillisecondsMax: Int = 2_000,
        suspendedMillisecondsMax: Int = 30_000,
        accessLog: (@Sendable (AccessRecord) -> Void)? = nil
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.threads = threads
        self.connectionsMax = connectionsMax
        self.bodyBytesMax = bodyBytesMax
        self.pathPartsMax = pathPartsMax
        self.bodyBytesOpenMax = bodyBytesOpenMax
        self.strangerBytesOpenMax = strangerBytesOpenMax
        self.accountBytesOpenMax = accountBytesOpenMax
        self.sender = sender
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

/// A finished request's log record: no query, no body.
package struct AccessRecord: Sendable, Hashable {
    package let requestID: String
    package let method: String
    /// As sent, without the query.
    package let path: String
    /// The parts of the path, decoded; empty when it cannot be read.
    package let segments: [String]
    package let host: String?
    package let status: Int
    package let durationMicroseconds: Int
    package let responseBytes: Int
    /// False when the client left before the last byte.
    package let isWhole: Bool
    /// The answer that the listener gave itself, because the handler was not to see the request or
    /// its answer could not be sent; nil for the handler's.
    package let ownAnswer: HTTPResponse?
}
