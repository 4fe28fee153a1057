import StoreRules
import Testing

@Suite struct SeededDrawTests {
    private static func hits(_ seed: Int64) -> [UInt64] {
        (0..<128).filter { SeededDraw.number(seed, $0) % 100 < 20 }
    }

    @Test func `a seed decides the numbers of all questions`() {
        #expect(Self.hits(7) == Self.hits(7))
        #expect(SeededDraw.number(7, 1, 2) != SeededDraw.number(7, 2, 1))
        #expect(SeededDraw.number(7, 1) != SeededDraw.number(7, 1, 0))
    }

    @Test func `seeds that are close give numbers that are not`() {
        let counts = (0..<20).map { Self.hits($0).count }
        #expect(Set(counts).count > 5, "\(counts)")
        #expect(counts.allSatisfy { (10...45).contains($0) }, "\(counts)")
        #expect(Set((0..<20).map { Self.hits($0) }).count == 20)
    }
}
