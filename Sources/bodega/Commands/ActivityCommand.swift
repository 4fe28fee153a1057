import StoreLog
import StoreModel
import StoreWire

/// `bodega activity`
enum ActivityCommand {
    static let command = Command(
        group: "activity", "the latest requests to the world, with their answers",
        shared: Option.inWorld,
        details: """
            The store keeps its latest 2,000 requests in memory, without secrets, unless it has a
            payment gateway (see --inspector) or was started with --no-inspector. The oldest comes
            first. With --follow, the command goes on with each request as it is answered, until it is
            interrupted; with --json it then prints an object per line.
            """,
        examples: [
            "bodega activity list --limit 20", "bodega activity list --limit 5 --follow",
            "bodega activity list --status refused",
            "bodega activity list --account buyer@example.com --json",
            "bodega activity list --search verifyReceipt", "bodega activity show 12",
        ],
        commands: [
            Command(
                "list", "the requests, oldest first",
                [
                    .ofAccount,
                    Option(
                        "environment", "E", "only those of sandbox or production",
                        choices: ["sandbox", "production"]),
                    Option("status", "S", "only those that were refused, or have this status"),
                    Option("search", "TEXT", "only those with this in path, code or request id"),
                    .newest,
                    Option("after", "NUMBER", "only those after the request with this number"),
                    Option("follow", "go on with what is asked from then on"),
                ], run: list),
            Command("show NUMBER", "one request: headers, bodies, and its lines of the log") {
                try $0.send("GET", "/activity/\(try $0.number())") { text($0) }
            },
        ])

    private static let pageMax: Int64 = 500
    private static let header = [
        "NUMBER", "AT", "STATUS", "CODE", "METHOD", "PATH", "MS", "ACCOUNT", "APP",
    ]

    private static func list(_ arguments: Arguments) throws {
        let (requests, last) = try found(arguments)
        guard arguments.has("follow") else {
            let whole = ActivitiesBody(
                requests: requests, list: last?.list ?? "", next: nil,
                position: last?.position ?? 0, first: last?.first ?? 1)
            return try arguments.show(try WireJSON.encode(whole)) { (body: ActivitiesBody) in
                Terminal.table(header, body.requests.map(cells))
            }
        }
        if arguments.has("json") {
            for request in requests { try show(request, arguments) }
        } else {
            Terminal.print(Terminal.table(header, requests.map(cells)))
        }
        try follow(arguments, after: last)
    }

    /// The requests to begin with, oldest first, and the page that tells where to go on.
    private static func found(
        _ arguments: Arguments
    ) throws -> ([ActivityEntryBody], ActivitiesBody?) {
        guard let after = try arguments.count("after") else {
            let isCut = arguments.value("limit") != nil
            let pages = try arguments.pages(
                "/activity", query: query(arguments) + (isCut ? "&order=newest" : ""),
                pageMax: pageMax, { (page: ActivitiesBody) in page.requests }, \.next)
            let requests = try arguments.rows(of: pages, \.requests)
            // The newest first, each page tells the newest of all: the first was read before.
            return (isCut ? requests.reversed() : requests, isCut ? pages.first : pages.last)
        }
        guard arguments.value("limit") == nil else {
            throw UsageError("--after and --limit begin at different requests: leave one out")
        }
        let pages = try ControlClient(arguments).pages(
            ActivitiesBody.self, "/activity", after: "\(after)", query: query(arguments),
            next: \.next)
        return (pages.flatMap(\.requests), pages.last)
    }

    /// Prints requests as they are answered, for as long as the store answers.
    private static func follow(_ arguments: Arguments, after last: ActivitiesBody?) throws {
        try ControlClient(arguments).follow(
            "/activity", query: query(arguments), after: last,
            ifReplaced: "the world was replaced; its requests follow from the start"
        ) { page, position in
            if position > 0, page.first > position + 1, page.position > position {
                let missed = page.first - 1 - position
                Terminal.note("bodega: \(missed) of the requests were not kept any longer")
            }
            for request in page.requests { try show(request, arguments) }
        }
    }

    private static func query(_ arguments: Arguments) -> String {
        arguments.query([
            "account": arguments.value("account"), "environment": arguments.value("environment"),
            "status": arguments.value("status"), "search": arguments.value("search"),
        ])
    }

    private static func show(_ request: ActivityEntryBody, _ arguments: Arguments) throws {
        guard !arguments.has("json") else {
            return Terminal.print(
                String(decoding: try WireJSON.encode(request), as: UTF8.self), as: .json)
        }
        Terminal.print(cells(request).joined(separator: "  "))
    }

    private static func cells(_ request: ActivityEntryBody) -> [String] {
        [
            "\(request.number)", TimeWords.text(request.at), "\(request.status)",
            request.code ?? "-", request.method, request.path, milliseconds(request),
            request.account ?? "-", request.bundleId ?? "-",
        ]
    }

    private static func milliseconds(_ request: ActivityEntryBody) -> String {
        let tenths = (request.microseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func text(_ body: ActivityDetailsBody) -> String {
        let entry = body.entry
        var parts = [
            OperatorPage.lines([
                ("request", "\(entry.number)"), ("request id", entry.request),
                ("at", TimeWords.text(entry.at)), ("method", entry.method), ("path", entry.path),
                ("query", body.query ?? ""), ("environment", entry.environment?.rawValue ?? ""),
                ("status", "\(entry.status)"), ("code", entry.code ?? ""), ("why", entry.why ?? ""),
                ("ms", milliseconds(entry)), ("account", entry.account ?? ""),
                ("device", entry.device.map { "\($0)" } ?? ""), ("app", entry.bundleId ?? ""),
            ])
        ]
        if !body.headers.isEmpty {
            parts.append(body.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
        }
        if let sent = body.requestBody { parts.append(text("request body", sent)) }
        if let answer = body.answerBody { parts.append(text("answer body", answer)) }
        if !body.lines.isEmpty {
            parts.append(
                body.lines.map { line in
                    let fields = line.fields.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
                    return ([line.level, line.event] + fields).joined(separator: "  ")
                }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    private static func text(_ name: String, _ body: ActivityPayloadBody) -> String {
        let digest = body.sha256.map { ", SHA-256 \($0)" } ?? ""
        let cut = body.isCut && body.text != nil ? ", cut" : ""
        let title = "\(name) (\(body.bytes) bytes\(digest)\(cut))"
        return body.text.map { "\(title)\n\($0)" } ?? title
    }
}
