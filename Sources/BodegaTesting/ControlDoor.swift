import Dispatch
import Foundation
import StoreCaller
import StoreModel
import StoreWire
import Synchronization

/// Asks a store's `/control`, and waits without a thread, or else on the caller's.
package struct ControlDoor: Sendable {
    private typealias Answer = Result<CallerResponse, CallerError>

    /// The answer to a call, for the thread that waits.
    private final class Held: Sendable {
        let answer = Mutex<Answer?>(nil)
        let isThere = DispatchSemaphore(value: 0)
    }

    /// One thread for all worlds of the process.
    private static let loop = CallerLoop(callsMax: 64, connectionsPerHostMax: 32)
    private static let millisecondsMax = 60_000

    let url: String
    private let token: String
    /// Why there is no answer, when the store is known to have ended; it may wait a second for that.
    private let endSentence: @Sendable () -> String?

    init(url: String, token: String, endSentence: @escaping @Sendable () -> String?) {
        self.url = url
        self.token = token
        self.endSentence = endSentence
    }

    package func ask<Answer: Decodable>(
        _ type: Answer.Type, _ method: String, _ path: String,
        _ body: (any Encodable & Sendable)? = nil
    ) async throws(BodegaError) -> Answer {
        try Self.decoded(type, try await send(method, path, body), method, path)
    }

    /// The same on the caller's thread.
    package func askNow<Answer: Decodable>(
        _ type: Answer.Type, _ method: String, _ path: String,
        _ body: (any Encodable & Sendable)? = nil
    ) throws(BodegaError) -> Answer {
        try Self.decoded(type, try sendNow(method, path, body), method, path)
    }

    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: (any Encodable & Sendable)?
    ) async throws(BodegaError) -> [UInt8] {
        try await send(method, path, bytes: try Self.encoded(body, path))
    }

    /// The body of a successful answer; a refusal is thrown with the store's sentence.
    @discardableResult
    func send(
        _ method: String, _ path: String, bytes: [UInt8]? = nil
    ) async throws(BodegaError) -> [UInt8] {
        let request = request(method, path, bytes)
        let answer = await withCheckedContinuation { continuation in
            Self.loop.send(request) { continuation.resume(returning: $0) }
        }
        if case .success(let response) = answer { return try Self.body(response, method, path) }
        // Finding out why there is no answer may take a second.
        let read = try? await blocking { Result { try body(of: answer, method, path) } }
        switch read {
        case .failure(let error as BodegaError): throw error
        case .success(let body): return body
        case .failure, nil: throw BodegaError("unsent", "\(method) \(path) cannot be sent.")
        }
    }

    /// The same on the caller's thread.
    @discardableResult
    package func sendNow(
        _ method: String, _ path: String, _ body: (any Encodable & Sendable)?
    ) throws(BodegaError) -> [UInt8] {
        try sendNow(method, path, bytes: try Self.encoded(body, path))
    }

    /// The same on the caller's thread.
    @discardableResult
    package func sendNow(
        _ method: String, _ path: String, bytes: [UInt8]? = nil
    ) throws(BodegaError) -> [UInt8] {
        let held = Held()
        Self.loop.send(request(method, path, bytes)) { answer in
            held.answer.withLock { $0 = answer }
            held.isThere.signal()
        }
        held.isThere.wait()
        guard let answer = held.answer.withLock({ $0 }) else {
            throw BodegaError("unsent", "\(method) \(path) cannot be sent.")
        }
        return try body(of: answer, method, path)
    }

    private func request(_ method: String, _ path: String, _ bytes: [UInt8]?) -> CallerRequest {
        CallerRequest(
            method: method, url: url + path,
            headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
            body: bytes, timeoutMilliseconds: Self.millisecondsMax)
    }

    private static func encoded(
        _ body: (any Encodable & Sendable)?, _ path: String
    ) throws(BodegaError) -> [UInt8]? {
        do {
            return try body.map { try WireJSON.encode($0) }
        } catch {
            throw BodegaError("unreadable", "A request to \(path) cannot be written: \(error)")
        }
    }

    private static func decoded<Answer: Decodable>(
        _: Answer.Type, _ bytes: [UInt8], _ method: String, _ path: String
    ) throws(BodegaError) -> Answer {
        do {
            return try WireJSON.decode(Answer.self, from: bytes)
        } catch {
            throw BodegaError(
                "programUnsuitable",
                "The store's answer to \(method) \(path) cannot be read, so its program is of "
                    + "another version than this module: \(WireJSON.explain(error)).")
        }
    }

    private func body(
        of answer: Answer, _ method: String, _ path: String
    ) throws(BodegaError) -> [UInt8] {
        switch answer {
        case .success(let response): return try Self.body(response, method, path)
        case .failure(let failure): throw error(of: failure, method, path)
        }
    }

    private static func body(
        _ response: CallerResponse, _ method: String, _ path: String
    ) throws(BodegaError) -> [UInt8] {
        if (200..<300).contains(response.status) { return response.body }
        let told = (try? WireJSON.decode(ErrorBody.self, from: response.body))?.error
        throw BodegaError(
            told?.code ?? "failed",
            told?.message ?? "The store answered \(method) \(path) with \(response.status).",
            isRefusal: told != nil && (400..<500).contains(response.status)
                && response.status != 401)
    }

    private func error(
        of failure: CallerError, _ method: String, _ path: String
    ) -> BodegaError {
        switch failure.code {
        case .badURL, .cancelled, .other:
            BodegaError("unsent", "\(method) \(path) cannot be sent: \(failure)")
        case .answerTooLarge, .badAnswer:
            BodegaError("failed", "The answer to \(method) \(path) cannot be read: \(failure)")
        case .timedOut:
            BodegaError(
                "timedOut",
                endSentence()
                    ?? "The store at \(url) did not answer \(method) \(path) within "
                    + "\(Self.millisecondsMax / 1_000) seconds; it may have carried it out.")
        case .unreachable, .addressRefused, .notTLS, .notTrusted, .notAnswered, .incompleteAnswer,
            .connectionLost:
            BodegaError(
                "storeGone",
                endSentence() ?? "The store at \(url) does not answer: \(failure)")
        }
    }

    /// A part of a path, with everything but plain characters escaped.
    package static func escaped(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}
