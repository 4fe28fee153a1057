import Foundation
import StoreLog
import StoreModel
import StoreService
import StoreWire
import Synchronization
import Testing

@testable import AppStoreServer
@testable import StoreHTTP

/// What an owner sees of the latest requests.
struct ActivityTests {
    private let store: TestStore

    init() throws {
        store = try TestStore(inspector: Inspector())
    }

    private func list(_ query: String = "", world: String = "") async throws -> ActivitiesBody {
        let answer = try await store.control("GET", "\(world)/control/v1/activity?\(query)")
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(ActivitiesBody.self, from: answer.body)
    }

    private func details(_ number: Int64, world: String = "") async throws -> ActivityDetailsBody {
        try await store.list("/activity/\(number)")
    }

    @Test func `a purchase is listed with its sender, and shown with its bodies and its lines`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.fuel, token: token)
        let listed = try await list()
        #expect(
            listed.requests.map { "\($0.method) \($0.path) \($0.status)" } == [
                "PUT /control/v1/apps/com.example.rocketcar/catalog 200",
                "POST /control/v1/accounts 201", "POST /sandbox/device/v1/register 200",
                "POST /sandbox/device/v1/sign-in 200", "POST /sandbox/device/v1/attempts 200",
            ])
        #expect(listed.requests.map(\.number) == [1, 2, 3, 4, 5])
        #expect(listed.first == 1 && listed.position == 5 && listed.next == nil)
        #expect(listed.requests.map(\.account) == [nil, "buyer", nil, "buyer", "buyer"])
        #expect(listed.requests.map(\.device) == [nil, nil, nil, 1, 1])
        #expect(
            listed.requests.map(\.bundleId) == [
                TestStore.bundleID, nil, TestStore.bundleID, TestStore.bundleID, TestStore.bundleID,
            ])
        #expect(
            listed.requests.map(\.environment) == [nil, nil, .sandbox, .sandbox, .sandbox])
        #expect(listed.requests.allSatisfy { $0.code == nil && $0.at == TestStore.start })
        let shown = try await details(5)
        #expect(shown.entry == listed.requests[4])
        #expect(shown.requestBody?.text?.contains(Samples.fuel) == true)
        #expect(shown.answerBody?.text?.contains(sold.transactionId) == true)
        #expect(shown.answerBody?.bytes == shown.entry.bytes)
        #expect(shown.lines.map(\.event) == ["purchased"])
        #expect(
            shown.lines.first?.fields == ["account": "1", "transaction": sold.transactionId])
        #expect(
            shown.headers == [
                ActivityHeaderBody(name: "Authorization", value: "<\(token.utf8.count + 7) bytes>"),
                ActivityHeaderBody(name: "Content-Type", value: "application/json"),
            ])
    }

    @Test func `a refusal is listed with its code and its sentence, in every shape`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let server = try await ServerAPIFixture(of: store)
        let start = try await list().position
        _ = try await store.attempt("no.such.product", token: token)
        _ = await store.send("GET", "/sandbox/device/v1/receipt")
        _ = await server.ask("GET", "/inApps/v1/transactions/17")
        _ = await store.send(
            "POST", "/sandbox/verifyReceipt", body: Array(#"{"receipt-data":"AAAA"}"#.utf8))
        _ = await store.send("GET", "/sandbox/verifyReceipt")
        _ = await store.send("GET", "/nowhere")
        _ = await store.send("GET", "/t/nowhere/sandbox/device/v1/receipt")
        let found = try await list("after=\(start)").requests
        #expect(
            found.map { "\($0.status) \($0.code ?? "-")" } == [
                "200 productUnknown", "401 tokenUnknown", "404 4040010", "200 21002", "200 21000",
                "404 notFound", "404 worldUnknown",
            ])
        #expect(found.allSatisfy { $0.why?.hasSuffix(".") == true || $0.code == "21002" })
        #expect(found[2].bundleId == TestStore.bundleID && found[2].account == nil)
        #expect(try await list("after=\(start)&status=refused").requests == found)
        #expect(try await list("after=\(start)&status=404").requests.count == 3)
        let verified = try await details(found[3].number)
        #expect(verified.lines.map(\.event) == ["receiptRefused"])
        #expect(verified.lines.first?.fields["why"] == found[3].why)
        #expect(verified.requestBody?.text?.contains("AAAA") == false)
    }

    @Test func `filters, order and search leave what they name`() async throws {
        try await store.stock()
        _ = try await store.signIn()
        #expect(try await list("order=newest").requests.map(\.number) == [4, 3, 2, 1])
        #expect(try await list("order=newest&limit=1").requests.map(\.number) == [4])
        #expect(try await list("environment=sandbox").requests.map(\.number) == [3, 4])
        #expect(try await list("account=buyer").requests.map(\.number) == [2, 4])
        #expect(try await list("search=SIGN-in").requests.map(\.number) == [4])
        #expect(try await list("status=201").requests.map(\.number) == [2])
        #expect(try await list("account=nobody").requests == [])
        let cut = try await list("after=1&limit=2")
        #expect(cut.requests.map(\.number) == [2, 3] && cut.next == 3 && cut.position == 3)
    }

    @Test(arguments: [
        "after=x", "limit=501", "limit=0", "order=last", "environment=test", "status=bad",
        "status=600", "wait=soon", "wait=1&order=newest",
        "search=\(String(repeating: "x", count: 201))",
    ])
    func `a wrong query is refused`(query: String) async throws {
        let refused = try await store.refusal("/activity?\(query)")
        #expect(refused.status == 400 && refused.code == "badQuery")
    }

    @Test(arguments: ["0", "99", "x", "01", "-1"])
    func `a request that is not kept is unknown`(number: String) async throws {
        let refused = try await store.refusal("/activity/\(number)")
        #expect(refused.status == 404 && refused.code == "activityUnknown")
    }

    @Test func `what owners read, monitoring and the inspector itself are left out`() async throws {
        try await store.stock()
        let start = try await list().position
        for path in ["/control/v1/apps", "/control/v1/activity", "/control/v1/worlds"] {
            #expect(try await store.control("GET", path).status == 200)
        }
        for path in [
            "/health", "/ready", "/openapi.json", "/metrics", "/console", "/console/app.js",
        ] {
            _ = await store.send("GET", path)
        }
        _ = try await store.control("GET", "/control/v1/activity/999")
        #expect(try await list().position == start)
        // A refused read is kept, and every change.
        _ = try await store.control("GET", "/control/v1/events/999")
        _ = await store.send("GET", "/control/v1/apps", token: "wrong")
        _ = try await store.control("PUT", "/control/v1/shop", body: ["delayMilliseconds": 1])
        #expect(try await list("after=\(start)").requests.count == 3)
    }

    @Test func `worlds are apart, and a deleted one takes its requests along`() async throws {
        for name in ["one", "two"] {
            let made = try await store.control(
                "POST", "/control/v1/worlds", body: MakeWorldBody(name: name))
            #expect(made.status == 201)
            try await store.stock(world: "/t/\(name)")
        }
        _ = try await store.register(in: "/t/two/sandbox")
        #expect(
            try await list().requests.map(\.path) == ["/control/v1/worlds", "/control/v1/worlds"])
        #expect(try await list(world: "/t/one").requests.map(\.number) == [1, 2])
        #expect(try await list(world: "/t/two").requests.map(\.number) == [1, 2, 3])
        let path = "/t/two/control/v1/activity/3"
        #expect(try await store.control("GET", path).status == 200)
        #expect(try await store.control("DELETE", "/control/v1/worlds/two").status == 204)
        let made = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "two"))
        #expect(made.status == 201)
        let again = try await list("after=3", world: "/t/two")
        #expect(again.requests == [] && again.position == 3 && again.first == 4)
        #expect(try await store.control("GET", path).status == 404)
        #expect(try await list(world: "/t/one").requests.count == 2)
    }

    @Test func `a reset world keeps its requests, the reset among those of the default world`()
        async throws
    {
        try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "one")
        ).expectStatus(201)
        try await store.stock(world: "/t/one")
        try await store.control(
            "POST", "/control/v1/worlds/one/reset", body: ResetWorldBody(keepCatalogue: false)
        ).expectStatus(200)
        #expect(try await list(world: "/t/one").position == 2)
        #expect(try await list().requests.last?.path == "/control/v1/worlds/one/reset")
        _ = await store.send("GET", "/t/one/sandbox/device/v1/receipt")
        #expect(try await list("after=2", world: "/t/one").requests.map(\.number) == [3])
    }

    /// Starts a request that waits; its answer comes with the stream.
    private func wait(_ query: String, world: String = "") -> AsyncStream<HTTPResponse> {
        let (stream, continuation) = AsyncStream.makeStream(of: HTTPResponse.self)
        store.start(
            "GET", "\(world)/control/v1/activity?wait=25&\(query)", token: TestStore.controlToken
        ) {
            continuation.yield($0)
            continuation.finish()
        }
        return stream
    }

    private func first(_ stream: AsyncStream<HTTPResponse>) async throws -> ActivitiesBody {
        for await answer in stream {
            try #require(answer.status == 200)
            return try WireJSON.decode(ActivitiesBody.self, from: answer.body)
        }
        throw CancellationError()
    }

    @Test func `a list that waits is answered with the next request of its world`() async throws {
        try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "one")
        ).expectStatus(201)
        let other = wait("after=0", world: "/t/one")
        let waiting = wait("after=1")
        #expect(store.parts.watchers.count == 2)
        _ = await store.send("GET", "/sandbox/device/v1/receipt")
        let body = try await first(waiting)
        #expect(body.requests.map(\.code) == ["tokenUnknown"] && body.position == 2)
        #expect(store.parts.watchers.count == 1)
        // News that is there is told at once; so is the present position after one from the future.
        #expect(try await first(wait("after=1")) == body)
        for place in ["after=99", "after=2&list=earlier"] {
            let told = wait(place)
            #expect(store.parts.watchers.count == 1)
            #expect(try await first(told).position == 2)
        }
        // Another wait ends with its store.
        store.parts.inspector?.close()
        #expect(try await first(other).requests == [])
        #expect(store.parts.watchers.count == 0)
        #expect(try await store.refusal("/activity?after=2&wait=25").status == 503)
    }

    @Test func `a store without an inspector says how it gets one`() async throws {
        let plain = try TestStore()
        for path in ["/activity", "/activity/1", "/activity?wait=25"] {
            let refused = try await plain.refusal(path)
            #expect(refused.status == 404 && refused.code == "inspectorOff")
            #expect(refused.message.contains("--inspector"))
        }
    }

    @Test func `a store with real customers has no inspector unless it is asked for`() throws {
        var configuration = StoreConfiguration(dataDirectory: "/nowhere")
        #expect(configuration.hasInspector)
        configuration.paymentGateway = try PaymentGatewayConfiguration(
            url: "https://payments.example.com", secretFile: nil, certificateAuthorityFile: nil)
        #expect(!configuration.hasInspector)
        configuration.keepsActivity = true
        #expect(configuration.hasInspector)
        configuration.paymentGateway = nil
        configuration.keepsActivity = false
        #expect(!configuration.hasInspector)
    }

    @Test func `beyond so many requests a second only the refused ones are kept in detail`()
        async throws
    {
        let uptime = Mutex<Int64>(50_000)
        let inspector = Inspector(ring: ActivityRing(), detailsPerSecond: 2) {
            uptime.withLock { $0 }
        }
        let busy = try TestStore(inspector: inspector)
        try await busy.stock()
        _ = try await busy.register()
        _ = await busy.send("GET", "/sandbox/device/v1/receipt")
        let shown = try (1...4).map { try #require(inspector.details($0, of: .default)) }
        #expect(shown.map(\.headers.isEmpty) == [false, false, true, false])
        #expect(shown.map { $0.requestBody == nil } == [false, false, true, true])
        #expect(shown[2].entry.path == "/sandbox/device/v1/register")
        #expect(shown.map { $0.lines.isEmpty } == [false, false, true, true])
        // The time is that of the answer: a poll that began long ago takes no more than others.
        busy.move(byMilliseconds: -20_000)
        _ = try await busy.register()
        busy.move(byMilliseconds: 20_000)
        _ = try await busy.register()
        #expect(inspector.details(6, of: .default)?.requestBody == nil)
        uptime.withLock { $0 += 1_000 }
        _ = try await busy.register()
        #expect(inspector.details(7, of: .default)?.requestBody != nil)
    }

    @Test func `of too many deleted worlds the earlier half counts as deleted with the last of it`()
        throws
    {
        let inspector = Inspector(ring: ActivityRing(countMax: 1), deletionsMax: 4)
        let names = try (1...5).map { try #require(WorldName("w\($0)")) }
        for name in names { inspector.forget(name) }
        // Three were evicted, w1 to w3: nothing is known of a world but that it is not newer.
        let living = try #require(WorldName("living"))
        for name in names + [living] {
            let was = (0...5).map { inspector.add(Self.activity(of: name), since: $0) == nil }
            let last = name == names[3] ? 4 : name == names[4] ? 5 : 3
            #expect(was == (0...5).map { $0 < last }, "\(name)")
        }
        #expect(inspector.add(Self.activity(of: .default), since: 0) != nil)
    }

    private static func activity(of world: WorldName) -> Activity {
        Activity(
            world: world,
            entry: ActivityEntryBody(
                number: 0, request: "r", at: TestStore.start, method: "GET", path: "/",
                environment: nil, status: 200, code: nil, why: nil, microseconds: 0, bytes: 0,
                account: nil, device: nil, bundleId: nil))
    }

    @Test func `a query or path that was cut says so`() async throws {
        let long = String(repeating: "猫", count: 500)
        let path = "/sandbox/" + String(repeating: "p", count: KeptText.pathMax)
        _ = await store.send("GET", path + "?a=1&long=\(long)&b=2")
        _ = await store.send("GET", "/sandbox/p?a=1&b=2")
        let found = try await list().requests.suffix(2)
        #expect(found.map { $0.path.hasSuffix("p…") } == [true, false])
        let queries = try await [details(found[0].number).query, details(found[1].number).query]
        #expect(queries == ["a=1…", "a=1&b=2"])
    }

    @Test func `a refusal at a session's control is one of that world`() async throws {
        try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "two")
        ).expectStatus(201)
        let before = try await list().position
        for (method, path, status) in [
            ("GET", "/t/two/control/v1/clock", 401), ("GET", "/t/two/bogus", 404),
        ] {
            #expect(await store.send(method, path).status == status)
        }
        #expect(try await list(world: "/t/two").requests.map(\.status) == [401, 404])
        #expect(try await list().position == before)
    }

    @Test(arguments: ["", "account"])
    func `a name that no account can have is refused`(kind: String) async throws {
        let name = kind.isEmpty ? "" : String(repeating: "x", count: Limits.accountNameBytesMax + 1)
        let answer = try await store.control("GET", "/control/v1/activity?account=\(name)")
        #expect(answer.status == 400 && errorCode(answer) == "badQuery")
    }

    @Test func `an answer that the listener gave is listed in its world and place`() async throws {
        try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "two")
        ).expectStatus(201)
        let before = try await list().position
        func record(_ id: String, _ segments: [String]) -> AccessRecord {
            AccessRecord(
                requestID: id, method: "POST", path: "/" + segments.joined(separator: "/"),
                segments: segments, host: nil, status: 413, durationMicroseconds: 7,
                responseBytes: 90, isWhole: true,
                ownAnswer: Refusal(413, "bodyTooLarge", "It is too large.").response)
        }
        store.handler.note(record("a-1", ["t", "two", "sandbox", "verifyReceipt"]))
        store.handler.note(record("a-2", ["health"]))
        store.handler.note(record("a-3", ["t", "nowhere", "sandbox", "verifyReceipt"]))
        let found = try await list("environment=sandbox", world: "/t/two").requests
        #expect(found.map(\.request) == ["a-1"] && found.map(\.status) == [413])
        #expect(found.map(\.code) == ["bodyTooLarge"] && found.map(\.bytes) == [90])
        #expect(try await list("after=\(before)").requests.map(\.request) == ["a-3"])
    }

    @Test func `a late answer of a deleted world is not in the next world of that name`()
        async throws
    {
        let inspector = Inspector()
        let store = try TestStore(inspector: inspector)
        func make() async throws {
            try await store.control(
                "POST", "/control/v1/worlds", body: MakeWorldBody(name: "two")
            ).expectStatus(201)
        }
        try await make()
        let name = try #require(WorldName("two"))
        let world = try #require(try store.registry.world(name))
        let request = HTTPRequest(
            id: "late", method: "GET", path: "/t/two/sandbox/device/v1/receipt",
            segments: ["t", "two", "sandbox", "device", "v1", "receipt"])
        func answered(_ watch: RequestWatch) {
            watch.answered(Refusal(401, "tokenUnknown", "No.").response, to: request)
        }
        let place = RoutePlace(request.segments)
        func watch() -> RequestWatch {
            RequestWatch(request, at: place, TestStore.start, inspector: inspector)
        }
        let (late, inTime) = (watch(), watch())
        for each in [late, inTime] { each.enter(world) }
        answered(inTime)
        #expect(inspector.details(1, of: name)?.entry.request == "late")
        try await store.control("DELETE", "/control/v1/worlds/two").expectStatus(204)
        try await make()
        answered(late)
        let next = watch()
        next.enter(try #require(try store.registry.world(name)))
        answered(next)
        #expect(inspector.page(.init(), of: name, countMax: 9).requests.map(\.number) == [2])
    }

    @Test func `a query is shown as a client may send it again`() async throws {
        _ = await store.send("GET", "/sandbox/device/v1/receipt?account=ann%2B1 & b&token=hidden")
        let shown = try #require(try await list().requests.last)
        let query = try await details(shown.number).query
        #expect(query == "account=ann%252B1%20&%20b=&token=<6 bytes>")
    }

    @Test func `an answer that replaced the handler's changes the entry of its request`()
        async throws
    {
        let path = ["sandbox", "device", "v1", "receipt"]
        await withCheckedContinuation { continuation in
            store.handler.handle(
                HTTPRequest(
                    id: "first", method: "GET", path: "/sandbox/device/v1/receipt", segments: path),
                Responder { _ in continuation.resume() })
        }
        // However many came in between.
        for _ in 1...200 { _ = await store.send("GET", "/sandbox/device/v1/receipt") }
        let first = try #require(try await list("limit=1").requests.first)
        #expect(first.request == "first" && first.status == 401)
        store.handler.note(
            AccessRecord(
                requestID: first.request, method: "GET", path: first.path,
                segments: path, host: nil, status: 503,
                durationMicroseconds: 7, responseBytes: 40, isWhole: true,
                ownAnswer: Refusal(503, "answersTooLarge", "Ask again.").response))
        let changed = try #require(try await list("limit=1").requests.first)
        #expect(changed.number == first.number && changed.status == 503)
        #expect(changed.code == "answersTooLarge")
        #expect(try await list().requests.count == 201)
    }
}
