import Dispatch
import StoreCaller
import Testing

/// A way to make a call and wait for its answer, for tests of what all ways share.
struct Way: Sendable, CustomTestStringConvertible {
    typealias Send = @Sendable (CallerRequest) -> Result<CallerResponse, CallerError>

    let testDescription: String
    /// A new caller, with connections of its own.
    let start: @Sendable () -> Send

    static let all = [caller, loop]

    private static let caller = Way(testDescription: "Caller") {
        let caller = Caller()
        return { request in
            Result { () throws(CallerError) in try caller.send(request) }
        }
    }
}

extension Way {
    private static let loop = Way(testDescription: "CallerLoop") {
        let loop = CallerLoop(callsMax: 8, connectionsPerHostMax: 8)
        return { loop.answer(to: $0) }
    }
}

extension CallerLoop {
    /// Waits for the answer on this thread, which must not be the loop's.
    func answer(to request: CallerRequest) -> Result<CallerResponse, CallerError> {
        let answer = Box<Result<CallerResponse, CallerError>?>(nil)
        let arrived = DispatchSemaphore(value: 0)
        send(request) {
            answer.value = $0
            arrived.signal()
        }
        arrived.wait()
        return answer.value ?? .failure(CallerError(code: .other, detail: "no answer"))
    }
}

extension Result where Success == CallerResponse, Failure == CallerError {
    var code: CallerError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }

    var detail: String? {
        if case .failure(let error) = self { error.detail } else { nil }
    }

    var status: Int? { (try? get())?.status }
}
