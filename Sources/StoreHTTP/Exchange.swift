import Dispatch
import CMicroHTTPD
import Synchronization

/// One request and its answer on one connection.
///
/// Unchecked: everything but `answer` is only touched by the connection's own thread. libmicrohttpd
/// holds one reference from the request line to the end of the answer.
@safe
final class Exchange: @unchecked Sendable {
    private enum Phase {
        case begun
        case receiving(RequestHead, RequestTarget, bodyMax: Int)
        /// The rest of a body that was too long is read and dropped before the refusal.
        case dropping(RequestRefusal, left: Int)
        case handed
    }

    private enum Answer {
        case handling
        case suspended
        case given(HTTPResponse, Responder.Observers)
        case taken
    }

    /// How much of a body is still read after it exceeded its limit, so that the client gets to
    /// read the refusal. A client that sends more is cut off.
    private static let droppedBytesMax = 1 << 20

    /// The pause before the rest of a body is read for which there was no memory: a client that
    /// asks again at once would take the processor from others.
    private static let pauseMilliseconds = 1_000

    /// An answer up to this size is sent regardless of memory held for others: a socket takes it at
    /// once.
    private static let smallAnswerBytesMax = 64 << 10

    /// A body up to this size is accepted regardless of memory held for others, so that clients
    /// with large unfinished bodies do not block purchases; the number of connections limits the
    /// total.
    private static let smallBodyBytesMax = 64 << 10

    private let core: ListenerCore
    private let connection: OpaquePointer
    private let watched: WatchedConnection?
    private let number: UInt64
    let targetBytes: [UInt8]
    /// The address of the target in libmicrohttpd's buffer.
    let targetAddress: UInt
    private let startNanoseconds = nowNanoseconds()
    private var phase = Phase.begun
    private var body: [UInt8] = []
    /// How much of the listener's memory for bodies this request has taken.
    private var bodyBytesTaken = 0
    /// Whom that is counted for; nil until the body is large.
    private var sender: BodySender?
    private var method = ""
    private var target: RequestTarget?
    private var host: String?
    /// The answer that the listener gave in place of the handler.
    private var ownAnswer: HTTPResponse?
    /// Whether the connection is closed after the answer.
    private var isLast = false
    private var sent: (status: Int, bytes: Int)?
    /// Where the answer is counted; nil for requests that reached no route.
    private var counts: AnswerCounts?
    /// How much of the listener's memory for answers this one has taken.
    private var answerBytesTaken = 0
    private let answer = Mutex(Answer.handling)

    init(
        core: ListenerCore, connection: OpaquePointer, targetBytes: [UInt8], targetAddress: UInt
    ) {
        self.core = core
        unsafe self.connection = unsafe connection
        watched = unsafe watchedConnection(connection)
        self.targetBytes = targetBytes
        self.targetAddress = targetAddress
        number = core.nextNumber()
        core.requestsOpen.add(1, ordering: .relaxed)
        watched?.enter(.arriving)
    }

    /// Whether the header has not been examined.
    var isNew: Bool {
        if case .begun = phase { true } else { false }
    }

    /// Handles the complete header.
    ///
    /// It is not `isPlain` when its lines do not all simply end in CR LF or it contains a NUL.
    func begin(
        method: String, version: String, headers: HTTPHeaders, isPlain: Bool
    ) -> MHD_Result {
        self.method = method
        host = headers["Host"]
        if core.isStopping.load(ordering: .acquiring) {
            phase = .handed
            return refuse(.stopping)
        }
        do throws(RequestRefusal) {
            guard isPlain else { throw .notPlain }
            let target = try RequestTarget(targetBytes) { path in
                core.configuration.pathPartsMax(headers["Host"], path)
            }
            self.target = target
            let head = try RequestHead(method: method, version: version, headers: headers)
            // libmicrohttpd ends a chunk's line at a bare line feed, where a proxy may not; the
            // start of the next request is then in doubt, so none is read.
            isLast = head.contentLength == nil
            let bodyMax = core.configuration.bodyBytesMax(
                method, headers["Host"], target.segments)
            if let length = head.contentLength, length > bodyMax {
                throw .bodyTooLarge(max: bodyMax)
            }
            phase = .receiving(head, target, bodyMax: bodyMax)
            return .YES
        } catch {
            phase = .handed
            return refuse(error.response)
        }
    }

    /// Handles a part of the body.
    func receive(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        switch phase {
        case .receiving(let head, let target, let bodyMax):
            guard bytes.count <= bodyMax - body.count else {
                return drop(.bodyTooLarge(max: bodyMax))
            }
            guard take(bytes.count, head, target) else {
                pause()
                return drop(.bodiesTooLarge)
            }
            // Growing step by step would hold twice as much.
            if body.isEmpty, let length = head.contentLength { body.reserveCapacity(length) }
            unsafe body.append(contentsOf: bytes)
            return .YES
        case .dropping(let refusal, let left):
            guard bytes.count <= left else { return .NO }
            phase = .dropping(refusal, left: left - bytes.count)
            return .YES
        case .begun, .handed:
            return .NO
        }
    }

    private func drop(_ refusal: RequestRefusal) -> MHD_Result {
        body = []
        giveBackBodyBytes()
        phase = .dropping(refusal, left: Self.droppedBytesMax)
        return .YES
    }

    /// Reads no more for a while; the end of the listener ends it, too.
    private func pause() {
        let responder = Responder { [self] (_: HTTPResponse) in
            // Under the lock, so that it was suspended before.
            answer.withLock { _ in unsafe MHD_resume_connection(connection) }
            core.room.leave(number)
        }
        answer.withLock { _ in
            core.room.enter(number, responder)
            unsafe MHD_suspend_connection(connection)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.pauseMilliseconds))
        { responder.expire() }
    }

    /// Takes memory for a part of the body; false when all of it is in use and the body is large.
    private func take(_ count: Int, _ head: RequestHead, _ target: RequestTarget) -> Bool {
        bodyBytesTaken += count
        let open = core.bodyBytesOpen.add(count, ordering: .relaxed).newValue
        guard bodyBytesTaken > Self.smallBodyBytesMax else { return true }
        return takeFromShare(count, head, target) && open <= core.configuration.bodyBytesOpenMax
    }

    /// The same for the part of that memory which the body's sender may use.
    private func takeFromShare(
        _ count: Int, _ head: RequestHead, _ target: RequestTarget
    ) -> Bool {
        // What came before the body was large counts, too.
        let more = sender == nil ? bodyBytesTaken : count
        let sender = sender ?? core.configuration.sender(request(head, target))
        self.sender = sender
        let sum = core.bodyShares.take(more, of: sender)
        return core.configuration.bytesOpenMax(of: sender).map { sum <= $0 } ?? true
    }

    private func giveBackBodyBytes() {
        core.bodyBytesOpen.subtract(bodyBytesTaken, ordering: .relaxed)
        if let sender { core.bodyShares.giveBack(bodyBytesTaken, of: sender) }
        bodyBytesTaken = 0
        sender = nil
    }

    private func request(_ head: RequestHead, _ target: RequestTarget) -> HTTPRequest {
        HTTPRequest(
            id: core.requestID(number), method: head.method, path: target.path,
            segments: target.segments, query: target.query, headers: head.headers, body: body,
            peer: watched?.peer ?? Peer(connection: number))
    }

    /// Handles the end of the request, or the resumption of its connection.
    func complete() -> MHD_Result {
        switch phase {
        case .begun: return .NO
        case .dropping(let refusal, _):
            phase = .handed
            return refuse(refusal.response)
        case .receiving(let head, let target, _):
            phase = .handed
            return hand(head, target)
        case .handed:
            guard let response = takeAnswer() else { return .YES }
            return queue(response)
        }
    }

    /// Handles the end of the answer or of the connection.
    func end(isWhole: Bool) {
        // A client that left takes no answer; its witness sees it all the same.
        _ = takeAnswer()
        core.requestsOpen.subtract(1, ordering: .releasing)
        giveBackBodyBytes()
        core.answerBytesOpen.subtract(answerBytesTaken, ordering: .relaxed)
        watched?.enter(.resting)
        guard let sent else { return }
        let microseconds = Int((nowNanoseconds() - startNanoseconds) / 1_000)
        (counts ?? core.configuration.unrouted).count(sent.status, microseconds: microseconds)
        guard let log = core.configuration.accessLog,
            ownAnswer != nil || !core.configuration.logsOwnAnswersOnly
        else { return }
        log(
            AccessRecord(
                requestID: core.requestID(number), method: method,
                path: target?.path ?? "", segments: target?.segments ?? [], host: host,
                status: sent.status, durationMicroseconds: microseconds, responseBytes: sent.bytes,
                isWhole: isWhole, ownAnswer: ownAnswer))
    }
}

// MARK: - Answering

extension Exchange {
    private func hand(_ head: RequestHead, _ target: RequestTarget) -> MHD_Result {
        // The order matters to a stop: it sets the flag and then looks at the count.
        core.handlersRunning.add(1, ordering: .sequentiallyConsistent)
        defer { core.handlersRunning.subtract(1, ordering: .sequentiallyConsistent) }
        guard !core.isStopping.load(ordering: .sequentiallyConsistent) else {
            return refuse(.stopping)
        }
        let request = request(head, target)
        body = []
        watched?.enter(.working)
        let responder = Responder { [self] in deliver($0, $1) }
        core.handler(request, responder)
        guard let response = takeAnswerOrSuspend(responder) else { return .YES }
        return queue(response)
    }

    private func takeAnswerOrSuspend(_ responder: Responder) -> HTTPResponse? {
        let isSuspended = answer.withLock { answer in
            guard case .handling = answer else { return false }
            core.room.enter(number, responder)
            unsafe MHD_suspend_connection(connection)
            answer = .suspended
            return true
        }
        return isSuspended ? nil : takeAnswer()
    }

    /// Takes the given answer and shows it to its witness.
    private func takeAnswer() -> HTTPResponse? {
        let given: (response: HTTPResponse, observers: Responder.Observers)? =
            answer.withLock { answer in
                guard case .given(let response, let observers) = answer else { return nil }
                answer = .taken
                return (response, observers)
            }
        guard let given else { return nil }
        counts = given.observers.counts
        given.observers.witness?(given.response)
        return given.response
    }

    /// Called once, from any thread.
    private func deliver(_ response: HTTPResponse, _ observers: Responder.Observers) {
        let wasSuspended = answer.withLock { answer in
            switch answer {
            case .handling:
                answer = .given(response, observers)
                return false
            case .suspended:
                answer = .given(response, observers)
                // Under the lock: the connection lives at least until it is resumed.
                unsafe MHD_resume_connection(connection)
                return true
            case .given, .taken:
                return false
            }
        }
        if wasSuspended { core.room.leave(number) }
    }

    private func refuse(_ response: HTTPResponse) -> MHD_Result {
        ownAnswer = response
        return queue(response, closes: true)
    }

    private func queue(_ response: HTTPResponse, closes: Bool = false) -> MHD_Result {
        // libmicrohttpd closes the connection.
        if response.isDropped { return .NO }
        let closes = closes || isLast || core.isStopping.load(ordering: .relaxed)
        let id = core.requestID(number)
        var sendable = hold(response)
        var handle = unsafe makeResponse(sendable, requestID: id, closes: closes)
        if unsafe handle == nil {
            sendable = .unsendable
            ownAnswer = sendable
            unsafe handle = unsafe makeResponse(sendable, requestID: id, closes: closes)
        }
        guard let handle = unsafe handle else { return .NO }
        defer { unsafe MHD_destroy_response(handle) }
        watched?.enter(.taking)
        sent = (sendable.status, method == "HEAD" ? 0 : sendable.byteCount)
        return unsafe MHD_queue_response(connection, UInt32(sendable.status), handle)
    }
    /// Takes memory for an answer until its client has it; 503 when all of it is in use.
    private func hold(_ response: HTTPResponse) -> HTTPResponse {
        let count = response.body.count
        let open = core.answerBytesOpen.add(count, ordering: .relaxed).newValue
        guard count <= Self.smallAnswerBytesMax || open <= core.configuration.answerBytesOpenMax
        else {
            core.answerBytesOpen.subtract(count, ordering: .relaxed)
            ownAnswer = .answersTooLarge
            return .answersTooLarge
        }
        answerBytesTaken += count
        return response
    }
}
