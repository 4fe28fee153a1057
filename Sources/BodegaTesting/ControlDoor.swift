import Foundation
import StoreCaller
import StoreModel
import StoreWire

/// Asks a store's `/control`, and waits without a thread.
struct ControlDoor: Sendable {
    /// One thread for all worlds of the process.
    private static let loop = CallerLoop(callsMax: 64, connectionsPerHostMax: 32)
    private static let millisecondsMax = 60_000

    let url: String
    private let token: String
    /// Why there is no answer, when the store is known to have ended.
    private let endSentence: @Sendable () async -> String?

    init(url: String, token: String, endSentence: @escaping @Sendable () async -> String?) {
        self.url = url
        self.token = token
        self.endSentence = endSentence
    }

    func ask<Answer: Decodable>(
        _: Answer.Type, _ method: String, _ path: String,
        _ body: (any Encodable & Sendable)? = nil
    ) async throws(BodegaError) -> Answer {
        let answer = try await send(method, path, body)
        do {
            return try WireJSON.decode(Answer.self, from: answer)
        } catch {
            throw BodegaError(
                "programUnsuitable",
                "The store's answer to \(method) \(path) cannot be read, so its program is of "
                    + "another version than this module: \(WireJSON.explain(error)).")
        }
    }

    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: (any Encodable & Sendable)?
    ) async throws(BodegaError) -> [UInt8] {
        do {
            return try await send(method, path, bytes: try body.map { try WireJSON.encode($0) })
        } catch let error as BodegaError {
            throw error
        } catch {
            throw BodegaError("unreadable", "A request to \(path) cannot be written: \(error)")
        }
    }

    /// The body of a successful answer; a refusal is thrown with the store's sentence.
    @discardableResult
    func send(
        _ method: String, _ path: String, bytes: [UInt8]? = nil
    ) async throws(BodegaError) -> [UInt8] {
        let request = CallerRequest(
            method: method, url: url + path,
            headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
            body: bytes, timeoutMilliseconds: Self.millisecondsMax)
        let answer = await withCheckedContinuation { continuation in
            Self.loop.send(request) { continuation.resume(returning: $0) }
        }
        switch answer {
        case .success(let response) where (200..<300).contains(response.status):
            return response.body
        case .success(let response):
            let told = (try? WireJSON.decode(ErrorBody.self, from: response.body))?.error
            throw BodegaError(
                told?.code ?? "failed",
                told?.message ?? "The store answered \(method) \(path) with \(response.status).")
        case .failure(let failure):
            throw await error(of: failure, method, path)
        }
    }

    private func error(
        of failure: CallerError, _ method: String, _ path: String
    ) async -> BodegaError {
        switch failure.code {
        case .badURL, .cancelled, .other:
            BodegaError("unsent", "\(method) \(path) cannot be sent: \(failure)")
        case .answerTooLarge, .badAnswer:
            BodegaError("failed", "The answer to \(method) \(path) cannot be read: \(failure)")
        case .timedOut:
            BodegaError(
                "timedOut",
                await endSentence()
                    ?? "The store at \(url) did not answer \(method) \(path) within "
                    + "\(Self.millisecondsMax / 1_000) seconds; it may have carried it out.")
        case .unreachable, .addressRefused, .notTLS, .notTrusted, .notAnswered, .incompleteAnswer,
            .connectionLost:
            BodegaError(
                "storeGone",
                await endSentence() ?? "The store at \(url) does not answer: \(failure)")
        }
    }

    /// A part of a path, with everything but plain characters escaped.
    static func escaped(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}
