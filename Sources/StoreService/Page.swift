package import StoreHTTP
import StoreWire

/// A part of a list, as long as one answer may be, and whether the list goes on.
package struct Page<Item> {
    package let items: [Item]
    /// Whether others follow the last item.
    private let goesOn: Bool

    /// `find` gives up to so many items; it is asked for one more than the page has, to know
    /// whether the list goes on.
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
    /// Where a page goes on.
    package static let after = Parameter(
        .query, "after", "The `next` of the page before; 0 when absent.",
        schema: [
            "type": "integer", "format": "int64", "minimum": 0, "maximum": .integer(Int64.max),
        ], example: 0)

    /// How long a page is.
    package static func limit(_ usual: Int, countMax: Int) -> Parameter {
        Parameter(
            .query, "limit", "How many a page has; \(usual) when absent.",
            schema: ["type": "integer", "minimum": 1, "maximum": .integer(countMax)], example: 50)
    }
}

extension RefusalText {
    /// Of an endpoint that takes `Parameter.after`.
    package static let badAfter: RefusalText = """
        `badQuery`: `after` is no whole number from 0 up.
        """
}

extension HTTPRequest {
    /// `Parameter.after`.
    package func after() throws(Refusal) -> Int64 { try queryNumber("after") ?? 0 }

    /// A query item that holds a whole number from 0 up.
    package func queryNumber(_ name: String) throws(Refusal) -> Int64? {
        guard let text = queryValue(name) else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw Refusal(400, "badQuery", "\(name) is not a whole number from 0 up.")
        }
        return number
    }
}
