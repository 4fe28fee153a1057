import StoreHTTP
import StoreModel
import Testing

@testable import AppStoreServer

/// The table of faults: which one a request meets, and how often.
final class FaultsTests {
    private let faults = Faults()
    private let pattern = RoutePattern("/transactions/:id")

    private func place(_ environment: StoreEnvironment? = nil) -> Faults.Place {
        Faults.Place(environment: environment, pattern: pattern)
    }

    private func fault(_ status: Int, count: Int? = nil) -> Fault {
        Fault(effect: .receiptStatus(status, isRetryable: nil), count: count)
    }

    private func next(_ environment: StoreEnvironment = .sandbox) -> Fault? {
        faults.next(in: environment, pattern)
    }

    @Test func `a fault applies to its number of requests, of both environments together`() {
        #expect(next() == nil)
        faults.set(fault(1, count: 2), at: place())
        #expect(faults.present(at: place()) == fault(1, count: 2))
        #expect(next(.sandbox) == fault(1, count: 2))
        #expect(faults.present(at: place()) == fault(1, count: 1))
        #expect(next(.production) == fault(1, count: 1))
        #expect(next() == nil)
        #expect(faults.present(at: place()) == nil)
    }

    @Test func `a fault without a number lasts until it is removed or replaced`() {
        faults.set(fault(1), at: place())
        for _ in 1...3 { #expect(next() == fault(1)) }
        faults.set(fault(2), at: place())
        #expect(next() == fault(2))
        faults.set(nil, at: place())
        #expect(next() == nil)
    }

    @Test func `a fault of one environment goes before that of both, which waits`() {
        faults.set(fault(1, count: 1), at: place())
        faults.set(fault(2, count: 1), at: place(.sandbox))
        #expect(next(.sandbox) == fault(2, count: 1))
        #expect(faults.present(at: place()) == fault(1, count: 1))
        #expect(next(.sandbox) == fault(1, count: 1))
        faults.set(fault(3), at: place(.sandbox))
        #expect(next(.production) == nil)
    }

    @Test func `a fault of one address is none of another`() {
        faults.set(fault(1), at: place())
        #expect(faults.next(in: .sandbox, RoutePattern("/transactions")) == nil)
        #expect(faults.next(in: .sandbox, RoutePattern("/transactions/:id/finish")) == nil)
        #expect(next() == fault(1))
    }
}
