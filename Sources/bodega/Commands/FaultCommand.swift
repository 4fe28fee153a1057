import StoreModel
import StoreWire

/// `bodega fault`
enum FaultCommand {
    static let command = Command(
        group: "fault", "make the store answer wrongly, to test its clients",
        shared: Option.inWorld,
        details: """
            STATUS is 21005, 21009, 21010, or 21100 to 21199, which say whether to try again. With
            --count that many requests meet the fault, and later ones are answered correctly; with
            --percentage some do, always the same ones for the same --seed.
            A fault replaces the one at the same place; all end when the store stops.

            PATH is an address below the environment, as the OpenAPI document writes it or with real
            values; for clear, it is also verify-receipt, for the status of receipts. CODE is an error of
            the App Store Server API, such as 5000001. With --delay alone the answer is as usual, but
            late.
            """,
        examples: [
            "bodega fault verify-receipt 21005 --count 3",
            "bodega fault verify-receipt 21100 --retryable yes",
            "bodega fault request /inApps/v1/transactions/{transactionId} --error 5000001 --count 2",
            "bodega fault request /verifyReceipt --delay 5s",
            "bodega fault request /device/v1/attempts --break",
            "bodega fault request /device/v1/attempts --status 503 --percentage 20 --seed 7",
            "bodega fault clear /device/v1/attempts", "bodega fault clear",
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
            Command(
                "request PATH", "answer requests to PATH with an error, late, or not at all",
                [
                    environment("sandbox or production; both when absent"),
                    Option("status", "N", "an HTTP status from 400 to 599"),
                    Option("error", "CODE", "an error of the App Store Server API"),
                    Option("break", "close the connection without an answer"),
                    Option("delay", "AMOUNT", "how long until then, as 90s, at most 60s"),
                    Option("count", "N", "how many requests; without it, until cleared"),
                    Option("percentage", "N", "how many requests in a hundred; all when absent"),
                    Option("seed", "N", "decides which ones; 0 when absent"),
                ], run: request),
            Command(
                "clear [PATH]", "answer correctly again, at PATH or everywhere",
                [environment("that of the fault; a fault of both when absent")], run: clear),
        ])

    private static func set(_ arguments: Arguments) throws {
        guard let status = Int(arguments["STATUS"]) else {
            throw UsageError("STATUS must be a number, not \(arguments["STATUS"])")
        }
        let body = ReceiptFaultBody(
            status: status, isRetryable: arguments.value("retryable").map { $0 == "yes" },
            count: try arguments.count("count").map { Int($0) })
        try arguments.send("PUT", "/faults/verify-receipt", body, text)
    }

    private static func request(_ arguments: Arguments) throws {
        func number<Number: FixedWidthInteger>(_ name: String) throws -> Number? {
            try arguments.value(name).map { text in
                guard let number = Number(text) else {
                    throw UsageError("--\(name) must be a number, not \(text)")
                }
                return number
            }
        }
        var fault = RequestFaultBody(path: arguments["PATH"])
        fault.environment = arguments.choice("environment")
        fault.status = try number("status")
        fault.errorCode = try number("error")
        if arguments.has("break") { fault.breaks = true }
        fault.delayMilliseconds = try arguments.value("delay").map {
            Int(try TimeWords.milliseconds($0, for: "--delay"))
        }
        fault.count = try arguments.count("count").map { Int($0) }
        fault.percentage = try number("percentage")
        fault.seed = try number("seed")
        try arguments.send("PUT", "/faults/requests", fault, text)
    }

    private static func clear(_ arguments: Arguments) throws {
        let environment = arguments.value("environment")
        guard let path = arguments.word("PATH") else {
            guard environment == nil else {
                throw UsageError("--environment is that of one fault: give its PATH, too")
            }
            return try arguments.send("PUT", "/faults", FaultsBody(verifyReceipt: nil), text)
        }
        if path == "verify-receipt" {
            guard environment == nil else {
                throw UsageError("the fault of verify-receipt has no --environment: it is of both")
            }
            return try arguments.send("DELETE", "/faults/verify-receipt", nil, text)
        }
        let place = environment.map { "&environment=\($0)" } ?? ""
        try arguments.send(
            "DELETE", "/faults/requests?path=\(ServerClient.escaped(path))\(place)", nil, text)
    }

    private static func environment(_ help: String) -> Option {
        Option("environment", "E", help, choices: ["sandbox", "production"])
    }

    private static func text(of body: FaultsBody) -> String {
        let lines = [receipts(body)].compactMap(\.self) + (body.requests ?? []).map(line)
        return lines.isEmpty ? "no faults" : lines.joined(separator: "\n")
    }

    private static func line(_ fault: RequestFaultBody) -> String {
        let delay = fault.delayMilliseconds.map { " after \($0) ms" } ?? ""
        let what =
            if let status = fault.status {
                "answers \(status)"
            } else if let code = fault.errorCode {
                "answers the error \(code)"
            } else if fault.breaks == true {
                "breaks the connection"
            } else {
                "answers as usual"
            }
        let some =
            fault.percentage.map { " to \($0) % of requests (seed \(fault.seed ?? 0))" } ?? ""
        let more = some.isEmpty ? "for %d more requests" : "until %d more have met it"
        let span =
            fault.count.map { more.replacing("%d", with: "\($0)") } ?? "until it is cleared"
        return "\(fault.environment?.rawValue ?? "") \(fault.path) \(what)\(delay)\(some) \(span)"
    }

    private static func receipts(_ body: FaultsBody) -> String? {
        guard let fault = body.verifyReceipt else { return nil }
        let span = fault.count.map { "for \($0) more requests" } ?? "until it is cleared"
        let retry = fault.isRetryable.map { " with is-retryable \($0)" } ?? ""
        return "verifyReceipt answers \(fault.status)\(retry) \(span)"
    }
}
