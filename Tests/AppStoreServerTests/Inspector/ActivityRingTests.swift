import StoreLog
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The requests that are kept: how many, whose, and in which order they are told.
struct ActivityRingTests {
    private static let session = WorldName("one") ?? .default

    private static func activity(
        _ number: Int64 = 0, in world: WorldName = .default, text: String? = nil,
        code: String? = nil, account: String? = nil
    ) -> Activity {
        let payload = text.map {
            ActivityPayloadBody(text: $0, bytes: Int64($0.utf8.count), isCut: false, sha256: nil)
        }
        return Activity(
            world: world,
            entry: ActivityEntryBody(
                number: number, request: "id-\(number)", at: TestStore.start, method: "POST",
                path: "/sandbox/verifyReceipt", environment: .sandbox,
                status: code == nil ? 200 : 404, code: code, why: nil, microseconds: 1, bytes: 2,
                account: account, device: nil, bundleId: nil),
            details: Activity.Details(requestBody: payload))
    }

    private func numbers(
        _ ring: ActivityRing, _ question: ActivityRing.Question = ActivityRing.Question(),
        of world: WorldName = .default, countMax: Int = 5_000
    ) -> [Int64] {
        ring.page(question, of: world, countMax: countMax).requests.map(\.number)
    }

    @Test func `the oldest of too many requests leaves`() {
        var ring = ActivityRing()
        for number in 1...Int64(Limits.activitiesMax + 7) {
            _ = ring.append(Self.activity(number))
        }
        #expect(ring.count == Limits.activitiesMax)
        #expect(numbers(ring) == Array(8...Int64(Limits.activitiesMax + 7)))
        #expect(ring.page(.init(), of: .default, countMax: 1).first == 8)
        #expect(ring.activity(7, of: .default) == nil)
        #expect(ring.activity(8, of: .default)?.entry.request == "id-8")
    }

    @Test func `bodies of all sizes stay within the budget of bytes`() throws {
        var ring = ActivityRing()
        var random = SplitMix(seed: 7)
        for _ in 1...6_000 {
            let size = Int.random(in: 0...(Limits.activityBodyMax), using: &random)
            _ = ring.append(Self.activity(text: String(repeating: "x", count: size)))
            #expect(ring.bytes <= Limits.activityBytesMax)
        }
        let kept = numbers(ring)
        let sum = try kept.reduce(0) {
            try $0 + #require(ring.activity($1, of: .default)).bytes
        }
        #expect(sum == ring.bytes)
        // Nothing left that would have had room.
        #expect(ring.bytes > Limits.activityBytesMax - 2 * Limits.activityBodyMax)
        #expect(kept.last == 6_000 && kept.count < Limits.activitiesMax)
    }

    @Test func `a line that is added later counts, and makes older requests leave`() {
        var ring = ActivityRing(countMax: 10, bytesMax: 3 * Self.activity(1).bytes + 1_000)
        for _ in 1...3 { _ = ring.append(Self.activity()) }
        let before = ring.bytes
        let line = HeardLine(
            Log.Line(
                level: .info, event: "e", logFields: [],
                eventFields: [("why", .text(String(repeating: "y", count: 900)))]))
        ring.change(3, of: .default) { $0.add(line) }
        #expect(numbers(ring) == [2, 3] && ring.bytes != before)
        #expect(ring.activity(3, of: .default)?.body.lines == [line.body])
        ring.change(1, of: .default) { $0.add(line) }
        #expect(numbers(ring) == [2, 3])
    }

    @Test func `a request larger than the budget leaves nothing behind`() {
        var ring = ActivityRing(countMax: 10, bytesMax: 2_000)
        _ = ring.append(Self.activity(text: String(repeating: "x", count: 4_000)))
        #expect(ring.count == 0 && ring.bytes == 0)
        #expect(ring.page(.init(), of: .default, countMax: 9).first == 2)
    }

    @Test func `each world has numbers of its own, without gaps`() {
        var ring = ActivityRing()
        for index in 1...9 {
            _ = ring.append(Self.activity(in: index % 3 == 0 ? Self.session : .default))
        }
        #expect(numbers(ring) == [1, 2, 3, 4, 5, 6])
        #expect(numbers(ring, of: Self.session) == [1, 2, 3])
        ring.forget(Self.session)
        #expect(numbers(ring, of: Self.session) == [] && ring.count == 6)
        #expect(numbers(ring) == [1, 2, 3, 4, 5, 6])
        let number = ring.append(Self.activity(in: Self.session))
        #expect(number == 4)
    }

    @Test func `a list keeps its name until its world is deleted, and no other has it`() {
        func name(_ ring: ActivityRing, of world: WorldName) -> String {
            ring.page(.init(), of: world, countMax: 1).list
        }
        var ring = ActivityRing()
        let before = [name(ring, of: .default), name(ring, of: Self.session)]
        #expect(before[0] != name(ActivityRing(), of: .default), "a store that starts again")
        for world in [WorldName.default, Self.session] { _ = ring.append(Self.activity(in: world)) }
        #expect([name(ring, of: .default), name(ring, of: Self.session)] == before)
        ring.forget(Self.session)
        #expect(name(ring, of: .default) == before[0])
        let after = name(ring, of: Self.session)
        #expect(!before.contains(after))
        _ = ring.append(Self.activity(in: Self.session))
        #expect(name(ring, of: Self.session) == after)
    }

    @Test(arguments: ListOrder.allCases, 1...4)
    func `pages have every request once, in their order`(order: ListOrder, countMax: Int) {
        var ring = ActivityRing(countMax: 6)
        for _ in 1...9 { _ = ring.append(Self.activity()) }
        var question = ActivityRing.Question(order: order)
        var found: [Int64] = []
        while true {
            let page = ring.page(question, of: .default, countMax: countMax)
            found += page.requests.map(\.number)
            #expect(page.first == 4)
            #expect(page.position == (order == .oldest ? page.next ?? 9 : 9))
            guard let next = page.next else { break }
            question.after = next
        }
        #expect(found == (order == .oldest ? Array(4...9) : (4...9).reversed()))
    }

    @Test func `a cursor from the future goes on from the present`() {
        var ring = ActivityRing()
        #expect(ring.page(.init(after: 99), of: .default, countMax: 9).position == 0)
        _ = ring.append(Self.activity())
        let page = ring.page(.init(after: 99), of: .default, countMax: 9)
        #expect(page.requests.isEmpty && page.position == 1 && page.first == 1)
    }

    @Test func `filters leave what they name`() {
        var ring = ActivityRing()
        for index in 1...4 as ClosedRange<Int64> {
            _ = ring.append(
                Self.activity(
                    index, code: index % 2 == 0 ? "appUnknown" : nil,
                    account: index > 2 ? "buyer" : nil))
        }
        #expect(numbers(ring, .init(account: "buyer")) == [3, 4])
        #expect(numbers(ring, .init(environment: .production)) == [])
        #expect(numbers(ring, .init(environment: .sandbox)) == [1, 2, 3, 4])
        #expect(numbers(ring, .init(status: .refused)) == [2, 4])
        #expect(numbers(ring, .init(status: .number(200))) == [1, 3])
        #expect(numbers(ring, .init(search: "appun")) == [2, 4])
        #expect(numbers(ring, .init(search: "verifyr")) == [1, 2, 3, 4])
        #expect(numbers(ring, .init(search: "id-3")) == [3])
        #expect(numbers(ring, .init(account: "buyer", status: .refused)) == [4])
    }
}

private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
