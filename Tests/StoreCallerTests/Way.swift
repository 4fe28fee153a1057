import StoreCaller
import Testing

/// A way to make a call and wait for its answer, for tests of what all ways share.
struct Way: Sendable, CustomTestStringConvertible {
    typealias Send = @Sendable (CallerRequest) -> Result<CallerResponse, CallerError>

    let testDescription: String
    /// A new caller, with connections of its own.
    let start: @Sendable () -> Send

    static let all = [caller]

    private static let caller = Way(testDescription: "Caller") {
        let caller = Caller()
        return { request in
            Result { () throws(CallerError) in try caller.send(request) }
        }
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
