package import StoreLog
import StoreModel

/// The events that the backend logs, by name.
package enum BackendEvent: String, LogEvent, CaseIterable, Sendable {
    case started = "backend.started"
    case stopped = "backend.stopped"
    case userCreated = "user.created"
    case signedIn = "user.signedIn"
    case signInRefused = "user.signInRefused"
    case signInLocked = "user.signInLocked"
    case signedOut = "user.signedOut"
    case receiptStored = "receipt.stored"
    case receiptKept = "receipt.kept"
    case receiptRefused = "receipt.refused"
    case purchaseGranted = "purchase.granted"
    case purchaseAlreadyGranted = "purchase.alreadyGranted"
    case subscriptionChanged = "subscription.changed"
    case subscriptionCheckFailed = "subscription.checkFailed"
    case grantCheckFailed = "grant.checkFailed"
    case offerSigned = "offer.signed"
    case secretRefused = "secret.refused"
    case operatorRetried = "operator.retried"
    case operatorRechecked = "operator.rechecked"
    case operatorChecked = "operator.checked"
    case operatorPriced = "operator.priced"
    case consoleOpened = "console.opened"
    case consoleRefused = "console.refused"
    case consoleClosed = "console.closed"
    case requestFailed = "request.failed"
    case workerFailed = "worker.failed"

    package var level: LogLevel {
        switch self {
        case .requestFailed, .workerFailed, .secretRefused: .error
        case .receiptKept, .subscriptionCheckFailed, .grantCheckFailed, .signInLocked,
            .consoleRefused:
            .warning
        case .started, .stopped, .operatorRetried, .operatorRechecked, .operatorChecked,
            .operatorPriced, .consoleOpened, .consoleClosed:
            .notice
        case .userCreated, .signedIn, .signInRefused, .signedOut, .receiptStored, .receiptRefused,
            .purchaseGranted, .purchaseAlreadyGranted, .subscriptionChanged, .offerSigned:
            .info
        }
    }
}

/// A field of an event. Receipts, tokens and passwords do not fit into any of them.
enum BackendFact: Sendable {
    case request(String)
    case user(BackendUserID)
    case submission(SubmissionID)
    case transaction(String)
    case product(String)
    case receipt(byteCount: Int)
    case detail(String)

    /// The longest detail in a line.
    static let detailMax = 300

    fileprivate var field: Log.Field {
        switch self {
        case .request(let id): ("request", .text(id))
        case .user(let id): ("user", .text(id.rawValue))
        case .submission(let id): ("submission", .text(id.rawValue))
        case .transaction(let id): ("transaction", .text(id))
        case .product(let id): ("product", .text(id))
        case .receipt(let count): ("receipt", .secret(byteCount: count))
        case .detail(let text): ("detail", .text(String(text.prefix(Self.detailMax))))
        }
    }
}

extension Log {
    func callAsFunction(_ event: BackendEvent, _ facts: BackendFact...) {
        self(event, facts)
    }

    func callAsFunction(_ event: BackendEvent, _ facts: [BackendFact]) {
        facts.map(\.field).reduce(self) { $0.adding($1.name, $1.value) }.event(event)
    }
}
