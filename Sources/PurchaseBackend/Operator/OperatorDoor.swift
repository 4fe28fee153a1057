import StoreConsole
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Admits the operator's requests: those with the operator token, and those of the console's
/// sessions.
struct OperatorDoor: Sendable {
    let token: OperatorToken
    let sessions: ConsoleSessions

    init(_ token: OperatorToken, clock: WallClock, log: Log) {
        self.token = token
        sessions = ConsoleSessions(
            of: .backend, wall: clock, wrongToken: .operatorTokenWrong,
            isOwnersToken: token.isToken,
            note: { happening in
                switch happening {
                case .opened(let isReadOnly):
                    log(.consoleOpened, .detail(isReadOnly ? "it only reads" : "it may change"))
                case .refused(let code): log(.consoleRefused, .detail(code))
                case .closed: log(.consoleClosed)
                }
            })
    }

    /// Throws 401 unless the request carries the token or a session, and 403 when the session only
    /// reads and the request changes something.
    func admit(_ request: HTTPRequest) throws(Refusal) {
        guard !token.opens(request) else { return }
        guard try sessions.admit(request) else { throw .operatorTokenWrong }
    }
}
