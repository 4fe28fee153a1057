import Foundation
import StoreModel
import StoreWire

/// `bodega clock show|hold|run|advance`
enum ClockCommand {
    static let command = Command(
        help: """
            bodega clock: a world's clock, which dates everything the store records

              bodega clock show
              bodega clock hold [TIME]      stands still, at TIME or now
              bodega clock run [TIME]       runs, from TIME or with the real clock
              bodega clock advance AMOUNT   moves on, such as 90s, 15m, 12h, 30d

            TIME is UTC, as 2026-03-31 or 2026-03-31T12:00:00Z. A clock never goes back behind
            what was recorded.

            Options:
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega clock hold 2026-01-31 --world leap
              bodega clock advance 28d --world leap
            """,
        options: ControlClient.options, flags: ["json"]
    ) { arguments in
        let answer: [UInt8]
        switch arguments.positional.first {
        case "show":
            _ = try arguments.words("show")
            answer = try ControlClient(arguments).send("GET", "/clock")
        case "hold": answer = try set(.held, arguments)
        case "run": answer = try set(.real, arguments)
        case "advance":
            let amount = try milliseconds(try arguments.words("advance", "amount")[1])
            answer = try ControlClient(arguments).send(
                "POST", "/clock/advance", AdvanceClockBody(milliseconds: amount))
        default: throw UsageError("say show, hold, run or advance; see --help")
        }
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let clock = try WireJSON.decode(ClockBody.self, from: answer)
        let now = clock.now.map { CalendarDate($0).rfc3339 } ?? "unknown"
        Terminal.print("\(now), \(clock.mode == .held ? "held" : "running")")
    }

    private static func set(_ mode: ClockBody.Mode, _ arguments: Arguments) throws -> [UInt8] {
        guard arguments.positional.count <= 2 else { throw UsageError("one TIME at most") }
        let time = try arguments.positional.dropFirst().first.map { text in
            guard let time = Timestamp(rfc3339: text) else {
                throw UsageError("\(text) is no time; write 2026-03-31 or 2026-03-31T12:00:00Z")
            }
            return time
        }
        return try ControlClient(arguments).send("PUT", "/clock", ClockBody(mode: mode, now: time))
    }

    private static func milliseconds(_ text: String) throws -> Int64 {
        let units: [Character: Int64] = [
            "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
        ]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            count >= 0, count <= 1_000_000_000
        else { throw UsageError("\(text) is no amount of time; write 90s, 15m, 12h or 30d") }
        return unit * count
    }
}
