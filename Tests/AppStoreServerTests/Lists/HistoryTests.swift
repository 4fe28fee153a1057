import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import AppStoreServer

/// The owner's view of what happened in a world.
struct HistoryTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func kinds(_ query: String) async throws -> [String] {
        (try await store.list("/events?\(query)") as EventsBody).events.map(\.kind)
    }

    /// A purchase in the sandbox that was finished, and one in production.
    private func happen() async throws {
        let real = try await store.openProduction()
        try await store.topUp("20")
        let test = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.fuel, token: test)
        _ = try await store.buy(Samples.turbo, token: real, in: "/production")
    }

    @Test func `the history has every happening, with whom and what it is about`() async throws {
        try await happen()
        let answer = try await store.control("GET", "/control/v1/events")
        let text = String(decoding: answer.body, as: UTF8.self)
            .replacing(store.registry.defaultWorld.id, with: "<world>")
        try Golden.check(Array(text.utf8), "control-events.json")
        let body = try WireJSON.decode(EventsBody.self, from: answer.body)
        #expect(body.events.map(\.kind) == ["purchased", "finished", "purchased"])
        #expect(body.events.map(\.account) == ["buyer", "buyer", "payer"])
        #expect(body.events.map(\.productId) == [Samples.fuel, Samples.fuel, Samples.turbo])
        #expect(body.next == nil && body.position == 3)
        let one = try await store.control("GET", "/control/v1/events/1")
        try Golden.check(one.body, "control-event.json")
        let shown = try WireJSON.decode(EventDetailsBody.self, from: one.body)
        #expect(shown.event == body.events[0] && shown.transaction?.state == .finished)
    }

    @Test func `filters and orders leave what they name, on every page once`() async throws {
        try await happen()
        #expect(try await kinds("account=buyer") == ["purchased", "finished"])
        #expect(try await kinds("account=buyer&order=newest") == ["finished", "purchased"])
        #expect(try await kinds("environment=production") == ["purchased"])
        #expect(try await kinds("app=\(TestStore.bundleID)").count == 3)
        #expect(try await kinds("kind=purchased") == ["purchased", "purchased"])
        #expect(try await kinds("kind=finished&account=buyer") == ["finished"])
        #expect(try await kinds("kind=finished&environment=production") == [])
        #expect(try await kinds("after=2") == ["purchased"])
        #expect(try await kinds("after=3") == [])
        for order in ListOrder.allCases {
            for filter in ["", "&account=buyer", "&environment=production", "&kind=purchased"] {
                for limit in 1...4 {
                    let path = "/events?order=\(order)\(filter)"
                    let whole: EventsBody = try await store.list(path)
                    let found = try await store.walk(
                        path + "&limit=\(limit)", { (page: EventsBody) in page.events },
                        { $0.next.map { "\($0)" } })
                    #expect(found == whole.events)
                }
            }
        }
    }

    @Test(arguments: ListOrder.allCases, ["environment=production", "kind=revoked"])
    func `a page looks at so many events and goes on`(order: ListOrder, query: String)
        async throws
    {
        try await happen()
        let sold = try await store.sales("environment=production")[0]
        let revoked = try await store.control(
            "POST", "/control/v1/transactions/\(sold)/revoke", body: RevokeBody(reason: .issue))
        try #require(revoked.status == 200)
        let expected: [Int64] =
            switch (query, order) {
            case ("kind=revoked", _): [4]
            case (_, .oldest): [3, 4]
            case (_, .newest): [4, 3]
            }
        try store.registry.defaultWorld.database.read { scope in
            let filter = try HistoryFilter(request(query), scope)
            var found: [Int64] = []
            var place: Int64?
            for _ in 1...4 {
                let page = try scope.history(
                    filter, after: place, order, countMax: 9, lookingAt: 1)
                found += page.events.map(\.number)
                place = page.end
                #expect(place != nil)
            }
            #expect(found == expected)
            let last = try scope.history(filter, after: place, order, countMax: 9, lookingAt: 1)
            #expect(last.events.isEmpty && last.end == nil)
        }
    }

    /// Starts a request that waits; its answer comes with the stream.
    private func wait(_ query: String) -> AsyncStream<HTTPResponse> {
        let (stream, continuation) = AsyncStream.makeStream(of: HTTPResponse.self)
        store.start(
            "GET", "/control/v1/events?wait=25&\(query)", token: TestStore.controlToken
        ) {
            continuation.yield($0)
            continuation.finish()
        }
        return stream
    }

    private func first(_ stream: AsyncStream<HTTPResponse>) async throws -> EventsBody {
        for await answer in stream {
            try #require(answer.status == 200)
            return try WireJSON.decode(EventsBody.self, from: answer.body)
        }
        throw CancellationError()
    }

    @Test func `a request that waits is answered with what happens`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let waiting = wait("after=0")
        #expect(store.parts.watchers.count == 1)
        let sold = try await store.buy(Samples.fuel, token: token)
        let body = try await first(waiting)
        #expect(body.events.map(\.transactionId) == [sold.transactionId])
        #expect(body.position == 1)
        // What is there already is told at once.
        #expect(try await first(wait("after=0")) == body)
        #expect(store.parts.watchers.count == 0)
        // What happens to others only moves the position on.
        let made = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        #expect(made.status == 201)
        let others = ["account=other", "kind=refundRequested"].map { wait("after=1&\($0)") }
        _ = try await store.buy(Samples.fuel, token: token)
        for other in others {
            let nothing = try await first(other)
            #expect(nothing.events.isEmpty && nothing.position == 2)
        }
    }

    @Test(.timeLimit(.minutes(3))) func `what happens ends a wait long before its time`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let pass = try #require(store.parts.watchers.acquire())
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        let number = store.registry.defaultWorld.history.wait(seconds: 86_400, pass) {
            continuation.finish()
        }
        #expect(number != nil)
        _ = try await store.buy(Samples.fuel, token: token)
        for await _ in ended {}
        #expect(!Task.isCancelled)
    }

    @Test func `sixteen may wait, and news that is there needs no place`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.fuel, token: token)
        let waiting = (0..<Limits.watchersMax).map { _ in wait("after=1") }
        let busy = try await store.refusal("/events?after=1&wait=25")
        #expect(busy.status == 503 && busy.code == "busy")
        #expect(try await first(wait("after=0")).events.count == 1)
        // They take no device's place, and end with their world.
        #expect(store.parts.polls.count == 0)
        store.registry.defaultWorld.history.close()
        for stream in waiting { #expect(try await first(stream).events.isEmpty) }
        #expect(try await store.refusal("/events?after=1&wait=25").status == 503)
    }

    @Test func `a position from the future goes on from the present one`() async throws {
        try await happen()
        let body: EventsBody = try await store.list("/events?after=99")
        #expect(body.events.isEmpty && body.position == 3 && body.next == nil)
        // At once, so that what happens next is not missed.
        let future = wait("after=99")
        #expect(store.parts.watchers.count == 0)
        let waited = try await first(future)
        #expect(waited.events.isEmpty && waited.position == 3)
        #expect(waited.list == store.registry.defaultWorld.id)
        let other = wait("after=3&list=earlier")
        #expect(store.parts.watchers.count == 0)
        #expect(try await first(other).list == waited.list)
        let empty = try TestStore()
        let nothing: EventsBody = try await empty.list("/events?after=99")
        #expect(nothing.events.isEmpty && nothing.position == 0 && nothing.list != waited.list)
    }

    @Test(arguments: [
        ("after=x", "after is not a whole number from 0 up."),
        ("after=-1", "after is not a whole number from 0 up."),
        ("wait=soon", "wait is not a whole number from 0 up."),
        ("limit=201", "limit is not a number from 1 to 200."),
        ("order=last", "order is not one of oldest, newest."),
        ("environment=test", "environment is not one of production, sandbox."),
        (
            "kind=sold",
            "kind is not one of \(Event.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
        ),
        ("order=newest&wait=1", "wait needs the oldest first: what happens next comes last."),
    ])
    func `a bad question is refused with what is wrong`(query: String, sentence: String)
        async throws
    {
        let found = try await store.refusal("/events?\(query)")
        #expect(found.status == 400 && found.code == "badQuery" && found.message == sentence)
    }

    @Test func `unknown names and numbers are not found`() async throws {
        try await happen()
        #expect(try await store.refusal("/events?account=payer").code == "accountUnknown")
        #expect(try await store.refusal("/events?app=none").code == "appUnknown")
        for number in ["0", "4", "x", "01", "99999999999999999999"] {
            let found = try await store.refusal("/events/\(number)")
            #expect(found.status == 404 && found.code == "eventUnknown")
            #expect(found.message == "This world has no event with that number.")
        }
    }
}
