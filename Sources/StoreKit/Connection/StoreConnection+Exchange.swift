import Dispatch
import StoreCaller
import StoreWire

// One exchange with the store.
extension StoreConnection {
    func send(
        _ method: String, _ path: String, _ body: [UInt8]?,
        headers: [(name: String, value: String)] = [], token: String?,
        _ millisecondsMax: Int, answerBytesMax: Int = answerBytesMax,
        _ cancellation: CallCancellation?
    ) throws(StoreFailure) -> CallerResponse {
        let request = request(
            method, path, body, headers: headers, token: token, millisecondsMax,
            answerBytesMax: answerBytesMax)
        guard !hasEnded else {
            throw StoreFailure(.cancelled, "This device has ended, so the store is not called.")
        }
        do {
            return try caller.send(request, cancellation: cancellation ?? ending)
        } catch {
            throw StoreFailure(error, url: configuration.url)
        }
    }

    /// Cancels the calls under way, except those that have a cancellation of their own, and refuses
    /// all others.
    func end() { ending.cancel() }

    var hasEnded: Bool { ending.isCancelled }

    private func request(
        _ method: String, _ path: String, _ body: [UInt8]?,
        headers: [(name: String, value: String)], token: String?, _ millisecondsMax: Int,
        answerBytesMax: Int
    ) -> CallerRequest {
        var headers = headers
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if body != nil { headers.append(("Content-Type", "application/json")) }
        let url = "\(configuration.url)/device/v1/\(path)"
        return CallerRequest(
            method: method, url: url, headers: headers, body: body,
            timeoutMilliseconds: millisecondsMax, responseBodyMax: answerBytesMax,
            // On a kept-alive connection the caller may send twice by itself, but whether an
            // attempt was posted must be known here.
            isAlone: path.hasPrefix("attempts"))
    }

    /// The response when it is a success; `token` is the one that the request was sent with, nil
    /// when the request needs no account.
    func checked(
        _ response: CallerResponse, to token: String? = nil
    ) throws(StoreFailure) -> CallerResponse {
        if [200, 206].contains(response.status) { return response }
        let told = try? WireJSON.decode(ErrorBody.self, from: response.body).error
        guard (400..<500).contains(response.status), ![408, 429].contains(response.status),
            let told
        else {
            throw StoreFailure(
                .lost, told?.message ?? "The store answered \(response.status) without a reason.",
                isAnswer: true)
        }
        if let token, Self.saysSignedOut(response) { throw signedOut(by: token) }
        throw StoreFailure(.refused(status: response.status, code: told.code), told.message)
    }

    static func saysSignedOut(_ response: CallerResponse) -> Bool {
        code(response) == "notSignedIn"
    }

    static func code(_ response: CallerResponse) -> String? {
        if response.status == 200 { return nil }
        return try? WireJSON.decode(ErrorBody.self, from: response.body).error.code
    }
}

// Waiting for news, without holding a thread: all connections of a process wait on one.
extension StoreConnection {
    /// The store takes 512 polls.
    private static let polls = CallerLoop(callsMax: 1_024, connectionsPerHostMax: 512)
    private static let sharedWait = SharedWait(loop: polls)

    /// Waits for a customer's news after a cursor; with other devices, if there is an id for such waits
    /// and the store allows them in its place. `then` is called on the queue.
    func pollUpdates(
        after cursor: Int64, signed: Bool, together waitID: String?, as customer: Customer,
        cancellation: CallCancellation, on queue: DispatchQueue,
        then: @escaping @Sendable (Result<UpdatesBody, StoreFailure>) -> Void
    ) throws(StoreFailure) {
        let wish = signed ? "&\(SignedPurchaseBody.queryName)=true" : ""
        let path = "updates?after=\(cursor)\(wish)"
        let alone: @Sendable () throws(StoreFailure) -> Void = {
            [self] () throws(StoreFailure) in
            try poll(
                UpdatesBody.self, path, as: customer, cancellation: cancellation, on: queue,
                then: then)
        }
        guard let waitID, let session = configuration.session,
            let environment = configuration.environment
        else { return try alone() }
        let device = NewsWaitBody.Device(
            id: waitID, world: session.world, environment: environment,
            token: try token(as: customer, onDevice: nil), after: cursor, signed: signed)
        let waiting = SharedWait.Waiting(device: device, cancellation: cancellation) { outcome in
            queue.async { [self] in
                do throws(StoreFailure) {
                    switch outcome {
                    case .ready:
                        then(
                            .success(
                                try call(
                                    UpdatesBody.self, "GET", "\(path)&wait=0", as: customer,
                                    cancellation: cancellation)))
                    case .alone: try alone()
                    case .failed(let error): throw StoreFailure(error, url: configuration.url)
                    case .refused(let response):
                        _ = try checked(response)
                        throw StoreFailure(
                            .lost, "The store answered \(response.status) to a wait.",
                            isAnswer: true)
                    }
                } catch {
                    then(.failure(error))
                }
            }
        }
        Self.sharedWait.join([waiting], at: session.store)
    }

    /// Waits for an answer with news. `path` has a query, to which the wait is added. `then` is called
    /// on the queue.
    func poll<Answer: Decodable & Sendable>(
        _: Answer.Type, _ path: String, as customer: Customer, cancellation: CallCancellation,
        on queue: DispatchQueue,
        then: @escaping @Sendable (Result<Answer, StoreFailure>) -> Void
    ) throws(StoreFailure) {
        let seconds = Self.updatesWaitSecondsMax
        let token = try token(as: customer, onDevice: nil)
        let request = request(
            "GET", "\(path)&wait=\(seconds)", nil, headers: [], token: token,
            (seconds + 10) * 1_000, answerBytesMax: Self.answerBytesMax)
        Self.polls.send(request, cancellation: cancellation) { result in
            queue.async { [self] in
                then(
                    Result { () throws(StoreFailure) in
                        let response = try result.mapError {
                            StoreFailure($0, url: configuration.url)
                        }.get()
                        // A token that the store no longer takes is renewed as by all requests.
                        guard response.status != 401 else {
                            return try call(
                                Answer.self, "GET", "\(path)&wait=0", as: customer,
                                cancellation: cancellation)
                        }
                        return try decoded(Answer.self, try checked(response, to: token))
                    })
            }
        }
    }
}
