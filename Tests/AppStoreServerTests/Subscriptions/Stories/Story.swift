import Foundation
import StoreModel
import Testing

@testable import AppStoreServer

/// What happens in a shop step by step, as lines: after each step the events, what was sold, the
/// money that moved, the receipt that every device has then, and what `verifyReceipt` answers to it.
///
///     2026-05-01, gold is bought
///       purchased #2
///       sold #2 gold for 19.99
///       back 5 of #1
///       receipt of 2026-05-01
///         #1 of #1 silver 2026-04-16 to 2026-05-16, cancelled 2026-05-01
///         #2 of #1 gold 2026-05-01 to 2026-06-01
///       answers 0, latest #2, #1 upgraded
///       pending #1 gold, on
///
/// Numbers are the places of transactions among all that were made. What has not changed is not
/// listed again, but for what is pending. A test writes all of it out beforehand.
struct Story {
    let shop: SubscriptionFixture
    private var history: StoryHistory
    private var shelves: [ReceiptShelf]
    private var oldReceipts: [String: [UInt8]] = [:]
    private(set) var lines: [String] = []

    /// Of the shop's own device; `people` are others' devices, told by their names.
    init(_ shop: SubscriptionFixture, people: [(name: String, token: String)] = []) {
        self.shop = shop
        history = StoryHistory(shop)
        shelves =
            people.isEmpty
            ? [ReceiptShelf(shop, of: nil, token: shop.token)]
            : people.map { ReceiptShelf(shop, of: $0.name, token: $0.token) }
    }

    /// Moves the clock on and tells what came of it.
    mutating func advance(to moment: String, _ title: String = "") async throws {
        try await shop.advance(to: moment)
        try await tell(title)
    }

    /// Tells what came of what was done since the last step.
    mutating func tell(_ title: String = "") async throws {
        let now = shop.store.registry.defaultWorld.time.now().told
        lines.append(title.isEmpty ? now : "\(now), \(title)")
        lines += try history.next()
        let numbers = try SaleNumbers(shop)
        for place in shelves.indices { lines += try await shelves[place].next(numbers) }
    }

    /// What is answered to the receipt of a single transaction that its device was given when it was
    /// told of for the first time.
    mutating func tellOld(_ bought: String, token: String? = nil) async throws {
        let numbers = try SaleNumbers(shop)
        let receipt: [UInt8]
        if let known = oldReceipts[bought] {
            receipt = known
        } else {
            receipt = try await shop.store.transactionReceipt(
                bought, token: token ?? shop.token, in: shop.base)
            oldReceipts[bought] = receipt
        }
        let answer = try OldAnswer(try await shop.verify(receipt))
        try answer.check(with: shop.store.parts.transactionVerifier)
        lines.append("  " + answer.line(numbers))
    }

    /// Compares all lines with what was to come. In production the ledger is looked through, too, and
    /// the store is closed.
    func ends(
        as expected: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if let difference = difference(from: expected) {
            Issue.record(
                "The story went otherwise; - was to come, + came:\n\(difference)",
                sourceLocation: sourceLocation)
        }
        if shop.base == "/production" {
            #expect(try shop.store.ledgerFinding().state == .good, sourceLocation: sourceLocation)
        }
    }

    /// Nil when the lines are those that were to come; there, lines that begin with `//` are comments.
    func difference(from expected: String) -> String? {
        let wanted = expected.split(separator: "\n").map(String.init).filter {
            !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//")
        }
        return wanted == lines ? nil : LineDifference.text(wanted: wanted, found: lines)
    }
}

/// Short numbers for transactions: `#3` is the third that was made.
struct SaleNumbers {
    private let places: [String: Int]

    init(_ shop: SubscriptionFixture) throws {
        let sold = try shop.store.registry.defaultWorld.database.read {
            try $0.rows("SELECT id FROM store_transaction WHERE restore_id IS NULL ORDER BY id")
                .map { "\($0.integer(0))" }
        }
        places = Dictionary(uniqueKeysWithValues: zip(sold, 1...))
    }

    subscript(id: String) -> String { places[id].map { "#\($0)" } ?? "unknown \(id)" }
    subscript(id: Int64) -> String { self["\(id)"] }
}

extension Timestamp {
    /// `2026-05-01`, with the time of day unless that is midnight.
    var told: String {
        let text = CalendarDate(self).spaced
        if text.hasSuffix(" 00:00:00") { return String(text.prefix(10)) }
        return text.hasSuffix(":00") ? String(text.dropLast(3)) : text
    }
}

/// What two texts have in common, and what only one of them has.
enum LineDifference {
    /// Every line in its order: ` ` before what both have, `-` and `+` before the others.
    static func text(wanted: [String], found: [String]) -> String {
        var missing: Set<Int> = []
        var added: Set<Int> = []
        for change in found.difference(from: wanted) {
            switch change {
            case .remove(let place, _, _): missing.insert(place)
            case .insert(let place, _, _): added.insert(place)
            }
        }
        var lines: [String] = []
        var (left, right) = (0, 0)
        while left < wanted.count || right < found.count {
            if missing.contains(left) {
                lines.append("-" + wanted[left])
                left += 1
            } else if added.contains(right) {
                lines.append("+" + found[right])
                right += 1
            } else {
                lines.append(" " + found[right])
                (left, right) = (left + 1, right + 1)
            }
        }
        return lines.joined(separator: "\n")
    }
}
