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
            what happened to customers, such as a purchase. What is for sale does not hold it: a
            catalogue can be made ready first, and the clock be set to any date then.

            Options:
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega world make leap
              bodega clock hold 2028-01-31 --world leap
              bodega clock advance 29d --world leap
              bodega clock run --world leap
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
            let amount = try TimeWords.milliseconds(
                try arguments.words("advance", "amount")[1], for: "AMOUNT")
            answer = try ControlClient(arguments).send(
                "POST", "/clock/advance", AdvanceClockBody(milliseconds: amount))
        default: throw arguments.notOne(of: "show", "hold", "run", "advance")
        }
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let clock = try WireJSON.decode(ClockBody.self, from: answer)
        let now = clock.now.map { CalendarDate($0).rfc3339 } ?? "unknown"
        Terminal.print("\(now), \(clock.mode == .held ? "held" : "running")")
    }

    private static func set(_ mode: ClockBody.Mode, _ arguments: Arguments) throws -> [UInt8] {
        try arguments.refuseMore(than: 2)
        let time = try arguments.positional.dropFirst().first.map {
            try TimeWords.moment($0, for: "TIME")
        }
        return try ControlClient(arguments).send("PUT", "/clock", ClockBody(mode: mode, now: time))
    }
}
