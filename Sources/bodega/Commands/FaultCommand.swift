import StoreWire

/// `bodega fault`
enum FaultCommand {
    static let command = Command(
        group: "fault", "make the store answer wrongly, to test its clients",
        shared: Option.inWorld,
        details: """
            STATUS is 21005, 21009, 21010, or 21100 to 21199, which say whether to try again. With
            --count the fault applies to that many requests, and later ones are answered correctly.
            A fault ends when the store stops.
            """,
        examples: [
            "bodega fault verify-receipt 21005 --count 3",
            "bodega fault verify-receipt 21100 --retryable yes", "bodega fault clear",
        ],
        commands: [
            Command("show", "the current fault") { try $0.send("GET", "/faults", nil, text) },
            Command(
                "verify-receipt STATUS", "answer every receipt with STATUS",
                [
                    Option("count", "N", "how many requests; without it, until cleared"),
                    Option(
                        "retryable", "R", "yes or no, for 21100 to 21199", choices: ["yes", "no"]),
                ], run: set),
            Command("clear", "answer correctly again") {
                try $0.send("PUT", "/faults", FaultsBody(verifyReceipt: nil), text)
            },
        ])

    private static func set(_ arguments: Arguments) throws {
        guard let status = Int(arguments["STATUS"]) else {
            throw UsageError("STATUS must be a number, not \(arguments["STATUS"])")
        }
        let body = FaultsBody(
            verifyReceipt: ReceiptFaultBody(
                status: status, isRetryable: arguments.value("retryable").map { $0 == "yes" },
                count: try arguments.count("count").map { Int($0) }))
        try arguments.send("PUT", "/faults", body, text)
    }

    private static func text(of body: FaultsBody) -> String {
        guard let fault = body.verifyReceipt else { return "no faults" }
        let span = fault.count.map { "for \($0) more requests" } ?? "until it is cleared"
        let retry = fault.isRetryable.map { " with is-retryable \($0)" } ?? ""
        return "verifyReceipt answers \(fault.status)\(retry) \(span)"
    }
}
