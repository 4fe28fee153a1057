import Dispatch
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Reads and sets a world's clock.
enum ClockService {
    /// `GET /control/v1/clock`
    static func clock(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) { try answer(scene) }
    }

    /// `PUT /control/v1/clock`: answers when everything due by then has happened, or with 202 after
    /// `Limits.advanceAnswerMilliseconds`.
    static func set(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let body = try request.decoded(ClockBody.self)
            let world = scene.world
            try world.renewals.beginSetting()
            let from = world.time.now()
            world.database.write { scope in
                let clock = try Refusal.ofClock {
                    let recorded = world.time.current.recorded
                    return switch body.mode {
                    case .held:
                        try WorldClock.held(at: body.now ?? world.time.now(), recorded: recorded)
                    case .real:
                        try WorldClock.running(
                            from: body.now, real: world.time.real(), recorded: recorded)
                    }
                }
                try scope.setClock(clock)
                return (clock, try scope.reading.nextDue(except: []))
            } then: { result in
                scene.attempt(responder) {
                    let advance: ClockAdvance?
                    do {
                        let (clock, due) = try result.get()
                        world.time.use(clock)
                        let isDue = due.map { $0 <= world.time.now() } ?? false
                        advance = world.renewals.endSetting((from, isDue))
                    } catch {
                        _ = world.renewals.endSetting(nil)
                        throw error
                    }
                    scene.log.event(
                        StoreEvent.clockSet, ("now", .number(world.time.now().milliseconds)))
                    guard let advance else {
                        return scene.answer(responder) { try answer(scene) }
                    }
                    answer(scene, responder, after: advance)
                }
            }
        }
    }

    /// `PUT /control/v1/clock/pace`: for the environments that the body names. Sold periods keep
    /// their length.
    static func setPace(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let body = try request.decoded(PacesBody.self)
            let paces = [(StoreEnvironment.production, body.production), (.sandbox, body.sandbox)]
            guard paces.contains(where: { $0.1 != nil }) else {
                throw Refusal(422, "badField", "Name a pace for production, sandbox or both.")
            }
            scene.commit(responder) { scope in
                for (environment, pace) in paces {
                    if let pace { try scope.setPace(pace, of: environment) }
                }
            } then: {
                scene.log.event(StoreEvent.paceSet)
                return try answer(scene)
            }
        }
    }

    /// `POST /control/v1/clock/advance`: answers when the clock has arrived, or with 202 after
    /// `Limits.advanceAnswerMilliseconds`.
    static func advance(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let body = try request.decoded(AdvanceClockBody.self)
            let time = scene.world.time
            let advance = try scene.world.renewals.beginAdvance { clock, recorded in
                try Refusal.ofClock {
                    switch (body.milliseconds, body.to) {
                    case (let delta?, nil):
                        try clock.target(ofAdvancing: delta, real: time.real(), recorded: recorded)
                    case (nil, let target?):
                        try clock.target(target, real: time.real(), recorded: recorded)
                    default:
                        throw Refusal(422, "badField", "Give either milliseconds or to.")
                    }
                }
            }
            scene.log.event(
                StoreEvent.clockAdvanced, ("to", .number(advance.to.milliseconds)))
            answer(scene, responder, after: advance)
        }
    }

    /// `DELETE /control/v1/clock/advance`: the clock stays at the last event.
    static func cancelAdvance(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        let end: @Sendable () -> Void = { scene.answer(responder) { try answer(scene) } }
        if scene.world.renewals.cancelAdvance() {
            scene.world.renewals.afterAdvance(end)
        } else {
            end()
        }
    }

    /// Answers at the end of an advance, or earlier when it takes long.
    private static func answer(
        _ scene: Scene, _ responder: Responder, after advance: ClockAdvance
    ) {
        let end: @Sendable () -> Void = {
            scene.answer(responder) { try answer(scene, to: advance) }
        }
        scene.world.renewals.afterAdvance(end)
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .milliseconds(Limits.advanceAnswerMilliseconds), execute: end)
    }

    /// The answer to the request for an advance: another one may have begun since.
    private static func answer(_ scene: Scene, to advance: ClockAdvance) throws -> HTTPResponse {
        let newest = scene.world.renewals.advance
        let isRunning = newest?.number == advance.number && newest?.state == .running
        return try answer(scene, status: isRunning ? 202 : 200)
    }

    private static func answer(_ scene: Scene, status: Int = 200) throws -> HTTPResponse {
        .json(try WireJSON.encode(body(scene)), status: status)
    }

    /// The clock as it is now.
    static func body(_ scene: Scene) throws -> ClockBody {
        let world = scene.world
        let mode: ClockBody.Mode =
            switch world.time.current.clock {
            case .real: .real
            case .held: .held
            }
        let paces = try world.database.read { scope in
            PacesBody(
                production: try scope.pace(of: .production), sandbox: try scope.pace(of: .sandbox))
        }
        return ClockBody(
            mode: mode, now: world.time.now(), paces: paces,
            advance: world.renewals.advance.map { ClockAdvanceBody($0) })
    }
}

extension ClockAdvanceBody {
    fileprivate init(_ advance: ClockAdvance) {
        self.init(
            number: advance.number, state: advance.state, from: advance.from, to: advance.to,
            renewals: advance.report.renewals, failedPayments: advance.report.failedPayments,
            endings: advance.report.endings, leftOut: advance.leftOut.count,
            leftOutSubscriptions: advance.leftOut.first.map { "\($0)" },
            failure: advance.failure)
    }
}

extension Refusal {
    /// Runs a body that may refuse a time.
    fileprivate static func ofClock<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let refusal as WorldClock.Refusal { throw Refusal(refusal) }
    }

    private init(_ refusal: WorldClock.Refusal) {
        switch refusal {
        case .wouldGoBack(let recorded):
            self.init(
                409, "clockWouldGoBack",
                "A clock cannot go back before the customers' newest event, which happened at "
                    + "\(CalendarDate(recorded).rfc3339).")
        case .outOfRange:
            self.init(422, "clockOutOfRange", "A clock must show a time from 2000 to 2099.")
        }
    }
}
