import Glibc

/// A statement's column names, found through a table created once per statement.
@usableFromInline final class ColumnNames: Sendable {
    /// The bytes of all names, one after another, and where each begins; the last entry is the end.
    private let bytes: [UInt8]
    private let starts: [Int]
    /// Positions of names, counted from 1, at their marks or after them; 0 for an empty slot.
    private let slots: [UInt8]
    /// The positions of names that several columns share.
    private let twice: Set<UInt8>
    static let countMax = 200

    init(_ names: [String]) {
        precondition(names.count <= Self.countMax, "a query gives at most \(Self.countMax) columns")
        let names = names.map { Array($0.utf8) }
        var twice: Set<UInt8> = []
        var slots = [UInt8](repeating: 0, count: names.count > 32 ? 1_024 : 128)
        for (place, name) in names.enumerated() {
            var slot =
                unsafe name.withUnsafeBufferPointer { unsafe Self.mark($0) } & (slots.count - 1)
            while slots[slot] != 0, names[Int(slots[slot]) - 1] != name {
                slot = (slot + 1) & (slots.count - 1)
            }
            if slots[slot] == 0 {
                slots[slot] = UInt8(place + 1)
            } else {
                twice.insert(slots[slot])
            }
        }
        bytes = names.flatMap { $0 }
        starts = names.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        self.slots = slots
        self.twice = twice
    }

    /// The position of a column by its name. Rows are read column by column in the busiest requests,
    /// so it allocates nothing and compares whole names at once.
    @usableFromInline func place(of name: StaticString) -> Int {
        let wanted = unsafe UnsafeBufferPointer(
            start: name.utf8Start, count: name.utf8CodeUnitCount)
        var slot = unsafe Self.mark(wanted) & (slots.count - 1)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if unsafe isName(wanted, at: place) {
                precondition(
                    twice.isEmpty || !twice.contains(slots[slot]),
                    "the query gives several columns \(name): name them with AS")
                return place
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        preconditionFailure("the query gives no column \(name)")
    }

    private func isName(_ wanted: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        let start = starts[place]
        guard starts[place + 1] - start == wanted.count else { return false }
        guard let first = wanted.baseAddress else { return true }
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let all = bytes.baseAddress else { return true }
            return unsafe memcmp(all + start, first, wanted.count) == 0
        }
    }

    /// Hashes four bytes: the names in a query hardly ever share all of them.
    private static func mark(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        guard !name.isEmpty else { return 0 }
        let (first, middle, last) = unsafe (name[0], name[name.count / 2], name[name.count - 1])
        return name.count &* 37 &+ Int(first) &* 7 &+ Int(middle) &* 19 &+ Int(last) &* 131
    }
}
