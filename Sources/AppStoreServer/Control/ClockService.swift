import StoreDatabase
import StoreLog
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire

/// Looks at and sets a world's clock.
enum ClockService {
    /// `GET /control/v1/clock`
    static func clock(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) { try answer(scene) }
    }

    /// `PUT /control/v1/clock`
    static func set(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let body = try request.decoded(ClockBody.self)
            change(scene, responder) { _, time in
                let recorded = time.current.recorded
                switch body.mode {
                case .held:
                    return try .held(at: body.now ?? time.now(), recorded: recorded)
                case .real:
                    return try .running(from: body.now, real: time.real(), recorded: recorded)
                }
            }
        }
    }

    /// `POST /control/v1/clock/advance`
    static func advance(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let body = try request.decoded(AdvanceClockBody.self)
            change(scene, responder) { clock, time in
                try clock.advanced(
                    byMilliseconds: body.milliseconds, real: time.real(),
                    recorded: time.current.recorded)
            }
        }
    }

    /// Decides inside the commit, from the clock that the command before left there.
    private static func change(
        _ scene: Scene, _ responder: Responder,
        _ decide: @escaping @Sendable (WorldClock, WorldTime) throws -> WorldClock
    ) {
        let time = scene.world.time
        scene.commit(responder) { scope in
            do {
                let clock = try decide(try scope.reading { try $0.clock() }, time)
                try scope.setClock(clock)
                return clock
            } catch let refusal as WorldClock.Refusal {
                throw Refusal(refusal)
            }
        } then: { clock in
            time.use(clock)
            scene.log.event(StoreEvent.clockSet, ("now", .number(time.now().milliseconds)))
            return try answer(scene)
        }
    }

    private static func answer(_ scene: Scene) throws -> HTTPResponse {
        let mode: ClockBody.Mode =
            switch scene.world.time.current.clock {
            case .real: .real
            case .held: .held
            }
        return .json(try WireJSON.encode(ClockBody(mode: mode, now: scene.world.time.now())))
    }
}

extension Refusal {
    init(_ refusal: WorldClock.Refusal) {
        switch refusal {
        case .wouldGoBack(let recorded):
            self.init(
                409, "clockWouldGoBack",
                "A clock never goes back behind what happened to customers: something did at "
                    + "\(CalendarDate(recorded).rfc3339).")
        case .outOfRange:
            self.init(422, "clockOutOfRange", "A clock shows a time from 2000 to 2099.")
        }
    }
}
