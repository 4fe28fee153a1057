import Foundation
import TestSupport

/// One hostile request, byte by byte, as a text with places to fill.
///
/// `{00}` is that byte; `{LENGTH}` the length of what follows the head; `{a40000}`, `{[400}` that
/// character so often; any other name in braces and capitals a value of the lab, such as `{TOKEN}`.
struct HostileRow {
    let name: String
    let request: String
    /// Whether the client ends its side after the request, for requests that never end.
    var ends = false

    init(_ name: String, _ request: String, ends: Bool = false) {
        (self.name, self.request, self.ends) = (name, request, ends)
    }

    /// A whole request with a body.
    static func post(
        _ name: String, _ target: String, token: String? = nil, _ body: String,
        method: String = "POST"
    ) -> HostileRow {
        let authorization = token.map { "Authorization: Bearer {\($0)}\r\n" } ?? ""
        return HostileRow(
            name,
            "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(authorization)"
                + "Content-Type: application/json\r\nContent-Length: {LENGTH}\r\n\r\n\(body)")
    }

    static func get(_ name: String, _ target: String, token: String? = nil) -> HostileRow {
        let authorization = token.map { "Authorization: Bearer {\($0)}\r\n" } ?? ""
        return HostileRow(name, "GET \(target) HTTP/1.1\r\nHost: a\r\n\(authorization)\r\n")
    }

    func bytes(_ values: [String: String]) throws -> [UInt8] {
        let whole = try Self.filled(request, values)
        let mark = Data("{LENGTH}".utf8)
        guard let place = Data(whole).range(of: mark),
            let headEnd = Data(whole).range(of: Data("\r\n\r\n".utf8))
        else { return whole }
        let length = whole.count - headEnd.upperBound
        return Array(whole[..<place.lowerBound]) + "\(length)".utf8 + whole[place.upperBound...]
    }

    private static func filled(_ text: String, _ values: [String: String]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        let place = /\{([0-9A-F]{2}|[A-Z]+|[a-z\[{9](\d+))\}/
        while let match = rest.firstMatch(of: place) {
            bytes += rest[..<match.range.lowerBound].utf8
            let name = match.1
            if let count = match.2.flatMap({ Int($0) }), let character = name.utf8.first {
                bytes += [UInt8](repeating: character, count: count)
            } else if name == "LENGTH" {
                bytes += match.0.utf8
            } else if name.count == 2, let byte = UInt8(name, radix: 16) {
                bytes.append(byte)
            } else if let value = values[String(name)] {
                bytes += value.utf8
            } else {
                throw RawConnection.Failure(message: "nothing to put into \(match.0)")
            }
            rest = rest[match.range.upperBound...]
        }
        return bytes + rest.utf8
    }

    /// How much of a request is shown.
    private static let shownMax = 400

    /// The beginning of the request in one line, for people.
    var shown: String {
        let line = request.unicodeScalars.map {
            $0.value < 0x20 ? $0.escaped(asASCII: true) : String($0)
        }.joined()
        let rest = line.count - Self.shownMax
        return rest > 0 ? "\(line.prefix(Self.shownMax))... (\(rest) more)" : line
    }
}

/// What became of a hostile request.
struct HostileOutcome {
    /// Nil when the connection was closed without one.
    let answer: RawAnswer?
    /// What came after the answer until the connection was closed.
    var rest: [UInt8] = []
    /// Whether the connection goes on: it answered one request more.
    var isKept = false

    init(_ row: HostileRow, port: Int, _ values: [String: String]) throws {
        let connection = try RawConnection(port: port)
        connection.write(try row.bytes(values))
        if row.ends { connection.finishWriting() }
        answer = try connection.readAnswer(isHead: row.request.hasPrefix("HEAD "))
        guard let answer else { return }
        if answer.header("connection")?.lowercased() == "close" {
            rest = try connection.readToEnd()
        } else {
            connection.write(Array("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            isKept = try connection.readAnswer()?.text == #"{"status":"ok"}"#
        }
    }

    /// All of it but the request's number, the date and the end of an hour.
    var transcript: String {
        guard let answer else { return "closed without an answer" }
        let lines = answer.lines.filter {
            !$0.hasPrefix("Date:") && !$0.hasPrefix("Request-Id:")
        }.map { $0.replacing(/^(Retry-After: )[0-9]{8}00000$/) { "\($0.1){MILLISECONDS}" } }
        let rest = Self.dateless(String(decoding: rest, as: UTF8.self))
        let body = Self.dateless(answer.text)
        return (lines + ["", body + (rest.isEmpty ? "" : "\n(and then) \(rest)")])
            .joined(separator: "\n") + "\n" + (isKept ? "(kept)" : "(closed)")
    }

    private static func dateless(_ text: String) -> String {
        text.replacing(/Date: [^\r]*\r\n/, with: "").replacing("\r\n", with: "\n")
    }
}
