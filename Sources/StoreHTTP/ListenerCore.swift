import Synchronization

/// State shared by a listener's threads, of both ports.
final class ListenerCore: Sendable {
    typealias Handler = @Sendable (HTTPRequest, Responder) -> Void

    let configuration: ListenerConfiguration
    let handler: Handler
    let room: WaitingRoom
    /// Requests begun and not finished.
    let requestsOpen = Atomic<Int>(0)
    /// The bodies of open requests, in bytes.
    let bodyBytesOpen = Atomic<Int>(0)
    /// The large ones among them, by sender.
    let bodyShares = BodyShares()
    /// The bodies of answers that have not reached their clients, in bytes.
    let answerBytesOpen = Atomic<Int>(0)
    /// Calls of the handler that have not yet led to an answer or a place in the waiting room.
    let handlersRunning = Atomic<Int>(0)
    /// New requests are refused.
    let isStopping = Atomic<Bool>(false)

    private let requestsMade = Atomic<UInt64>(0)
    private let connectionsMade = Atomic<UInt64>(0)
    private let idPrefix = String(UInt32.random(in: .min ... .max), radix: 36)

    init(configuration: ListenerConfiguration, handler: @escaping Handler) {
        self.configuration = configuration
        self.handler = handler
        room = WaitingRoom(waitMillisecondsMax: configuration.suspendedMillisecondsMax)
    }

    /// Ends its own thread.
    func close() {
        room.close()
    }

    /// A number unique among the requests of this listener.
    func nextNumber() -> UInt64 {
        requestsMade.add(1, ordering: .relaxed).newValue
    }

    /// A number unique among the connections of this listener.
    func nextConnection() -> UInt64 {
        connectionsMade.add(1, ordering: .relaxed).newValue
    }

    /// A short identifier that differs after a restart with high probability.
    func requestID(_ number: UInt64) -> String {
        idPrefix + "-" + String(number, radix: 36)
    }
}
