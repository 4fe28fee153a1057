import Foundation
import StoreModel
import StoreWire
import Synchronization

/// A store with one app and one account, small but keeping the device API's promises, that can be
/// told to misbehave: to lose answers, to be late, to refuse, to answer nonsense.
final class FakeStore: Sendable {
    /// What goes wrong with one request.
    enum Fault: Sendable {
        /// The connection closes before anything is done.
        case dropBefore
        /// The request is carried out, and its answer never sent.
        case dropAfter
        case status(Int)
        /// A refusal with a name of its own.
        case refusal(Int, String)
        case nonsense
        case late(milliseconds: Int)
        /// It is carried out when the test says so.
        case held(DispatchSemaphore)
        /// The device's token is not taken.
        case unauthorized
    }

    struct State {
        /// Every store is a world of its own, and counts from the same numbers as all others.
        let worldId = UUID().uuidString
        var token = "token-0"
        var tokenCount = 0
        var account: String?
        var storefront = "USA"
        /// Where accounts buy, when that is not where devices begin.
        var accountStorefront: String?
        var attempts: [String: AttemptAnswerBody] = [:]
        var attemptBodies: [String: AttemptRequestBody] = [:]
        var transactions: [TransactionBody] = []
        var finished: Set<String> = []
        /// The attempts whose answers were finished.
        var finishedAnswers: Set<String> = []
        var events: [UpdateBody] = []
        var revision: Int64 = 1
        var keyValues = KeyValues()
        var priceConsents: [DevicePriceConsentBody] = []
        var faults: [String: [Fault]] = [:]
        /// Kinds of requests that fail with 500 until they are taken out.
        var failing: Set<String> = []
        var log: [String] = []
        /// Whether transactions have receipts of their own; an older store gives none.
        var givesTransactionReceipts = true
        /// Whether answers to attempts bring the receipts along; an older store sends none.
        var sendsReceipts = false
        /// What this store's receipts begin with.
        var receiptWord = "receipt"
        var guid = ""
        var isDown = false
        var refusal: RefusalBody?
        var isDeferring = false
        /// Purchases end as interrupted.
        var isInterrupting = false
        /// What one of anything costs, in thousandths of a dollar.
        var priceMilliunits: Int64 = 1_990
        /// Offer codes, and what each is for.
        var offerCodes: [String: String] = [:]
        var redemptions: [RedeemOfferCodeBody] = []
        /// Redeeming begins with the renewal of this purchase.
        var renewing: TransactionBody?
        /// Payments change the renewal of this period, and are answered with it.
        var period: TransactionBody?
        /// The promotional offers of each product.
        var offers: [SubscriptionOffer] = []
        var wrongPasswords = 0
        /// What products bring.
        var content = FakeContent()
        var resources = FakeResources()
        /// The next attempt is carried out, and then the device's session is gone.
        var endsSessionAfterAttempt = false
        /// The pages of restores that were answered, by id and position.
        var restorePages: [String: RestoreAnswerBody] = [:]
        /// Transactions in a page.
        var restorePageMax = 500
        /// The next page is given, and then the device's session is gone.
        var endsSessionAfterRestore = false
    }

    static let password = "secret"
    let state = Mutex(State())
    let server: RawServer

    init() throws {
        let box = WeakStore()
        server = try RawServer { peer in
            while let request = peer.readRequest(), let store = box.store.withLock({ $0.store }) {
                guard store.serve(request, peer) else { return }
            }
        }
        box.store.withLock { $0.store = self }
    }

    private final class WeakStore: Sendable {
        struct Reference {
            weak var store: FakeStore?
        }
        let store = Mutex(Reference())
    }

    var url: String { "http://127.0.0.1:\(server.port)/sandbox" }
    var worldId: String { state.withLock { $0.worldId } }
    var log: [String] { state.withLock { $0.log } }
    var transactions: [TransactionBody] { state.withLock { $0.transactions } }
    var finished: Set<String> { state.withLock { $0.finished } }

    /// The next requests of a kind (`attempts`, `receipt`, `finish` …) go wrong in this way.
    func next(_ kind: String, _ faults: Fault...) {
        state.withLock { $0.faults[kind, default: []] += faults }
    }

    func count(_ kind: String) -> Int {
        state.withLock { $0.log.filter { $0 == kind }.count }
    }

    /// Another device of the account buys something.
    @discardableResult func buyElsewhere(_ product: String) -> TransactionBody {
        state.withLock { state in
            Self.record(
                AttemptRequestBody(
                    attemptId: UUID().uuidString, productId: product, quantity: 1,
                    applicationUsername: nil), device: "ANOTHER", &state)
        }
    }

    func finishElsewhere(_ transactionId: String) {
        state.withLock { Self.finish(transactionId, &$0) }
    }

    // MARK: - One request

    private func serve(_ request: RawRequest, _ peer: RawPeer) -> Bool {
        let path = request.path.split(separator: "?").first.map(String.init) ?? ""
        let parts = path.split(separator: "/").map(String.init)
        let kind = Self.kind(parts)
        let fault: Fault? = state.withLock { state in
            state.log.append(kind)
            if state.isDown { return .dropBefore }
            guard var faults = state.faults[kind], !faults.isEmpty else {
                return state.failing.contains(kind) ? .status(500) : nil
            }
            defer { state.faults[kind] = faults }
            return faults.removeFirst()
        }
        switch fault {
        case .dropBefore: return false
        case .dropAfter:
            _ = answer(request, parts)
            return false
        case .status(let status):
            return peer.send(status, Self.error("trouble", "trouble"))
        case .refusal(let status, let code):
            return peer.send(status, Self.error(code, "refused"))
        case .unauthorized:
            return peer.send(401, Self.error("tokenUnknown", "unknown token"))
        case .nonsense:
            _ = answer(request, parts)
            return peer.send(200, Array("<html>".utf8))
        case .late(let milliseconds):
            Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000)
        case .held(let gate):
            _ = gate.wait(timeout: .now() + 300)
        case nil: break
        }
        let reply = answer(request, parts)
        return peer.send(reply.status, reply.body, headers: reply.headers)
    }

    struct Reply {
        var status = 200
        var body: [UInt8] = []
        var headers = ""
    }

    private func answer(_ request: RawRequest, _ parts: [String]) -> Reply {
        if parts.last == "updates" { return updates(request) }
        if Self.kind(parts) == "part" { awaitPart(request) }
        if parts.last == "key-values" { return keyValues(request) }
        return state.withLock { state in
            if parts.last != "register", request.token != state.token {
                return Reply(status: 401, body: Self.error("tokenUnknown", "unknown token"))
            }
            switch parts.last {
            case "register": return Self.register(request, &state)
            case "sign-in": return Self.signIn(request, &state)
            case "products": return Self.products(request, state)
            case "attempts": return Self.attempt(request, &state)
            case "redeem": return Self.redeem(request, &state)
            case "transactions":
                let open = state.transactions.filter { !state.finished.contains($0.transactionId) }
                return Self.reply(
                    UnfinishedBody(
                        transactions: open, cursor: Int64(state.events.count),
                        receiptRevision: state.revision,
                        priceConsents: state.priceConsents.filter { $0.state == .pending }))
            case "receipt":
                return Reply(
                    body: Self.receipt(state),
                    headers: "Receipt-Revision: \(state.revision)\r\n")
            case "restores": return Self.restore(request, &state)
            case "transaction-receipts" where state.givesTransactionReceipts:
                return Self.transactionReceipts(request, state)
            case "finish":
                let id = parts[parts.count - 2]
                if parts.dropLast(2).last == "attempts" { return Self.finishAnswer(id, &state) }
                guard state.transactions.contains(where: { $0.transactionId == id }) else {
                    return Reply(status: 404, body: Self.error("transactionUnknown", "unknown"))
                }
                Self.finish(id, &state)
                return Self.reply(
                    FinishAnswerBody(transactionId: id, receiptRevision: state.revision))
            case "agree": return Self.answer(.agreed, to: parts[parts.count - 2], &state)
            case "decline": return Self.answer(.declined, to: parts[parts.count - 2], &state)
            default:
                return Self.content(request, parts, &state)
                    ?? Self.resources(request, parts, &state)
                    ?? Reply(status: 404, body: Self.error("notFound", "no such path"))
            }
        }
    }

    private func updates(_ request: RawRequest) -> Reply {
        let after = Int(request.path.split(separator: "=")[1].prefix { $0.isNumber }) ?? 0
        let end = Date(timeIntervalSinceNow: 2)
        while true {
            let isKnown = state.withLock { $0.token == request.token && $0.account != nil }
            guard isKnown else { return Reply(status: 401, body: Self.error("tokenUnknown", "")) }
            let news = state.withLock { state -> UpdatesBody? in
                guard state.events.count > after || Date() > end else { return nil }
                return UpdatesBody(
                    events: Array(state.events.dropFirst(after)),
                    cursor: Int64(state.events.count), receiptRevision: state.revision)
            }
            if let news { return Self.reply(news) }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }
}
