import StoreHTTP
import StoreService
import Testing

/// How a list is cut into pages, and where the next one begins.
struct PageTests {
    @Test(arguments: 0...7)
    func `the pages of a list have each of its items once, in its order`(_ count: Int) throws {
        let list = Array(0..<count)
        var found: [Int] = []
        var after: Int? = -1
        while let place = after {
            let page = Page(of: 3) { countMax in
                Array(list.filter { $0 > place }.prefix(countMax))
            }
            #expect(page.items.count <= 3)
            #expect(count == 0 || !page.items.isEmpty, "no page leads to an empty one")
            found += page.items
            after = page.next { $0 }
        }
        #expect(found == list)
    }

    private func after(_ query: [(name: String, value: String)]) throws -> Int64 {
        try HTTPRequest(method: "GET", path: "/a", segments: ["a"], query: query).after()
    }

    @Test func `a list begins at its beginning unless a place is given`() throws {
        #expect(try after([]) == 0)
        #expect(try after([("after", "7")]) == 7)
        #expect(try after([("after", "\(Int64.max)")]) == .max)
    }

    @Test(arguments: ["", "-1", "1.0", "one", "9223372036854775808", " 1"])
    func `a place that is not a whole number from 0 up is refused`(_ text: String) {
        let refusal = #expect(throws: Refusal.self) { try after([("after", text)]) }
        #expect(refusal?.status == 400)
        #expect(refusal?.code == "badQuery")
    }
}
