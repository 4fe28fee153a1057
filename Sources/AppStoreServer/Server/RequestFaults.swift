import Dispatch
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Faults of whole requests below an environment: what a client gets instead of an answer, or after
/// a time.
enum RequestFaults {
    /// Carries out the fault that a request meets; false when it meets none. `usual` answers as if
    /// there were no fault, after a delay, on another thread.
    static func meet(
        _ request: HTTPRequest, _ segments: [String], in scene: Scene, _ responder: Responder,
        usual: @escaping @Sendable () -> Void
    ) -> Bool {
        guard !scene.world.requestFaults.isEmpty, let environment = scene.environment,
            case .found(_, let path) = StoreRoutes.environment.route(
                method: request.method, segments: segments),
            case .answer(let answer, let milliseconds)? = scene.world.requestFaults.next(
                in: environment, path.pattern)?.effect
        else { return false }
        scene.log.event(
            StoreEvent.requestFaulted, ("path", .text(path.pattern.text)),
            ("status", .number(Int64(answer?.status ?? 0))))
        let inAnHour = scene.world.time.real().adding(milliseconds: 3_600_000)
        let carryOut: @Sendable () -> Void = {
            guard var answer else { return usual() }
            if answer.status == ServerAPIError.rateLimitExceeded.status {
                answer.headers.add("Retry-After", "\(inAnHour.milliseconds)")
            }
            responder.send(answer)
        }
        if milliseconds == 0 {
            carryOut()
        } else {
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .milliseconds(milliseconds), execute: carryOut)
        }
        return true
    }

    /// The place and the fault that a body asks for.
    static func read(_ body: RequestFaultBody) throws(Refusal) -> (Faults.Place, Fault) {
        let milliseconds = body.delayMilliseconds ?? 0
        guard (0...Limits.faultDelayMillisecondsMax).contains(milliseconds) else {
            throw refusal("delayMilliseconds must be 0 to \(Limits.faultDelayMillisecondsMax)")
        }
        guard body.count.map({ Fault.counts.contains($0) }) ?? true else {
            throw refusal("count must be 1 to 1000000")
        }
        guard body.percentage.map({ Fault.Chance.percentages.contains($0) }) ?? true else {
            throw refusal("percentage must be 1 to 100")
        }
        guard body.seed == nil || body.percentage != nil else {
            throw refusal("seed decides which requests a percentage is; give percentage, too")
        }
        let answers = [body.status != nil, body.errorCode != nil, body.breaks == true]
        guard answers.count(where: { $0 }) <= 1 else {
            throw refusal("a fault has only one of status, errorCode and breaks")
        }
        guard answers.contains(true) || milliseconds > 0 else {
            throw refusal("a fault needs status, errorCode, breaks or delayMilliseconds")
        }
        return (
            Faults.Place(environment: body.environment, pattern: try pattern(of: body.path)),
            Fault(
                effect: .answer(try answer(to: body), afterMilliseconds: milliseconds),
                count: body.count,
                chance: body.percentage.map { Fault.Chance(percentage: $0, seed: body.seed ?? 0) })
        )
    }

    private static func answer(to body: RequestFaultBody) throws(Refusal) -> HTTPResponse? {
        if body.breaks == true { return .dropped }
        if let status = body.status {
            guard (400...599).contains(status) else { throw refusal("status must be 400 to 599") }
            return Refusal(status, "injected", "The store's owner wants this fault.").response
        }
        guard let code = body.errorCode else { return nil }
        guard let error = ServerAPIError(rawValue: code) else {
            throw refusal("errorCode \(code) is not one of the App Store Server API's")
        }
        return error.response
    }

    /// The pattern of a path as documents write it, or of one that is asked for, by any method.
    static func pattern(of path: String) throws(Refusal) -> RoutePattern {
        let segments = path.split(separator: "/").map { part in
            part.hasPrefix("{") && part.hasSuffix("}") ? "1" : String(part)
        }
        for method in ["GET", "POST", "PUT", "DELETE"] {
            if case .found(_, let found) = StoreRoutes.environment.route(
                method: method, segments: segments)
            {
                return found.pattern
            }
        }
        throw refusal("nothing below an environment has the path \(path.prefix(200))")
    }

    private static func refusal(_ rule: String) -> Refusal {
        Refusal(422, "badField", "requests: \(rule).")
    }
}

extension RequestFaultBody {
    init(_ place: Faults.Place, _ fault: Fault) {
        self.init(path: place.pattern.text)
        environment = place.environment
        count = fault.count
        percentage = fault.chance?.percentage
        seed = fault.chance?.seed
        guard case .answer(let answer, let milliseconds) = fault.effect else { return }
        delayMilliseconds = milliseconds == 0 ? nil : milliseconds
        guard let answer else { return }
        if answer.isDropped {
            breaks = true
        } else if let error = try? WireJSON.decode(ServerAPIErrorBody.self, from: answer.body) {
            errorCode = error.errorCode
        } else {
            status = answer.status
        }
    }
}
