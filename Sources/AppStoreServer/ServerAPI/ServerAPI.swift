import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// The common part of all answers of the App Store Server API.
enum ServerAPI {
    /// JSON to sign, which a `SignedDataMaker` wrote.
    typealias Payload = [UInt8]
    /// Writes the members of an answer; the function signs a payload.
    typealias Write = ((Payload) throws -> String, inout JSONWriter) throws -> Void

    /// Answers with what is found in one read, which also checks the token; signs after it.
    static func answer(
        _ call: StoreCall, isCounted: Bool = false,
        _ read: (ServerAPICaller, borrowing ReadScope) throws -> Write
    ) throws -> HTTPResponse {
        do {
            let (maker, write) = try call.world.database.read { scope in
                let caller = try ServerAPICaller(call, scope)
                if !isCounted { try count(call, of: caller) }
                return (caller.maker, try read(caller, scope))
            }
            return .json(try body(maker, in: call.world, write))
        } catch let refusal as ServerTokenRefusal {
            return unauthenticated(refusal, call)
        } catch let excess as TooMany {
            return excess.response
        }
    }

    /// Thrown when a limit of requests was reached, before anything else is done.
    private struct TooMany: Error {
        let until: Timestamp

        /// Source: Apple, *Identifying rate limits*.
        var response: HTTPResponse {
            var answer = ServerAPIError.rateLimitExceeded.response
            answer.headers.add("Retry-After", "\(until.milliseconds)")
            return answer
        }
    }

    /// Counts a request of a caller whose token is good.
    private static func count(_ call: StoreCall, of caller: ServerAPICaller) throws {
        guard let perSecond = call.operation.perSecond,
            let until = call.world.requestLimits.take(
                caller.app.id, caller.environment, perSecond: perSecond,
                at: call.world.time.real())
        else { return }
        throw TooMany(until: until)
    }

    /// Thrown to go on apart from the listener's threads.
    private struct TakesLong: Error {}

    /// The same about an account's history, which is read apart where it is long: `read` asks
    /// before it begins.
    static func answer(
        _ call: StoreCall, _ responder: Responder,
        _ read:
            @escaping @Sendable (ServerAPICaller, HistoryReading, borrowing ReadScope) throws ->
            Write
    ) throws {
        @Sendable func answer(isApart: Bool) throws {
            responder.send(
                try Self.answer(call, isCounted: isApart) {
                    try read($0, HistoryReading(isApart: isApart), $1)
                })
        }
        do {
            try answer(isApart: false)
        } catch is TakesLong {
            call.parts.runLarge(.receipt, responder) {
                do { try answer(isApart: true) } catch {
                    let known = error as? ServerAPIError
                    if known == nil { _ = call.context.response(for: error) }
                    responder.send((known ?? .generalInternalRetryable).response)
                }
            }
        }
    }

    struct HistoryReading {
        fileprivate let isApart: Bool

        /// Throws when the whole history of an account is long, and this is a listener's thread.
        func checkLength(
            of account: AccountID, in app: AppID, _ scope: borrowing ReadScope
        ) throws {
            if isApart { return }
            // Each purchase, and much of what happens to it, changes the receipt.
            let changes = try scope.receiptChanges(of: account, in: app)
            if changes > Limits.quickReceiptPurchasesMax { throw TakesLong() }
        }
    }

    private static func body(
        _ maker: SignedDataMaker, in world: World, _ write: Write
    ) throws -> [UInt8] {
        var signer: SignedDataSigner?
        // An answer in which nothing is signed makes no certificates. The world's first ones wait for a
        // commit.
        func sign(_ payload: Payload) throws -> String {
            let known = try signer ?? world.dataSigner(for: maker.environment)
            signer = known
            return try known.sign(payload, at: maker.now)
        }
        var json = JSONWriter(capacity: 8_192)
        try json.object { json throws in try write(sign, &json) }
        return json.bytes
    }

    /// Serves a caller whose token is good, for what is more than one read.
    static func serve(
        _ call: StoreCall, _ work: (ServerAPICaller) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        do {
            let caller = try call.world.database.read { try ServerAPICaller(call, $0) }
            try count(call, of: caller)
            return try await work(caller)
        } catch let refusal as ServerTokenRefusal {
            return unauthenticated(refusal, call)
        } catch let excess as TooMany {
            return excess.response
        }
    }

    /// An answer without a body.
    static func empty(_ status: Int) -> HTTPResponse {
        HTTPResponse(status: status, headers: HTTPHeaders(), body: [])
    }

    /// A body, whose members are judged one by one: each has an error of its own.
    static func object(_ call: StoreCall) throws -> JSONValue {
        guard let value = try? JSONValue(parsing: call.request.body), value.object != nil else {
            throw ServerAPIError.generalBadRequest
        }
        return value
    }

    /// A word that is not JSON, as Apple answers; the log says why.
    static func unauthenticated(
        _ refusal: ServerTokenRefusal, _ call: StoreCall
    ) -> HTTPResponse {
        call.log.event(StoreEvent.serverTokenRefused, ("why", .text(refusal.description)))
        return HTTPResponse(
            status: 401,
            headers: HTTPHeaders([
                ("Content-Type", "text/plain"), ("WWW-Authenticate", "Bearer"),
            ]),
            body: Array("Unauthenticated\n".utf8))
    }
}
