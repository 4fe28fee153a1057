import StoreHTTP
import StoreService
import Testing

@testable import AppStoreServer

/// Where a path leads, by itself and at a host that stands for another path.
struct RoutePlaceTests {
    private static let apple = "sandbox.itunes.apple.com"
    private static let places = HostPlaces([
        RequestHost(apple): ["sandbox"],
        RequestHost("buy.itunes.apple.com"): ["t", "one", "production"],
    ])

    struct Row: Sendable, CustomTestStringConvertible {
        var host: String?
        let path: String
        var world: String?
        let table: RoutePlace.Table?
        let rest: String

        var testDescription: String { "\(host ?? "no host") /\(path)" }
    }

    private func check(_ row: Row, at places: HostPlaces) {
        let place = places.place(
            of: row.path.split(separator: "/").map(String.init), at: row.host)
        #expect(place.world == row.world)
        #expect(place.table == row.table)
        #expect(place.segments.joined(separator: "/") == row.rest)
    }

    static let plain = [
        Row(path: "health", table: .root, rest: "health"),
        Row(path: "control/v1/faults", table: .control, rest: "faults"),
        Row(path: "control/v1/worlds", table: .root, rest: "control/v1/worlds"),
        Row(path: "sandbox/verifyReceipt", table: .environment(.sandbox), rest: "verifyReceipt"),
        Row(
            path: "t/one/production/verifyReceipt", world: "one",
            table: .environment(.production), rest: "verifyReceipt"),
        Row(path: "t/one/health", world: "one", table: nil, rest: ""),
        Row(path: "verifyReceipt", table: nil, rest: ""),
    ]

    @Test(
        arguments: plain,
        [nil, "localhost:8080", "apple.com", "a.\(apple)", "\(apple).", "\(apple):x", "", "[::1"])
    func `other hosts change nothing`(row: Row, host: String?) {
        var row = row
        row.host = host
        check(row, at: Self.places)
    }

    @Test(arguments: plain, [nil, apple])
    func `no host changes anything unless it has a place`(row: Row, host: String?) {
        var row = row
        row.host = host
        check(row, at: HostPlaces())
    }

    @Test(arguments: [
        Row(
            host: apple, path: "verifyReceipt", table: .environment(.sandbox),
            rest: "verifyReceipt"),
        Row(
            host: "Sandbox.iTunes.Apple.com:443", path: "verifyReceipt",
            table: .environment(.sandbox), rest: "verifyReceipt"),
        Row(
            host: "buy.itunes.apple.com", path: "verifyReceipt", world: "one",
            table: .environment(.production), rest: "verifyReceipt"),
        Row(
            host: apple, path: "control/v1/faults", table: .environment(.sandbox),
            rest: "control/v1/faults"),
        Row(
            host: apple, path: "sandbox/verifyReceipt", table: .environment(.sandbox),
            rest: "sandbox/verifyReceipt"),
        Row(host: apple, path: "health", table: .environment(.sandbox), rest: "health"),
    ])
    func `a host that has a place leads there and nowhere else`(row: Row) {
        check(row, at: Self.places)
    }

    @Test(arguments: AppleHost.allCases, ["verifyReceipt", "inApps/v1/transactions/1"])
    func `each of Apple's names leads to its environment of the default world`(
        host: AppleHost, path: String
    ) {
        // Where Apple has one host for both, no environment can be told from it.
        let row = Row(
            host: host.rawValue, path: path, table: host.environment.map { .environment($0) },
            rest: host.environment == nil ? String(path.drop { $0 != "/" }.dropFirst()) : path)
        for spelling in [host.rawValue, host.rawValue.uppercased(), host.rawValue + ":8443"] {
            var row = row
            row.host = spelling
            check(row, at: .apple)
        }
    }

    @Test(
        arguments: AppleHost.allCases,
        [
            "control/v1/faults", "control/v1/worlds", "health", "openapi.json",
            "t/one/control/v1/faults", "t/one/sandbox/verifyReceipt", "sandbox/verifyReceipt",
        ])
    func `Apple's names lead to no other place of the store`(host: AppleHost, path: String) {
        guard let environment = host.environment else { return }
        check(
            Row(host: host.rawValue, path: path, table: .environment(environment), rest: path),
            at: .apple)
    }

    @Test func `control is closed at Apple's names`() async throws {
        let store = try TestStore(places: .apple)
        for host in AppleHost.allCases {
            for path in ["/control/v1/faults", "/control/v1/worlds"] {
                let answer = await store.send(
                    "GET", path, token: TestStore.controlToken, headers: [("Host", host.rawValue)])
                #expect(answer.status == (host.environment == nil ? 421 : 404))
            }
        }
    }

    @Test func `a request, its sender and its body limit are judged at its host's place`()
        async throws
    {
        let store = try TestStore(places: Self.places)
        try await store.stock()
        let host = [("Host", Self.apple)]
        let path = "/verifyReceipt"
        let token = try await store.signIn()
        let answer = await store.send("POST", path, headers: host, body: Array("{}".utf8))
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":21002}"#)
        #expect(await store.send("POST", path, body: Array("{}".utf8)).status == 404)
        let account = store.sender("/sandbox/verifyReceipt", token: token)
        #expect(account != .stranger)
        #expect(store.sender(path, token: token, headers: host) == account)
        #expect(store.bodyBytesMax(path, host: Self.apple) == Limits.receiptBodyMax)
        #expect(store.bodyBytesMax(path, host: nil) == Limits.bodyMax)
        let control = await store.send(
            "GET", "/control/v1/faults", token: TestStore.controlToken, headers: host)
        #expect(control.status == 404)
    }
}
