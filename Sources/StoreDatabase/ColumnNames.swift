/// A statement's column names, found through a table created once per statement.
@usableFromInline final class ColumnNames: Sendable {
    private let names: [[UInt8]]
    /// Positions of names, counted from 1, at their marks or after them; 0 for an empty slot.
    private let slots: [UInt8]
    /// The positions of names that several columns share.
    private let twice: Set<UInt8>
    static let countMax = 200

    init(_ names: [String]) {
        precondition(names.count <= Self.countMax, "a query gives at most \(Self.countMax) columns")
        self.names = names.map { Array($0.utf8) }
        var twice: Set<UInt8> = []
        var slots = [UInt8](repeating: 0, count: names.count > 32 ? 1_024 : 128)
        for (place, name) in self.names.enumerated() {
            var slot = Self.mark(name) & (slots.count - 1)
            while slots[slot] != 0, self.names[Int(slots[slot]) - 1] != name {
                slot = (slot + 1) & (slots.count - 1)
            }
            if slots[slot] == 0 {
                slots[slot] = UInt8(place + 1)
            } else {
                twice.insert(slots[slot])
            }
        }
        self.slots = slots
        self.twice = twice
    }

    /// The position of a column by its name.
    @usableFromInline func place(of name: StaticString) -> Int {
        name.withUTF8Buffer { wanted in
            var slot = unsafe Self.mark(wanted) & (slots.count - 1)
            while slots[slot] != 0 {
                let place = Int(slots[slot]) - 1
                if unsafe names[place].elementsEqual(wanted) {
                    precondition(
                        twice.isEmpty || !twice.contains(slots[slot]),
                        "the query gives several columns \(name): name them with AS")
                    return place
                }
                slot = (slot + 1) & (slots.count - 1)
            }
            preconditionFailure("the query gives no column \(name)")
        }
    }

    /// Hashes four bytes: the names in a query hardly ever share all of them.
    private static func mark(_ name: some RandomAccessCollection<UInt8>) -> Int {
        guard let first = name.first, let last = name.last else { return 0 }
        let middle = name[name.index(name.startIndex, offsetBy: name.count / 2)]
        return name.count &* 37 &+ Int(first) &* 7 &+ Int(middle) &* 19 &+ Int(last) &* 131
    }
}
