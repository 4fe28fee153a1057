import StoreCaller
import StoreModel
import Synchronization

/// A store without a socket: answers each call as the test says and remembers what it was sent.
final class ScriptedStore: Sendable {
    enum Answer: Sendable {
        case text(String, status: Int = 200, headers: [String: String] = [:])
        case failure(CallerError.Code)
        /// Waits for the gate first.
        case held(Gate, String)
        /// Waits for the gate first when the request contains a text, such as a receipt.
        case heldFor(String, Gate, String)
        /// Too large to be read, unless old transactions are excluded.
        case longUnlessExcluded(String)
    }

    private struct State {
        var production: Answer = .text("{\"status\":21003}")
        var sandbox: Answer = .text("{\"status\":21003}")
        var requests: [CallerRequest] = []
    }

    private let state = Mutex(State())

    var requests: [CallerRequest] { state.withLock { $0.requests } }

    func answer(_ answer: Answer, in environment: StoreEnvironment = .production) {
        state.withLock { state in
            switch environment {
            case .production: state.production = answer
            case .sandbox: state.sandbox = answer
            }
        }
    }

    func verified(_ purchases: StoreAnswers.Purchase...) {
        answer(.text(StoreAnswers.verified(purchases)))
    }

    /// A receipt that was made at a moment.
    func verified(madeAt: Int64, _ purchases: StoreAnswers.Purchase...) {
        answer(.text(StoreAnswers.verified(purchases, madeAt: madeAt)))
    }

    func send(_ request: CallerRequest) throws(CallerError) -> CallerResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return request.url.contains("/sandbox/") ? state.sandbox : state.production
        }
        switch answer {
        case .text(let text, let status, let headers):
            return CallerResponse(status: status, headers: headers, body: Array(text.utf8))
        case .failure(let code): throw CallerError(code: code, detail: "as the test says")
        case .longUnlessExcluded(let text):
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            guard body.contains(#""exclude-old-transactions":true"#) else {
                throw CallerError(code: .answerTooLarge, detail: "as the test says")
            }
            return CallerResponse(status: 200, headers: [:], body: Array(text.utf8))
        case .held(let gate, let text):
            gate.wait()
            return CallerResponse(status: 200, headers: [:], body: Array(text.utf8))
        case .heldFor(let sent, let gate, let text):
            if String(decoding: request.body ?? [], as: UTF8.self).contains(sent) { gate.wait() }
            return CallerResponse(status: 200, headers: [:], body: Array(text.utf8))
        }
    }
}
