import StoreHTTP
import StoreLog
import StoreModel
package import StoreService
package import StoreWire

/// Whether the App Store Server API limits requests.
enum RequestLimitEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/server-api/limits", "getServerAPILimits",
            "Whether the App Store Server API limits requests",
            answers: ["As it is now."],
            .now(show)),
        Endpoint(
            "PUT", "/server-api/limits", "setServerAPILimits",
            "Set whether the App Store Server API limits requests",
            about: """
                Requests are counted by the hour of the real clock, for each app, environment and \
                limit. They are counted anew from here on; limits end when the store stops.
                """,
            example: ["hourlyMax": 5, "isOn": true],
            answers: ["As it is now."],
            refuses: [422: "`badField`: `hourlyMax` is not from 1 up."],
            .now(set)),
    ]

    private static func set(
        _ call: StoreCall, _ body: ServerAPILimitsBody
    ) throws -> ServerAPILimitsBody {
        guard body.hourlyMax ?? 1 > 0 else {
            throw Refusal(422, "badField", "hourlyMax must be 1 or more.")
        }
        call.world.requestLimits.use(
            RequestLimits.Settings(isOn: body.isOn, hourlyMax: body.hourlyMax))
        call.log.event(StoreEvent.serverAPILimitsSet, ("isOn", .text("\(body.isOn)")))
        return show(call)
    }

    private static func show(_ call: StoreCall) -> ServerAPILimitsBody {
        let settings = call.world.requestLimits.settings
        return ServerAPILimitsBody(isOn: settings.isOn, hourlyMax: settings.hourlyMax)
    }
}

extension ServerAPILimitsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["hourlyMax": 5, "isOn": true]],
        "hourlyMax": [
            "minimum": 1,
            "description": "The most requests an hour for each limit; Apple's where it is lower.",
        ],
    ]
}
