import StoreModel
import StoreRules
import Synchronization

@testable import AppStoreServer

/// A payment provider of a simulated world, which outlives its store. It answers badly, the same for
/// a seed: what comes of a payment is decided by its customer, its product, and how many of them
/// there were before.
final class SimulatedProvider: Sendable {
    fileprivate struct State {
        var book = ProviderBook()
        /// How many payments of a customer and a product there were.
        var counts: [String: Int] = [:]
        var chances: [String: SeededRandom] = [:]
        var conducts: [String: ProviderConduct] = [:]
        var tries: [String: Int] = [:]
        /// By their payments.
        var late: [String: [SentRequest]] = [:]
        var isSilent = false
        var leavesUnanswered = false
    }

    private let state = Mutex(State())

    /// What a store asks, until it is closed.
    func connect() -> any PaymentProvider { Connection(self) }

    /// While it is, it answers no authorization.
    var isSilent: Bool {
        get { state.withLock { $0.isSilent } }
        set { state.withLock { $0.isSilent = newValue } }
    }

    /// Whether it left anything unanswered since this was asked last.
    func leftUnanswered() -> Bool {
        state.withLock { state in
            defer { state.leavesUnanswered = false }
            return state.leavesUnanswered
        }
    }

    func writeBook(to folder: String) throws {
        try state.withLock { $0.book }.write(to: folder + "/audit/book.json")
    }

    private func ask(_ request: ProviderRequest) -> ProviderOutcome {
        let sent = SentRequest(request)
        return state.withLock { state in
            let late = state.late.removeValue(forKey: sent.payment) ?? []
            defer {
                for request in late {
                    _ = state.book.answer(request, declining: state.conducts[request.key]?.declines)
                }
            }
            let conduct = state.conduct(for: sent)
            if state.isSilent, sent.step == .authorize {
                return state.leave(sent, conduct)
            }
            state.tries[sent.key, default: 0] += 1
            if state.tries[sent.key, default: 0] <= conduct.unanswered {
                return state.leave(sent, conduct)
            }
            return state.book.answer(sent, declining: conduct.declines)
        }
    }

    private final class Connection: PaymentProvider {
        private let provider: SimulatedProvider
        private let isClosed = Mutex(false)

        init(_ provider: SimulatedProvider) { self.provider = provider }

        func ask(_ request: ProviderRequest) -> ProviderOutcome {
            isClosed.withLock { $0 } ? .unknown(why: "closed") : provider.ask(request)
        }

        func close() { isClosed.withLock { $0 = true } }
    }
}

extension SimulatedProvider.State {
    /// Does not answer; what was asked may be done all the same.
    fileprivate mutating func leave(
        _ sent: SentRequest, _ conduct: ProviderConduct
    ) -> ProviderOutcome {
        leavesUnanswered = true
        switch conduct.booking {
        case .atOnce: _ = book.answer(sent, declining: conduct.declines)
        case .withAnswer: break
        case .late: late[sent.payment] = [sent]
        }
        return .unknown(why: "simulated")
    }

    fileprivate mutating func conduct(for sent: SentRequest) -> ProviderConduct {
        if let known = conducts[sent.key] { return known }
        let made = make(for: sent)
        conducts[sent.key] = made
        return made
    }

    private mutating func make(for sent: SentRequest) -> ProviderConduct {
        if let name = sent.customerName { begin(sent, by: name) }
        // What was given up before it was ever heard of has no seed of its own.
        var random = chances[sent.payment] ?? SeededRandom(seed: 0)
        defer { chances[sent.payment] = random }
        switch sent.step {
        case .authorize:
            let seed = Self.seed(of: sent.customerName ?? "")
            return ProviderConduct(authorizing: &random, by: SimulatedWallet.of(seed: seed))
        case .capture: return ProviderConduct(capturing: &random)
        case .void: return ProviderConduct(voiding: &random)
        case .refund: return ProviderConduct(refunding: &random)
        }
    }

    private mutating func begin(_ sent: SentRequest, by name: String) {
        let product = sent.product ?? ""
        let count = counts[name + product, default: 0]
        counts[name + product] = count + 1
        let place = SimulatedShop.all.map(SimulatedShop.id).firstIndex(of: product) ?? 0
        chances[sent.payment] = SeededRandom(
            seed: 4_000_000_000 + UInt64((Self.seed(of: name) * 100 + place) * 10_000 + count))
    }

    /// Of an account called `seed-N`.
    private static func seed(of name: String) -> Int {
        Int(name.drop { !$0.isNumber }) ?? 0
    }
}
