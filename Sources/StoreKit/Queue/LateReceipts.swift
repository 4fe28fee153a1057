import Dispatch
import Foundation
import StoreWire
import Synchronization

/// The individual receipts of purchases that were too many to fetch before telling observers.
///
/// The store signs each one on request, which takes seconds for 10,000 purchases, and most apps
/// only read the receipt of the app. So the first one read brings a whole page.
final class LateReceipts: Sendable {
    private struct State {
        var receipts: [String: Data] = [:]
        /// Pages that the store has answered.
        var pages: Set<Int> = []
        /// The store is not asked before this time.
        var pauseEnd = DispatchTime(uptimeNanoseconds: 0)
    }

    /// An app that goes through thousands of purchases waits only once for a store that does not
    /// answer, not for each purchase.
    private static let pauseMilliseconds = 1_000

    private let connection: StoreConnection
    private let customer: Customer
    private let transactionIds: [String]
    private let places: [String: Int]
    /// Held while the store is asked: the next caller finds what the page brought.
    private let state = Mutex(State())

    init(_ transactionIds: [String], of customer: Customer, _ connection: StoreConnection) {
        self.connection = connection
        self.customer = customer
        self.transactionIds = transactionIds
        places = Dictionary(transactionIds.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// One receipt; asks the store and waits, unless the receipt is already here. Nil when it is
    /// unavailable now.
    func receipt(of transactionId: String) -> Data? {
        let countMax = TransactionReceiptsRequestBody.transactionsMax
        guard let page = places[transactionId].map({ $0 / countMax }) else { return nil }
        return state.withLock { state in
            if !state.pages.contains(page), DispatchTime.now() >= state.pauseEnd {
                let ids = transactionIds.dropFirst(page * countMax).prefix(countMax)
                do throws(StoreFailure) {
                    let receipts = try connection.transactionReceipts(Array(ids), of: customer)
                    state.receipts.merge(receipts) { known, _ in known }
                    state.pages.insert(page)
                } catch {
                    Diagnostic.sayOnce(
                        "purchases have no transactionReceipt: \(error.sentence)")
                    state.pauseEnd =
                        error.isRefusal
                        ? .distantFuture : .now() + .milliseconds(Self.pauseMilliseconds)
                }
            }
            return state.receipts[transactionId]
        }
    }
}

extension LateReceipts: Hashable {
    static func == (one: LateReceipts, other: LateReceipts) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The receipt of one purchase.
enum OwnReceipt: Hashable, Sendable {
    case brought(Data)
    /// The store is asked for it when the app reads it.
    case late(LateReceipts)

    /// Its bytes, which may require a request to the store; nil when they are unavailable now.
    func bytes(of transactionId: String) -> Data? {
        switch self {
        case .brought(let bytes): bytes
        case .late(let others): others.receipt(of: transactionId)
        }
    }
}
