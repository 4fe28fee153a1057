import StoreLog
import StoreModel
import StoreWire

/// `bodega event`
enum EventCommand {
    static let command = Command(
        group: "event", "what happened in the world: purchases, renewals, refunds and more",
        shared: Option.inWorld,
        details: """
            The oldest event comes first. With --follow, the command goes on with each event as it
            happens, until it is interrupted; with --json it then prints an object per line.
            """,
        examples: [
            "bodega event list --limit 20", "bodega event list --limit 5 --follow",
            "bodega event list --account buyer@example.com --json",
            "bodega event list --after 120 --bundle-id com.example.rocketcar",
            "bodega event list --kind refundRequested --follow",
            "bodega event show 12",
        ],
        commands: [
            Command(
                "list", "the history, oldest event first",
                Option.ofOwner + [
                    Option("kind", "K", "only those of this kind, such as refundRequested"),
                    .newest,
                    Option("after", "NUMBER", "only those after the event with this number"),
                    Option("follow", "go on with what happens from then on"),
                ], run: list),
            Command("show NUMBER", "one event, and its transaction as that is now") {
                try $0.send("GET", "/events/\(try $0.number())") { (body: EventDetailsBody) in
                    let sale = body.transaction.map { SalePages.facts($0) } ?? []
                    let known: Set = ["transaction", "environment", "account", "app"]
                    return OperatorPage.lines(
                        facts(body.event) + sale.filter { !known.contains($0.0) })
                }
            },
        ])

    private static let header = [
        "NUMBER", "AT", "KIND", "ACCOUNT", "APP", "PRODUCT", "TRANSACTION", "SUBJECT",
    ]

    private static func list(_ arguments: Arguments) throws {
        let (events, last) = try found(arguments)
        guard arguments.has("follow") else {
            let whole = EventsBody(
                events: events, list: last?.list ?? "", next: nil, position: last?.position ?? 0)
            return try arguments.show(try WireJSON.encode(whole)) { (body: EventsBody) in
                Terminal.table(header, body.events.map(cells))
            }
        }
        if arguments.has("json") {
            for event in events { try show(event, arguments) }
        } else {
            Terminal.print(Terminal.table(header, events.map(cells)))
        }
        try follow(arguments, after: last)
    }

    /// The events to begin with, oldest first, and the page that tells where to go on.
    private static func found(_ arguments: Arguments) throws -> ([EventBody], EventsBody?) {
        guard let after = try arguments.count("after") else {
            let isCut = arguments.value("limit") != nil
            let order = isCut ? "&order=newest" : ""
            let pages = try arguments.pages(
                "/events", query: query(arguments) + order, pageMax: 200,
                { (page: EventsBody) in page.events }, \.next)
            let events = try arguments.rows(of: pages, \.events)
            // The newest first, each page tells the newest of all: the first was read before.
            return (isCut ? events.reversed() : events, isCut ? pages.first : pages.last)
        }
        guard arguments.value("limit") == nil else {
            throw UsageError("--after and --limit begin at different events: leave one out")
        }
        let pages = try ControlClient(arguments).pages(
            EventsBody.self, "/events", after: "\(after)", query: query(arguments),
            next: \.next)
        return (pages.flatMap(\.events), pages.last)
    }

    /// Prints events as they happen, for as long as the store answers.
    private static func follow(_ arguments: Arguments, after last: EventsBody?) throws {
        try ControlClient(arguments).follow(
            "/events", query: query(arguments), after: last,
            ifReplaced: "the world was replaced; its history follows from the start"
        ) { page, _ in
            for event in page.events { try show(event, arguments) }
        }
    }

    private static func query(_ arguments: Arguments) -> String {
        arguments.ownerQuery + arguments.query(["kind": arguments.value("kind")])
    }

    private static func show(_ event: EventBody, _ arguments: Arguments) throws {
        guard !arguments.has("json") else {
            return Terminal.print(
                String(decoding: try WireJSON.encode(event), as: UTF8.self), as: .json)
        }
        Terminal.print(cells(event).joined(separator: "  "))
    }

    private static func cells(_ event: EventBody) -> [String] {
        [
            "\(event.number)", TimeWords.text(event.at), event.kind, event.account, event.bundleId,
            event.productId ?? "-", event.transactionId ?? "-", event.subject ?? "-",
        ]
    }

    private static func facts(_ event: EventBody) -> [(String, String)] {
        [
            ("event", "\(event.number)"), ("kind", event.kind), ("at", TimeWords.text(event.at)),
            ("environment", event.environment.rawValue), ("account", event.account),
            ("app", event.bundleId), ("transaction", event.transactionId ?? ""),
            ("subject", event.subject ?? ""),
        ]
    }
}
