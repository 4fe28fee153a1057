import StoreRules
import Testing

/// In which order a payment provider is asked.
struct ProviderTurnsTests {
    private static func served(_ waiting: Set<ProviderLine>, turns count: Int) -> [ProviderLine] {
        var turns = ProviderTurns()
        return (0..<count).compactMap { _ in turns.next(of: waiting) }
    }

    @Test func `waiting purchases come first and every queue gets its turn`() {
        let served = Self.served(Set(ProviderLine.allCases), turns: 80)
        #expect(served.first == .purchases)
        #expect(served.count { $0 == .purchases } == 50)
        #expect(served.count { $0 == .settlements } == 20)
        #expect(served.count { $0 == .renewals } == 10)
    }

    @Test(arguments: ProviderLine.allCases)
    func `a queue alone gets every turn`(line: ProviderLine) {
        #expect(Self.served([line], turns: 16) == Array(repeating: line, count: 16))
    }

    @Test func `a queue's unused turns go to the most urgent`() {
        let served = Self.served([.settlements, .renewals], turns: 8)
        #expect(served.count { $0 == .settlements } == 7 && served.last == .renewals)
    }

    @Test func `no turn is lost while nothing waits`() {
        var turns = ProviderTurns()
        #expect(turns.next(of: []) == nil)
        #expect(turns == ProviderTurns())
    }
}
