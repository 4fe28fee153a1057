import Dispatch
import Foundation
import StoreWire
import Synchronization

/// The own receipts of purchases that observers heard of first, because there were so many.
///
/// The store signs each when it is asked for it, which for 10,000 purchases takes seconds, and most
/// apps read the receipt of the app alone. So the first that is read brings a page of them.
final class LateReceipts: Sendable {
    private struct State {
        var receipts: [String: Data] = [:]
        /// Pages that the store has answered.
        var pages: Set<Int> = []
        /// Nothing is asked before then.
        var pauseEnd = DispatchTime(uptimeNanoseconds: 0)
    }

    /// Who goes through thousands of purchases waits once for a store that does not answer, and
    /// not for each.
    private static let pauseMilliseconds = 1_000

    private let connection: StoreConnection
    private let customer: Customer
    private let transactionIds: [String]
    private let places: [String: Int]
    /// Held while the store is asked: whoever comes next finds what the page brought.
    private let state = Mutex(State())

    init(_ transactionIds: [String], of customer: Customer, _ connection: StoreConnection) {
        self.connection = connection
        self.customer = customer
        self.transactionIds = transactionIds
        places = Dictionary(transactionIds.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// One of them; asks the store and waits, unless another has brought it. Nil when it cannot be
    /// had now.
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
                    Message.sayOnce(
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

/// The receipt of one purchase alone.
enum OwnReceipt: Hashable, Sendable {
    case brought(Data)
    /// The store is asked for it when the app reads it.
    case late(LateReceipts)

    /// Its bytes, which may take a question to the store; nil when they cannot be had now.
    func bytes(of transactionId: String) -> Data? {
        switch self {
        case .brought(let bytes): bytes
        case .late(let others): others.receipt(of: transactionId)
        }
    }
}
