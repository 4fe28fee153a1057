import Foundation
import StoreModel
import StoreWire

/// `bodega clock`
enum ClockCommand {
    static let command = Command(
        group: "clock", "a world's clock, which dates everything the store records",
        shared: Option.inWorld,
        details: """
            TIME is UTC, as 2026-03-31 or 2026-03-31T12:00:00Z. A clock never goes back behind an
            event of a customer, such as a purchase. A catalogue does not hold it back: prepare that
            first, then set the clock to any date.

            hold, run and advance end when everything due until then has happened, in order, and
            report it. bodega clock cancel, in another terminal, ends an advance: the clock stays at
            the last event.
            """,
        examples: [
            "bodega world make leap", "bodega clock pace calendar --world leap",
            "bodega clock hold 2028-01-31 --world leap", "bodega clock advance 29d --world leap",
            "bodega clock run --world leap", "bodega clock pace monthlyRenewalEveryFiveMinutes",
        ],
        commands: [
            Command("show", "the time, the paces and the last advance") {
                try show(try ControlClient($0).send("GET", "/clock"), $0, withAdvance: true)
            },
            Command("hold [TIME]", "stand still, at TIME or now") { try set(.held, $0) },
            Command("run [TIME]", "run, from TIME or with the real clock") { try set(.real, $0) },
            Command(
                "advance AMOUNT|TIME", "move forward by 90s, 15m, 12h or 30d, or to TIME",
                [Option("notified", "also wait until every notification that is due was attempted")]
            ) {
                let answer = try advance($0)
                if $0.has("notified") { try settle($0) }
                try show(answer, $0, withAdvance: true)
            },
            Command("cancel", "end an advance that another command began") {
                let answer = try ControlClient($0).send("DELETE", "/clock/advance")
                try show(answer, $0, withAdvance: true)
            },
            Command(
                "pace [PACE]", "set how fast subscriptions renew; without PACE, list the choices",
                [.environment], choices: ["PACE": RenewalPace.allCases.map(\.rawValue)], run: pace),
        ])

    /// An advance that has ended is not shown after a command that did not begin one.
    private static func show(
        _ answer: [UInt8], _ arguments: Arguments, withAdvance: Bool = false
    ) throws {
        try arguments.show(answer) { (clock: ClockBody) in
            let now = clock.now.map { CalendarDate($0).rfc3339 } ?? "unknown"
            let paces = [
                ("production", clock.paces?.production), ("sandbox", clock.paces?.sandbox),
            ]
            .compactMap { name, pace in pace.map { "\(name) \($0.rawValue)" } }
            let advances = [clock.advance].compactMap { $0 }
                .filter { withAdvance || $0.state == .running }
            return
                ([
                    "\(now), \(clock.mode == .held ? "held" : "running"), renewing: "
                        + paces.joined(separator: ", ")
                ] + advances.map(text)).joined(separator: "\n")
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

    /// The items that were left out of an advance that ended.
    private static func leftOut(of advance: ClockAdvanceBody) -> String {
        guard advance.leftOut > 0 else { return "" }
        let named = advance.leftOutSubscriptions.joined(separator: ", ")
        let more = advance.leftOut - Int64(advance.leftOutSubscriptions.count)
        return "\nleft out, because the store could not process them (its log says why): \(named)"
            + (more > 0 ? " and \(more) more" : "")
    }

    private static func set(_ mode: ClockBody.Mode, _ arguments: Arguments) throws {
        let time = try arguments.word("TIME").map { try TimeWords.moment($0, for: "TIME") }
        let body = ClockBody(mode: mode, now: time)
        try show(try ended("PUT", "/clock", body, arguments), arguments, withAdvance: true)
    }

    private static func advance(_ arguments: Arguments) throws -> [UInt8] {
        let word = arguments["AMOUNT|TIME"]
        let body =
            word.contains("-")
            ? AdvanceClockBody(to: try TimeWords.moment(word, for: "TIME"))
            : AdvanceClockBody(milliseconds: try TimeWords.milliseconds(word, for: "AMOUNT"))
        return try ended("POST", "/clock/advance", body, arguments)
    }

    /// Sends a request that moves the clock, and waits until everything due has happened, reporting
    /// progress.
    private static func ended(
        _ method: String, _ path: String, _ body: some Encodable, _ arguments: Arguments
    ) throws -> [UInt8] {
        let client = try ControlClient(arguments)
        var progress = Terminal.Progress(arguments)
        var answer = try client.send(method, path, body)
        let begun = try WireJSON.decode(ClockBody.self, from: answer).advance?.number
        while true {
            let advance = try WireJSON.decode(ClockBody.self, from: answer).advance
            guard let advance, advance.state == .running, advance.number == begun else { break }
            let clock = try WireJSON.decode(ClockBody.self, from: answer)
            progress.say(
                "\(clock.now.map { CalendarDate($0).rfc3339 } ?? ""), "
                    + "\(advance.renewals) renewals")
            Thread.sleep(forTimeInterval: 1)
            answer = try client.send("GET", "/clock")
        }
        progress.end()
        let advance = try WireJSON.decode(ClockBody.self, from: answer).advance
        guard advance?.number == begun else {
            throw Failure(
                "the clock was set or moved on again before the store reported what this command "
                    + "brought about; see bodega clock show")
        }
        if let advance, advance.state != .done { throw Failure(text(of: advance)) }
        return answer
    }

    /// How often in a row the store may say that no fewer are due; it may take ten seconds for it.
    private static let idleMax = 12

    /// Waits until all notifications that are due were attempted, reporting progress.
    private static func settle(_ arguments: Arguments) throws {
        let client = try ControlClient(arguments)
        var progress = Terminal.Progress(arguments)
        var (left, idle) = (Int64.max, 0)
        while true {
            let due = try WireJSON.decode(
                SettledNotificationsBody.self, from: client.send("POST", "/notifications/settle")
            ).due
            guard due > 0 else { return progress.end() }
            idle = due < left ? 0 : idle + 1
            left = min(left, due)
            progress.say("notifications due: \(due)")
            guard idle < idleMax else {
                progress.end()
                throw Failure(
                    "the clock has advanced, but notifications are still due: \(due); see "
                        + "bodega notification list")
            }
            Thread.sleep(forTimeInterval: 0.5)
        }
    }

    private static func pace(_ arguments: Arguments) throws {
        guard let pace = arguments.word("PACE").flatMap({ RenewalPace(rawValue: $0) }) else {
            return Terminal.print(RenewalPace.allCases.map(\.rawValue).joined(separator: "\n"))
        }
        let body =
            switch arguments.environment {
            case .sandbox: PacesBody(production: nil, sandbox: pace)
            case .production: PacesBody(production: pace, sandbox: nil)
            }
        try show(try ControlClient(arguments).send("PUT", "/clock/pace", body), arguments)
    }
}
