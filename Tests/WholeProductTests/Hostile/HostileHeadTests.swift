import TestSupport
import Testing

/// Request lines and headers that are wrong, strange or too long, at store and backend.
///
/// One test for each server and not one for each row: a row takes milliseconds, a server seconds.
@Suite(.ownThreads) struct HostileHeadTests {
    @Test func `the store's answers to hostile request heads match the golden file`() throws {
        let hostile = try HostileLab()
        try expectGolden(
            try hostile.transcript(
                of: Self.lines + Self.paths + Self.storePaths + Self.fields,
                port: hostile.lab.storePort, database: hostile.lab.storeFile),
            "hostile-heads-store")
        try expectGolden(
            try hostile.transcript(
                of: Self.lines + Self.paths + Self.fields, port: hostile.lab.backendPort,
                database: hostile.lab.backendData + "/backend.sqlite"), "hostile-heads-backend")
    }

    @Test func `the store's answers to hostile request heads are the same over TLS`() throws {
        let hostile = try HostileLab(storeOptions: Lab.withTLS)
        let relay = try hostile.lab.startTLSRelay()
        try expectGolden(
            try hostile.transcript(
                of: Self.lines + Self.paths + Self.storePaths + Self.fields, port: relay.port,
                database: hostile.lab.storeFile), "hostile-heads-store")
    }

    private static func line(_ name: String, _ line: String) -> HostileRow {
        HostileRow(name, "\(line)\r\nHost: a\r\n\r\n")
    }

    private static func field(_ name: String, _ field: String) -> HostileRow {
        HostileRow(name, "GET /health HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
    }

    static let lines = [
        line("a method that is no token", "G@T /health HTTP/1.1"),
        line("a method of 100 letters", "{a100} /nowhere HTTP/1.1"),
        line("two blanks after the method", "GET  /health HTTP/1.1"),
        line("a blank in the path", "GET /health x HTTP/1.1"),
        line("tabs for blanks", "GET\t/health\tHTTP/1.1"),
        line("no version", "GET /health"),
        line("HTTP/0.9", "GET /health HTTP/0.9"),
        line("HTTP/2.0", "GET /health HTTP/2.0"),
        line("HTTP/1.10", "GET /health HTTP/1.10"),
        line("small letters in the version", "GET /health http/1.1"),
        line("HTTP/2's preface", "PRI * HTTP/2.0"),
        line("a NUL in the method", "G{00}ET /health HTTP/1.1"),
        line("a NUL in the path", "GET /health{00}x HTTP/1.1"),
        line("a NUL in the version", "GET /health HTTP/1.1{00}"),
        line("a bare CR in the request line", "GET /health\rHTTP/1.1"),
        line("a proxy's method", "CONNECT a:80 HTTP/1.1"),
        line("an absolute address", "GET http://a/health HTTP/1.1"),
        line("an absolute address of another host", "GET http://b/health HTTP/1.1"),
        line("an address without a slash", "GET health HTTP/1.1"),
        line("a star", "OPTIONS * HTTP/1.1"),
        line("a path of 40,000 letters", "GET /{a40000} HTTP/1.1"),
        HostileRow("the greeting of TLS", "{16}{03}{01}{02}{00}{01}{00}", ends: true),
        HostileRow("a word", "hello\r\n\r\n"),
        HostileRow("half a head", "GET /health HTTP/1.1\r\nHost: a\r\n", ends: true),
        HostileRow("half a line", "GET /hea", ends: true),
    ]

    static let paths = [
        line("a slash encoded", "GET /v1%2fproducts HTTP/1.1"),
        line("a slash encoded twice", "GET /v1%252fproducts HTTP/1.1"),
        line("dots", "GET /v1/../health HTTP/1.1"),
        line("one dot", "GET /./health HTTP/1.1"),
        line("dots encoded", "GET /v1/%2e%2e/health HTTP/1.1"),
        line("dots half encoded", "GET /v1/.%2E/health HTTP/1.1"),
        line("dots encoded twice", "GET /v1/%252e%252e/health HTTP/1.1"),
        line("dots behind a backslash", "GET /v1\\..\\health HTTP/1.1"),
        line("two slashes", "GET //health HTTP/1.1"),
        line("a slash at the end", "GET /health/ HTTP/1.1"),
        line("a path's parameter", "GET /health;x=1 HTTP/1.1"),
        line("a NUL encoded", "GET /health%00 HTTP/1.1"),
        line("a line break encoded", "GET /health%0d%0aX:%20y HTTP/1.1"),
        line("an escape cut off", "GET /health%2 HTTP/1.1"),
        line("an escape that is none", "GET /health%zz HTTP/1.1"),
        line("a slash in overlong UTF-8", "GET /v1%c0%afproducts HTTP/1.1"),
        line("a dot in overlong UTF-8", "GET /v1/%c0%ae%c0%ae/health HTTP/1.1"),
        line("half a surrogate", "GET /%ed%a0%80 HTTP/1.1"),
        line("a byte above ASCII", "GET /health{FF} HTTP/1.1"),
        line("a fragment", "GET /health#x HTTP/1.1"),
        line("a query that is broken", "GET /health?a=%0 HTTP/1.1"),
    ]

    static let storePaths = [
        line("control behind dots", "GET /sandbox/../control/v1/accounts HTTP/1.1"),
        line("control behind an encoded slash", "GET /control%2fv1%2faccounts HTTP/1.1"),
        line("control in capitals", "GET /CONTROL/v1/accounts HTTP/1.1"),
        line("control with a letter encoded", "GET /%63ontrol/v1/accounts HTTP/1.1"),
        line("control below an environment", "GET /sandbox/control/v1/accounts HTTP/1.1"),
        line("control of another world", "GET /t/other/control/v1/accounts HTTP/1.1"),
        line("the worlds below a world", "GET /t/other/control/v1/worlds HTTP/1.1"),
        line("the default world as a session", "GET /t/default/sandbox/verifyReceipt HTTP/1.1"),
        line("a world named by dots", "GET /t/..%2fother/sandbox/verifyReceipt HTTP/1.1"),
        line("a world that is none", "GET /t/nowhere/sandbox/verifyReceipt HTTP/1.1"),
        line("an environment that is none", "GET /Sandbox/verifyReceipt HTTP/1.1"),
        line("dots behind the responder", "GET /sandbox/ocsp/../..//%2e%2e%2F{a100} HTTP/1.1"),
        line("a NUL behind the responder", "GET /sandbox/ocsp/{a100}%00 HTTP/1.1"),
        line("dots before the responder", "GET /sandbox/../ocsp/{a100} HTTP/1.1"),
    ]

    static let fields = [
        HostileRow("no host", "GET /health HTTP/1.1\r\n\r\n"),
        HostileRow("no host in HTTP/1.2", "GET /health HTTP/1.2\r\nX: y\r\n\r\n"),
        field("a second host", "Host: b"),
        field("a second host that is the same", "host: a"),
        field("two authorizations", "Authorization: Bearer x\r\nAuthorization: Bearer y"),
        field("two content types", "Content-Type: a/b\r\nContent-Type: c/d"),
        field("a blank before the colon", "X : y"),
        field("no colon", "X"),
        field("no name", ": y"),
        field("a blank in a name", "X Y: z"),
        field("a letter above ASCII in a name", "X{E9}: y"),
        field("a NUL in a name", "X{00}: y"),
        field("a NUL in a value", "X: y{00}z"),
        field("a NUL before a value", "X: {00}y"),
        field("a NUL in a value that is not the last", "X: y{00}z\r\nY: z"),
        field("a control byte in a value", "X: y{01}z"),
        field("a bare CR in a value", "X: y\rY: z"),
        field("a bare LF in a value", "X: y\nY: z"),
        field("a folded line", "X: y\r\n z"),
        field("a folded line with a tab", "X: y\r\n\tz"),
        field("a folded line that names a field", "X: y\r\n Authorization: Bearer z"),
        HostileRow(
            "a folded line at the start", "GET /health HTTP/1.1\r\n Host: b\r\nHost: a\r\n\r\n"),
        HostileRow("bare LF everywhere", "GET /health HTTP/1.1\nHost: a\n\n"),
        HostileRow("a bare LF after the request line", "GET /health HTTP/1.1\nHost: a\r\n\r\n"),
        HostileRow("a bare LF for the empty line", "GET /health HTTP/1.1\r\nHost: a\r\n\n"),
        HostileRow("two CR before an LF", "GET /health HTTP/1.1\r\nHost: a\r\r\n\r\n"),
        field("a value of 40,000 letters", "X: {a40000}"),
        field("a name of 40,000 letters", "{a40000}: y"),
        HostileRow(
            "2,000 fields",
            "GET /health HTTP/1.1\r\nHost: a\r\n"
                + (0..<2_000).map { "X\($0): y\r\n" }.joined() + "\r\n"),
        HostileRow(
            "100 fields, which are not too many",
            "GET /health HTTP/1.1\r\nHost: a\r\n"
                + (0..<100).map { "X\($0): y\r\n" }.joined() + "\r\n"),
        field("an expectation that is none", "Expect: miracles"),
        field("an upgrade", "Connection: Upgrade\r\nUpgrade: h2c"),
    ]
}
