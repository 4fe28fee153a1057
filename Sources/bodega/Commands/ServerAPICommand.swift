import StoreWire

/// `bodega server-api`
enum ServerAPICommand {
    private static let path = "/server-api/limits"

    static let command = Command(
        group: "server-api", "what apps' servers ask for, as Apple's App Store Server API",
        shared: Option.inWorld,
        commands: [
            Command(
                "limits [on|off]", "limit requests as Apple does, or not; without a word, tell",
                [Option("hourly-max", "N", "at most N an hour, where Apple allows more")],
                details: """
                    Apple allows 50, 20, 10 or 1 a second, by endpoint, and a tenth in the sandbox,
                    and counts by the hour. Beyond that, requests get 429. Limits are off when the
                    store starts.
                    """,
                examples: [
                    "bodega server-api limits on --hourly-max 5", "bodega server-api limits off",
                ], run: limits)
        ])

    private static func limits(_ arguments: Arguments) throws {
        let hourlyMax = try arguments.count("hourly-max")
        guard let word = arguments.word("on|off") else {
            if hourlyMax != nil { throw UsageError("--hourly-max is for limits on") }
            return try arguments.send("GET", path, nil, text)
        }
        let isOn = word == "on"
        if !isOn, hourlyMax != nil { throw UsageError("--hourly-max is for limits on") }
        try arguments.send(
            "PUT", path, ServerAPILimitsBody(isOn: isOn, hourlyMax: hourlyMax), text)
    }

    private static func text(of body: ServerAPILimitsBody) -> String {
        guard body.isOn else { return "requests are not limited" }
        let most = body.hourlyMax.map { ", and to \($0) an hour" } ?? ""
        return "requests are limited as Apple's\(most)"
    }
}
