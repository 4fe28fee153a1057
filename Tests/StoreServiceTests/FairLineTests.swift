import StoreService
import Testing

/// Who gets a place, and whose turn it is.
struct FairLineTests {
    private typealias Line = FairLine<String, String>

    /// Takes everything in turn.
    private func drained(_ line: inout Line) -> [String] {
        var works: [String] = []
        while let work = line.next(where: { _ in true }) { works.append(work) }
        return works
    }

    /// Adds works named after their callers, such as `a1`; says what became of each.
    private func add(_ works: [String], to line: inout Line, rank: Int = 0) -> [String] {
        works.map { work in
            switch line.add(work, of: String(work.prefix(1)), rank: rank) {
            case .taken: "taken"
            case .displaced(let other): "displaced \(other)"
            case .full: "full"
            }
        }
    }

    @Test func `callers take turns, and each one's work stays in order`() {
        var line = Line(placesMax: [9])
        _ = add(["a1", "a2", "a3", "b1", "c1", "c2"], to: &line)
        #expect(line.count == 6)
        #expect(drained(&line) == ["a1", "b1", "c1", "a2", "c2", "a3"])
        #expect(line.count == 0)
    }

    @Test func `a lower rank goes first, and a crowd of another takes none of its places`() {
        var line = Line(placesMax: [2, 3])
        let crowd = add(["a1", "b1", "c1", "d1", "e1"], to: &line, rank: 1)
        #expect(crowd == ["taken", "taken", "taken", "full", "full"])
        #expect(add(["x1", "y1"], to: &line) == ["taken", "taken"])
        #expect(drained(&line) == ["x1", "y1", "a1", "b1", "c1"])
    }

    @Test func `every other rank gets turns while the first never runs out`() {
        var line = Line(placesMax: [9, 2, 2])
        _ = add(["y1"], to: &line, rank: 2)
        _ = add(["x1"], to: &line, rank: 1)
        var works: [String] = []
        for number in 0..<8 {
            _ = add(["a\(number)"], to: &line)
            works.append(line.next { _ in true } ?? "")
        }
        #expect(works == ["a0", "a1", "a2", "x1", "a3", "a4", "a5", "y1"])
    }

    @Test func `a newcomer gets a place from the caller with the most, which loses its newest`() {
        var line = Line(placesMax: [4])
        #expect(add(["a1", "a2", "a3", "a4", "a5"], to: &line).last == "full")
        #expect(
            add(["b1", "b2", "b3", "c1"], to: &line) == [
                "displaced a4", "displaced a3", "full", "displaced b2",
            ])
        #expect(drained(&line) == ["a1", "b1", "c1", "a2"])
    }

    @Test func `a place that was given back can be taken again`() {
        var line = Line(placesMax: [1])
        #expect(add(["a1", "b1"], to: &line) == ["taken", "full"])
        #expect(line.next { _ in true } == "a1")
        #expect(add(["b1"], to: &line) == ["taken"])
    }

    @Test func `works taken out of turn leave the others in order and their places free`() {
        var line = Line(placesMax: [5])
        _ = add(["a1", "a2", "a3", "b1", "c1"], to: &line)
        #expect(line.take(of: "a", rank: 0) { $0 != "a2" } == ["a1", "a3"])
        #expect(line.take(of: "b", rank: 0) { _ in true } == ["b1"])
        #expect(line.take(of: "x", rank: 0) { _ in true }.isEmpty)
        #expect(line.count == 2)
        #expect(add(["b2", "a4", "d1", "d2"], to: &line) == ["taken", "taken", "taken", "full"])
        #expect(drained(&line) == ["a2", "c1", "b2", "d1", "a4"])
    }

    @Test func `work that is not free is passed over without losing its turn`() {
        var line = Line(placesMax: [9])
        _ = add(["a1", "a2", "b1", "c1"], to: &line)
        #expect(line.next { $0 != "a1" } == "b1")
        #expect(line.next { $0.hasPrefix("a") } == "a1")
        #expect(line.next { $0 == "x" } == nil)
        #expect(drained(&line) == ["c1", "a2"])
    }
}
