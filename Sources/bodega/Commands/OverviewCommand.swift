import StoreModel
import StoreWire

/// `bodega overview`
enum OverviewCommand {
    static let command = Command(
        "overview", "a world at a glance: its clock, what it has, and what waits",
        Option.inWorld,
        details: """
            Production and the sandbox are counted apart. A count looks at 10,000 rows, the newest where
            it counts only some of them, and is printed as 10000+ where there may be more.
            """,
        examples: ["bodega overview", "bodega overview --world checkout-test --json"],
        run: { try $0.send("GET", "/overview", nil, text) })

    private static func text(_ body: OverviewBody) -> String {
        let facts = OperatorPage.lines([
            ("world", body.world.name), ("apps", "\(body.apps)"),
            (
                "clock",
                (body.clock.now.map { TimeWords.text($0) } ?? "")
                    + (body.clock.mode == .held ? ", held" : "")
            ),
        ])
        let rows: [(String, (EnvironmentOverviewBody) -> String)] = [
            ("accounts", { CountWords.text($0.accounts) }),
            ("devices", { CountWords.text($0.devices) }),
            ("transactions", { CountWords.text($0.transactions) }),
            ("subscriptions", { CountWords.text($0.subscriptions) }),
            ("refund requests, undecided", { CountWords.text($0.refundRequests) }),
            ("purchases awaiting approval", { CountWords.text($0.approvals) }),
            ("purchases interrupted", { CountWords.text($0.interruptions) }),
            ("purchases awaiting payment", { CountWords.text($0.payments) }),
            ("notifications, last attempt failed", { CountWords.text($0.failedNotifications) }),
        ]
        let table = Terminal.table(
            ["COUNT OF"] + body.environments.map { $0.environment.rawValue.uppercased() },
            rows.map { name, cell in [name] + body.environments.map(cell) })
        return "\(facts)\n\n\(table)"
    }
}
