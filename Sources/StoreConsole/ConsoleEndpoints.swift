import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

/// A server with a console.
package protocol ConsoleContext: ServiceContext {
    var consoleSessions: ConsoleSessions { get }
    var consoleFiles: ConsoleFiles { get }
}

/// Sessions of a server's console, at `/console/v1`.
package enum ConsoleEndpoints<Context: ConsoleContext> {
    /// `token` names the owner's token in sentences, `code` its refusal.
    package static func all(openedBy token: String, refusedAs code: String) -> [Endpoint<Context>] {
        let wrong: RefusalText = "`\(code)`: the \(token) is missing or wrong."
        return [
            Endpoint(
                "POST", "/console/v1/codes", "makeConsoleCode",
                "Make a code that begins a session of the console, once",
                about: """
                    Requires the \(token). The code is good for \
                    \(ConsoleSessions.codeLastsMilliseconds / 1_000) seconds.
                    """,
                body: RequestBody(example: ["isReadOnly": true], isRequired: false),
                answers: ["The code."], refuses: [401: wrong],
                .now(makeCode)
            ),
            Endpoint(
                "POST", "/console/v1/sessions", "openConsole",
                "Begin a session of the console, with a code or with the \(token)",
                about: """
                    It lasts \(ConsoleSessions.lastsMilliseconds / 3_600_000) hours, and \
                    \(ConsoleSessions.idleMillisecondsMax / 60_000) minutes without use. Requests with \
                    `wait` or the header `\(ConsoleSessions.unattendedHeader)` do not count as use. A \
                    restart ends all sessions.
                    """,
                body: RequestBody(
                    example: ["code": "XlYg2kPpBEjMtVFrEzdRJMFlcGkAvrjDpsVUVPeqxkg"],
                    mustBeDeclared: true),
                answers: ["The session, to be sent as a bearer token."],
                refuses: [
                    401: """
                    `codeUnknown`: the code was used, or is too old. `\(code)`: it is not the \(token).
                    """,
                    422: "`badField`: neither or both of code and token are given.",
                    429: """
                    `tooManyGuesses`: \(ConsoleSessions.wrongTokensPerMinuteMax) wrong tokens were sent \
                    within a minute.
                    """,
                ],
                .now(open)
            ),
            Endpoint(
                "GET", "/console/v1/session", "getConsoleSession",
                "The session that the request carries",
                about: "Asking does not count as use.",
                answers: ["The session."], refuses: [401: ended],
                .now { call in
                    guard
                        let session = call.consoleSessions.session(of: call.request, isUse: false)
                    else { throw Refusal.sessionEnded }
                    return session
                }
            ),
            Endpoint(
                "DELETE", "/console/v1/session", "closeConsole",
                "End the session that the request carries",
                answers: [Answer(204, "Ended.")], refuses: [401: ended],
                .now { call in
                    guard call.consoleSessions.end(call.request) else {
                        throw Refusal.sessionEnded
                    }
                    return HTTPResponse(status: 204)
                }
            ),
        ]
    }

    @Sendable
    private static func makeCode(
        _ call: Call<Context>, _ body: MakeConsoleCodeBody?
    ) throws -> ConsoleCodeBody {
        try call.consoleSessions.makeCode(call.request, isReadOnly: body?.isReadOnly ?? false)
    }

    @Sendable
    private static func open(
        _ call: Call<Context>, _ body: OpenConsoleBody
    ) throws -> OpenedConsoleBody {
        try call.consoleSessions.open(body)
    }

    private static var ended: RefusalText {
        "`sessionEnded`: the request carries no session that is still good."
    }

    /// The addresses of the pages, which are in no document: browsers find them by themselves.
    package static var files: [Endpoint<Context>] {
        [
            Endpoint(
                "GET", "/console", "getConsole", "The console's page", takesSlash: true,
                answers: [Answer(200, "The page.", .bytes("text/html"))],
                .now { call in
                    // Addresses in the page are relative to a folder.
                    guard call.request.path.hasSuffix("/") else {
                        return HTTPResponse(
                            status: 308, headers: HTTPHeaders([("Location", "/console/")]))
                    }
                    // Before anybody signs in, the page has to know which token to ask for.
                    var answer = try call.consoleFiles.answer(call.request, ConsoleFiles.page)
                    answer.headers.add("Console-Server", call.consoleSessions.server.rawValue)
                    return answer
                }
            ),
            file("/console/:file") { $0["file"] },
            file("/console/:folder/:file") { "\($0["folder"])/\($0["file"])" },
        ]
    }

    private static func file(
        _ path: String, _ name: @escaping @Sendable (Call<Context>) -> String
    ) -> Endpoint<Context> {
        Endpoint(
            "GET", path, "getConsoleFile", "A file of the console",
            answers: [Answer(200, "The file.", .bytes("text/javascript"))],
            .now { call in try call.consoleFiles.answer(call.request, name(call)) }
        )
    }
}

extension Refusal {
    fileprivate static let sessionEnded = Refusal(
        401, "sessionEnded", "This session of the console has ended: sign in again.")
}

extension ConsoleCodeBody: Described {
    package static let notes: Notes = [
        "path": "The console's, with the code in the fragment, which browsers send to nobody.",
        "expiresAt": "By the real clock.",
    ]
}

extension OpenConsoleBody: Described {
    package static let notes: Notes = [
        "": ["oneOf": [["required": ["code"]], ["required": ["token"]]]],
        "token": "The server's own.",
        "isReadOnly": "A session that can change nothing. One of a read-only code always is.",
    ]
}

extension OpenedConsoleBody: Described {
    package static let notes: Notes = [
        "session": "Shown only once.",
        "expiresAt": "By the real clock, unless it is not used.",
        "idleSeconds": "How long it lasts without use.",
    ]
}

extension ConsoleSessionBody: Described {
    package static let notes: Notes = [
        "expiresAt": "By the real clock, unless it is not used.",
        "idleSeconds": "How long it lasts without use.",
    ]
}
