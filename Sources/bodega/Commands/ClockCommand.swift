import Foundation
import StoreModel
import StoreWire

/// `bodega clock show|hold|run|advance|cancel|pace`
enum ClockCommand {
    static let command = Command(
        help: """
            bodega clock: a world's clock, which dates everything the store records

              bodega clock show
              bodega clock hold [TIME]      stands still, at TIME or now
              bodega clock run [TIME]       runs, from TIME or with the real clock
              bodega clock advance AMOUNT   moves on, such as 90s, 15m, 12h, 30d
              bodega clock advance TIME     moves on to TIME
              bodega clock cancel           ends an advance that another command began
              bodega clock pace [PACE]      how fast subscriptions renew; lists the paces without one

            TIME is UTC, as 2026-03-31 or 2026-03-31T12:00:00Z. A clock never goes back behind
            what happened to customers, such as a purchase. What is for sale does not hold it: a
            catalogue can be made ready first, and the clock be set to any date then.

            An advance ends when everything that was due until then has happened, in its order, and
            says what did. bodega clock cancel, in another
            terminal, ends it: the clock stays at what happened last.

            Options:
              --environment E  of a pace: production or sandbox (sandbox)
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega world make leap
              bodega clock pace calendar --world leap
              bodega clock hold 2028-01-31 --world leap
              bodega clock advance 29d --world leap
              bodega clock run --world leap
              bodega clock pace monthlyRenewalEveryFiveMinutes
            """,
        options: ControlClient.options.union(["environment"]), flags: ["json"]
    ) { arguments in
        let answer: [UInt8]
        switch arguments.positional.first {
        case "show":
            _ = try arguments.words("show")
            answer = try ControlClient(arguments).send("GET", "/clock")
        case "hold": answer = try set(.held, arguments)
        case "run": answer = try set(.real, arguments)
        case "advance": answer = try advance(arguments)
        case "cancel":
            _ = try arguments.words("cancel")
            answer = try ControlClient(arguments).send("DELETE", "/clock/advance")
        case "pace":
            guard let chosen = try pace(arguments) else { return }
            answer = chosen
        default:
            throw arguments.notOne(of: "show", "hold", "run", "advance", "cancel", "pace")
        }
        try show(answer, arguments)
    }

    private static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        try Answer.show(answer, as: ClockBody.self, arguments) { clock in
            let now = clock.now.map { CalendarDate($0).rfc3339 } ?? "unknown"
            let paces = [
                ("production", clock.paces?.production), ("sandbox", clock.paces?.sandbox),
            ]
            .compactMap { name, pace in pace.map { "\(name) \($0.rawValue)" } }
            return
                ([
                    "\(now), \(clock.mode == .held ? "held" : "running"), renewing: "
                        + paces.joined(separator: ", ")
                ] + (clock.advance.map { [text(of: $0)] } ?? [])).joined(separator: "\n")
        }
    }

    private static func text(of advance: ClockAdvanceBody) -> String {
        let what =
            "\(advance.renewals) renewals, \(advance.failedPayments) failed payments, "
            + "\(advance.endings) subscriptions ended"
        let way =
            "from \(CalendarDate(advance.from).rfc3339) to \(CalendarDate(advance.to).rfc3339)"
        return switch advance.state {
        case .running: "advancing \(way): \(what) so far"
        case .done: "advanced \(way): \(what)\(leftOut(of: advance))"
        case .cancelled: "advance \(way) cancelled: \(what) before"
        case .failed: "advance \(way) failed: \(advance.failure ?? "unknown"); \(what) before"
        }
    }

    /// What makes a clock that came to its end less than all that was due.
    private static func leftOut(of advance: ClockAdvanceBody) -> String {
        guard advance.leftOut > 0 else { return "" }
        let named = advance.leftOutSubscriptions.joined(separator: ", ")
        let more = advance.leftOut - Int64(advance.leftOutSubscriptions.count)
        return "\nleft out, since the store could not settle them (its log says why): \(named)"
            + (more > 0 ? " and \(more) more" : "")
    }

    private static func set(_ mode: ClockBody.Mode, _ arguments: Arguments) throws -> [UInt8] {
        try arguments.refuseMore(than: 2)
        let time = try arguments.positional.dropFirst().first.map {
            try TimeWords.moment($0, for: "TIME")
        }
        return try ControlClient(arguments).send("PUT", "/clock", ClockBody(mode: mode, now: time))
    }

    /// Waits for the end, telling how far it is.
    private static func advance(_ arguments: Arguments) throws -> [UInt8] {
        let word = try arguments.words("advance", "amount")[1]
        let body =
            word.contains("-")
            ? AdvanceClockBody(to: try TimeWords.moment(word, for: "TIME"))
            : AdvanceClockBody(milliseconds: try TimeWords.milliseconds(word, for: "AMOUNT"))
        let client = try ControlClient(arguments)
        var answer = try client.send("POST", "/clock/advance", body)
        let begun = try WireJSON.decode(ClockBody.self, from: answer).advance?.number
        while true {
            let advance = try WireJSON.decode(ClockBody.self, from: answer).advance
            guard let advance, advance.state == .running, advance.number == begun else { break }
            let clock = try WireJSON.decode(ClockBody.self, from: answer)
            Terminal.progress(
                "\(clock.now.map { CalendarDate($0).rfc3339 } ?? ""), "
                    + "\(advance.renewals) renewals")
            Thread.sleep(forTimeInterval: 1)
            answer = try client.send("GET", "/clock")
        }
        Terminal.progress("")
        if let advance = try WireJSON.decode(ClockBody.self, from: answer).advance,
            advance.number == begun, advance.state != .done
        {
            throw Failure(text(of: advance))
        }
        return answer
    }

    /// Nil when the paces were listed.
    private static func pace(_ arguments: Arguments) throws -> [UInt8]? {
        try arguments.refuseMore(than: 2)
        let known = RenewalPace.allCases.map(\.rawValue)
        guard let word = arguments.positional.dropFirst().first else {
            Terminal.print(known.joined(separator: "\n"))
            return nil
        }
        guard let pace = RenewalPace(rawValue: word) else {
            throw UsageError("there is no pace \"\(word)\"; bodega clock pace lists them")
        }
        let body =
            switch try arguments.environment() {
            case .sandbox: PacesBody(production: nil, sandbox: pace)
            case .production: PacesBody(production: pace, sandbox: nil)
            }
        return try ControlClient(arguments).send("PUT", "/clock/pace", body)
    }
}
