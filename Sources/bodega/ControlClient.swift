import Foundation
import StoreCaller
import StoreWire

/// Talks to a running store's `/control`, which it finds through options, environment or the data
/// directory.
struct ControlClient {
    static let options: Set<String> = ["data", "url", "world"]

    private let base: String
    private let token: String
    private let worldPath: String
    private let caller = Caller()

    init(_ arguments: Arguments) throws {
        let data = Self.dataDirectory(arguments)
        let given = try arguments.value("url", environment: "BODEGA_URL").map {
            try Arguments.url($0, for: "--url")
        }
        let world = try Arguments.name(arguments.value("world") ?? "default", for: "--world")
        worldPath = world == "default" ? "" : "/t/\(world)"
        guard let token = Self.token(below: data) else {
            throw Failure(
                "no control token: set BODEGA_TOKEN, or name the store's data directory with "
                    + "--data (looked in \(data))")
        }
        self.token = token
        base = Self.withoutSlash(
            try given
                ?? ServerFile.address(
                    below: data, start: "bodega serve", usual: "http://127.0.0.1:8080",
                    ifHeldIn: "BODEGA_TOKEN"))
    }

    /// `--data`, `BODEGA_DATA`, or the person's data folder.
    static func dataDirectory(_ arguments: Arguments) -> String {
        if let path = arguments.value("data", environment: "BODEGA_DATA") { return path }
        return personDataFolder + "/bodega"
    }

    /// Where a person's programs keep their data, as freedesktop.org lays it down.
    static var personDataFolder: String {
        let environment = ProcessInfo.processInfo.environment
        return environment["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share"
    }

    /// Every page of a list whose address takes `after`, from the first on; `next` of a page says
    /// where to go on.
    func pages<Page: Decodable>(
        _ type: Page.Type, _ path: String, query: String = "", next: (Page) -> Int64?
    ) throws -> [Page] {
        var pages: [Page] = []
        var place: Int64? = 0
        while let after = place {
            let page = try WireJSON.decode(
                type, from: try send("GET", "\(path)?after=\(after)\(query)"))
            pages.append(page)
            place = next(page)
        }
        return pages
    }

    /// Sends a request below the world's `/control/v1`.
    func send(_ method: String, _ path: String, _ body: (any Encodable)? = nil) throws -> [UInt8] {
        let bytes = try body.map { try WireJSON.encode($0) }
        return try exchange(method, worldPath + "/control/v1" + path, bytes)
    }

    func send(_ method: String, _ path: String, bytes: [UInt8]) throws -> [UInt8] {
        try exchange(method, worldPath + "/control/v1" + path, bytes)
    }

    /// Sends a request below the root's `/control/v1`, whatever world is named.
    func sendToRoot(_ method: String, _ path: String, _ body: (any Encodable)? = nil) throws
        -> [UInt8]
    {
        try exchange(method, "/control/v1" + path, try body.map { try WireJSON.encode($0) })
    }

    func sendToRoot(_ method: String, _ path: String, bytes: [UInt8]) throws -> [UInt8] {
        try exchange(method, "/control/v1" + path, bytes)
    }

    /// A path's part with everything but plain characters escaped.
    static func escaped(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }

    private func exchange(_ method: String, _ path: String, _ body: [UInt8]?) throws -> [UInt8] {
        let request = CallerRequest(
            method: method, url: base + path,
            headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
            body: body, timeoutMilliseconds: 60_000)
        let response: CallerResponse
        do {
            response = try caller.send(request)
        } catch  where error.code == .unreachable {
            throw Failure("no store answers at \(base); start one with: bodega serve")
        } catch {
            throw Failure("\(base): \(error.detail)", mayBeDone: true)
        }
        guard (200..<300).contains(response.status) else {
            let answer = try? WireJSON.decode(ErrorBody.self, from: response.body)
            let message = answer?.error.message ?? "the store answered \(response.status)"
            if WrongValue.codes.contains(answer?.error.code ?? "") {
                throw UsageError(WrongValue.sentence(message))
            }
            throw Failure(
                message, mayPass: response.status == 503, mayBeDone: response.status >= 500)
        }
        return response.body
    }

    static func token(below directory: String) -> String? {
        if let token = ProcessInfo.processInfo.environment["BODEGA_TOKEN"], !token.isEmpty {
            return token
        }
        let text = try? String(contentsOfFile: directory + "/control-token", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func address(below directory: String) throws -> String? {
        try ServerFile.address(below: directory, start: "bodega serve")
    }

    private static func withoutSlash(_ url: String) -> String {
        url.hasSuffix("/") ? String(url.dropLast()) : url
    }
}
