import StoreWire

/// `bodega fault show|verify-receipt|clear`
enum FaultCommand {
    static let command = Command(
        help: """
            bodega fault: make the store answer wrongly, to see what clients do then

              bodega fault show
              bodega fault verify-receipt STATUS [--count N] [--retryable yes|no]
              bodega fault clear

            verify-receipt answers every receipt with STATUS: 21005, 21009, 21010, or 21100 to 21199,
            which say whether to try again. With --count so many requests are answered so, and those
            after them rightly. A fault ends when the store does.

            Options:
              --count N        so many requests; until it is cleared when not given
              --retryable R    yes or no, for 21100 to 21199
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega fault verify-receipt 21005 --count 3
              bodega fault verify-receipt 21100 --retryable yes
              bodega fault clear
            """,
        options: ControlClient.options.union(["count", "retryable"]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "show":
            _ = try arguments.words("show")
            try show(try ControlClient(arguments).send("GET", "/faults"), arguments)
        case "verify-receipt": try set(arguments)
        case "clear":
            _ = try arguments.words("clear")
            try show(
                try ControlClient(arguments).send(
                    "PUT", "/faults", FaultsBody(verifyReceipt: nil)), arguments)
        default: throw arguments.notOne(of: "show", "verify-receipt", "clear")
        }
    }

    private static func set(_ arguments: Arguments) throws {
        let word = try arguments.words("verify-receipt", "status")[1]
        guard let status = Int(word) else { throw UsageError("STATUS is a number, not \(word)") }
        let count = try arguments.value("count").map { text in
            guard let count = Int(text), count > 0 else {
                throw UsageError("--count is a whole number from 1, not \(text)")
            }
            return count
        }
        let isRetryable: Bool? =
            switch arguments.value("retryable") {
            case nil: nil
            case "yes"?: true
            case "no"?: false
            case let other?: throw UsageError("--retryable is yes or no, not \(other)")
            }
        let body = FaultsBody(
            verifyReceipt: ReceiptFaultBody(
                status: status, isRetryable: isRetryable, count: count))
        try show(try ControlClient(arguments).send("PUT", "/faults", body), arguments)
    }

    private static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        try Answer.show(answer, as: FaultsBody.self, arguments) { body in
            guard let fault = body.verifyReceipt else { return "no faults" }
            let span = fault.count.map { "for \($0) more requests" } ?? "until it is cleared"
            let retry = fault.isRetryable.map { " with is-retryable \($0)" } ?? ""
            return "verifyReceipt answers \(fault.status)\(retry) \(span)"
        }
    }
}
