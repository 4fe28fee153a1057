package import StoreHTTP
import StoreWire

/// A part of a list that fits into one answer, and whether the list continues.
package struct Page<Item> {
    package let items: [Item]
    /// Whether more items follow the last one.
    private let goesOn: Bool

    /// `find` returns up to the given number of items; it is asked for one more than the page has,
    /// to know whether the list continues.
    package init(of countMax: Int, _ find: (_ countMax: Int) throws -> [Item]) rethrows {
        let found = try find(countMax + 1)
        items = Array(found.prefix(countMax))
        goesOn = found.count > countMax
    }

    /// The place after which the next page begins; nil on the last.
    package func next<Place>(_ place: (Item) -> Place) -> Place? {
        goesOn ? items.last.map(place) : nil
    }
}

extension Parameter {
    /// Where a page begins.
    package static let after = Parameter(
        .query, "after", "The `next` of the previous page; 0 when absent.",
        schema: [
            "type": "integer", "format": "int64", "minimum": 0, "maximum": .integer(Int64.max),
        ], example: 0)

    /// The size of a page.
    package static func limit(_ usual: Int, countMax: Int) -> Parameter {
        Parameter(
            .query, "limit", "The size of a page; \(usual) when absent.",
            schema: ["type": "integer", "minimum": 1, "maximum": .integer(countMax)], example: 50)
    }
}

extension RefusalText {
    /// For an endpoint that takes `Parameter.after`.
    package static let badAfter: RefusalText = """
        `badQuery`: `after` is not a whole number from 0 up.
        """
}

extension HTTPRequest {
    /// `Parameter.after`.
    package func after() throws(Refusal) -> Int64 { try queryNumber("after") ?? 0 }

    /// A whole number from 0 up in the query.
    package func queryNumber(_ name: String) throws(Refusal) -> Int64? {
        guard let text = queryValue(name) else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw Refusal(400, "badQuery", "\(name) is not a whole number from 0 up.")
        }
        return number
    }
}
