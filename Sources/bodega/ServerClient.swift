import Foundation
import StoreCaller
import StoreWire

/// Talks to a running server, found through options, environment or the data directory.
struct ServerClient {
    /// The differences between a store and a backend.
    struct Kind {
        let name: String
        /// The command that starts it.
        let start: String
        let usualURL: String
        let token: String
        let tokenFile: String
        let tokenVariable: String
        /// Its folder in the user's data directory.
        let folder: String

        static let store = Kind(
            name: "store", start: "bodega serve", usualURL: "http://127.0.0.1:8080",
            token: "control token", tokenFile: "control-token", tokenVariable: "BODEGA_TOKEN",
            folder: "bodega")
        static let backend = Kind(
            name: "backend", start: "bodega backend", usualURL: "http://127.0.0.1:8081",
            token: "operator token", tokenFile: "operator-token",
            tokenVariable: "BODEGA_OPERATOR_TOKEN", folder: "bodega-backend")

        /// `--data` or its variable; otherwise below the user's data directory, as freedesktop.org
        /// defines it: a variable that is empty or a relative path does not count.
        func dataDirectory(_ arguments: Arguments) -> String {
            if let path = arguments.value("data") { return path }
            let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME", default: ""]
            let shared = data.hasPrefix("/") ? data : NSHomeDirectory() + "/.local/share"
            return "\(shared)/\(folder)"
        }

        func token(below directory: String) -> String? {
            let variable = ProcessInfo.processInfo.environment[tokenVariable, default: ""]
            guard variable.isEmpty else { return variable }
            let text = try? String(contentsOfFile: "\(directory)/\(tokenFile)", encoding: .utf8)
            return text?.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private let kind: Kind
    /// Its address, without a slash at the end.
    let base: String
    private let token: String
    private let caller = Caller()

    init(_ kind: Kind, _ arguments: Arguments) throws {
        self.kind = kind
        let data = kind.dataDirectory(arguments)
        let given = try arguments.value("url").map { try Arguments.url($0, for: "--url") }
        guard let token = kind.token(below: data) else {
            throw Failure(
                "no \(kind.token): set \(kind.tokenVariable), or name the \(kind.name)'s data "
                    + "directory with --data (looked in \(data))")
        }
        self.token = token
        let url =
            try given
            ?? ServerFile.address(
                below: data, start: kind.start, usual: kind.usualURL,
                ifHeldIn: kind.tokenVariable)
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    /// One whose address and token are known.
    init(_ kind: Kind, at base: String, token: String) {
        self.kind = kind
        self.base = base
        self.token = token
    }

    /// The most bytes of an answer, unless a command expects more.
    static let answerBytesMax = 16 << 20

    /// Sends a request to a path and returns the body of a successful answer.
    func send(
        _ method: String, _ path: String, _ body: [UInt8]? = nil,
        answerBytesMax: Int = Self.answerBytesMax
    ) throws -> [UInt8] {
        let response = try answer(
            method, path, body, token: token, answerBytesMax: answerBytesMax)
        guard (200..<300).contains(response.status) else {
            let answer = try? WireJSON.decode(ErrorBody.self, from: response.body)
            let message =
                answer?.error.message ?? "the \(kind.name) answered \(response.status)"
            let code = answer?.error.code ?? "failed"
            if WrongValue.codes.contains(code) {
                throw UsageError(WrongValue.sentence(message), code: code)
            }
            throw Failure(
                message, code: code, mayPass: response.status == 503,
                mayBeDone: response.status >= 500)
        }
        return response.body
    }

    /// Sends a request and returns its answer, whatever it is.
    func answer(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, token: String,
        answerBytesMax: Int = Self.answerBytesMax
    ) throws -> CallerResponse {
        let request = CallerRequest(
            method: method, url: base + path,
            headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
            body: body, timeoutMilliseconds: 60_000, responseBodyMax: answerBytesMax)
        do {
            return try caller.send(request)
        } catch  where [.unreachable, .notTLS].contains(error.code) {
            throw Failure(
                "no \(kind.name) answers at \(base); start one with: \(kind.start)",
                code: "unreachable")
        } catch {
            throw Failure("\(base): \(error.detail)", mayBeDone: true)
        }
    }

    /// A path component with everything but plain characters escaped.
    static func escaped(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}
