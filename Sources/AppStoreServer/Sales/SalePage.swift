import StoreDatabase
import StoreModel
import StoreWire

/// A page of sales, and where a list goes on.
struct SalePage: Sendable {
    private(set) var sales: [SaleBody] = []
    /// The place after the page.
    private(set) var position: SalePosition
    /// Whether there may be more.
    private(set) var goesOn = false

    /// A page may have fewer sales than it could, and none at all, and go on: only so many are
    /// looked at for it.
    ///
    /// The oldest first, production comes before the sandbox, as its numbers do. The newest first,
    /// both are merged by time, each in the order of its sales.
    init(
        _ filter: SaleFilter, after position: SalePosition, _ order: ListOrder, countMax: Int,
        lookingAt lookedAtMax: Int = Limits.rowsLookedAtMax, _ scope: borrowing ReadScope
    ) throws {
        self.position = position
        let environments = filter.environment.map { [$0] } ?? StoreEnvironment.allCases
        var streams: [Stream] = []
        for environment in environments {
            let place = position[environment]
            let found = try scope.sales(
                filter, in: environment, after: place == 0 ? nil : place, order,
                countMax: countMax + 1, lookingAt: lookedAtMax)
            let isCut = found.sales.count <= countMax && found.end != nil
            streams.append(
                Stream(
                    environment: environment, sales: found.sales[...],
                    end: isCut ? found.end : nil))
            // The next one's turn does not come on this page.
            if order == .oldest, isCut || found.sales.count > countMax { break }
        }
        fill(from: &streams, order, countMax: countMax)
        goesOn = streams.contains { !$0.isOver }
        guard order == .newest else { return }
        // What is sold from now on is before this page, also where nothing was sold or its turn did not
        // come.
        for stream in streams where self.position[stream.environment] == 0 {
            let unread = stream.sales.first.flatMap { Int64($0.sold.transactionId) }
            self.position[stream.environment] =
                unread.map { $0 + 1 } ?? stream.environment.transactionNumbers.lowerBound
        }
    }

    private mutating func fill(
        from streams: inout [Stream], _ order: ListOrder, countMax: Int
    ) {
        while sales.count < countMax, let index = Self.next(of: streams, order) {
            let sale = streams[index].sales.removeFirst()
            sales.append(sale)
            position[streams[index].environment] = Int64(sale.sold.transactionId) ?? 0
        }
        for stream in streams where stream.sales.isEmpty {
            if let end = stream.end { position[stream.environment] = end }
        }
    }

    /// The stream whose sale is next; nil when that is not known, or none is left.
    private static func next(of streams: [Stream], _ order: ListOrder) -> Int? {
        let open = streams.indices.filter { !streams[$0].isOver }
        switch order {
        case .oldest:
            return open.first.flatMap { streams[$0].sales.isEmpty ? nil : $0 }
        case .newest:
            guard open.allSatisfy({ !streams[$0].sales.isEmpty }) else { return nil }
            return open.max {
                streams[$0].sales.first?.sold.purchasedAt ?? 0
                    < streams[$1].sales.first?.sold.purchasedAt ?? 0
            }
        }
    }

    /// What was found of an environment.
    private struct Stream {
        let environment: StoreEnvironment
        var sales: ArraySlice<SaleBody>
        /// The number up to which was looked, if there may be more behind it.
        let end: Int64?

        var isOver: Bool { sales.isEmpty && end == nil }
    }
}
