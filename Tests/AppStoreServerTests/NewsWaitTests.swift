import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Devices of several worlds that wait in one request.
@Suite(.ownThreads) struct NewsWaitTests {
    private let store: TestStore
    private let otherDevice = "0D6A4D7C-61A4-4B0E-9A3C-7B2B7A3C9E22"

    init() throws {
        store = try TestStore()
    }

    private func body(_ devices: [NewsWaitBody.Device], wait: Int64 = 25) throws -> [UInt8] {
        try WireJSON.encode(NewsWaitBody(devices: devices, wait: wait))
    }

    /// The places of the devices that are ready.
    private func wait(for devices: [NewsWaitBody.Device], wait: Int64 = 25) async throws -> [Int] {
        let answer = await store.send(
            "POST", "/device/v1/waits", body: try body(devices, wait: wait))
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(NewsWaitAnswerBody.self, from: answer.body).ready
    }

    /// The default world and one session, each with a catalogue and an account.
    private func stock() async throws {
        try await store.stock()
        let made = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "one"))
        try #require(made.status == 201)
        try await store.stock(world: "/t/one")
    }

    private func device(
        _ token: String, world: String = "default", after: Int64 = 0, signed: Bool = false
    ) -> NewsWaitBody.Device {
        NewsWaitBody.Device(
            id: UUID().uuidString, world: world, environment: .sandbox, token: token, after: after,
            signed: signed)
    }

    /// Returns when as many polls wait in a world.
    private func untilWaiting(_ count: Int, in world: String = "default") async throws {
        let name = try #require(WorldName(world))
        let hub = try #require(try store.registry.world(name)).updates
        let end = ContinuousClock.now + .seconds(120)
        while hub.waitingCount != count {
            try #require(ContinuousClock.now < end, "\(hub.waitingCount) wait")
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    @Test func `news of a device in one world ends a wait of devices in two`() async throws {
        try await stock()
        let buyer = try await store.signIn(guid: otherDevice, in: "/t/one/sandbox")
        let first = device(try await store.signIn())
        let second = device(try await store.signIn(in: "/t/one/sandbox"), world: "one")
        async let ready = wait(for: [first, second])
        try await untilWaiting(1)
        try await untilWaiting(1, in: "one")
        _ = try await store.buy(Samples.fuel, token: buyer, in: "/t/one/sandbox")
        #expect(try await ready == [1])
        try await untilWaiting(0)
    }

    @Test func `news after the cursor and of the wanted kind ends a wait at once`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let bought = try await store.buy(Samples.club, token: token)
        #expect(try await wait(for: [device(token)]) == [0])
        let news = await store.send(
            "GET", "/sandbox/device/v1/updates?after=0", token: token)
        let cursor = try WireJSON.decode(UpdatesBody.self, from: news.body).cursor
        #expect(try await wait(for: [device(token, after: cursor)], wait: 0) == [])
        let cancelled = try await store.control(
            "POST", "/control/v1/subscriptions/\(bought.transactionId)/cancel")
        try #require(cancelled.status == 200)
        let devices = [
            device(token, after: cursor), device(token, after: cursor, signed: true),
        ]
        #expect(try await wait(for: [devices[0]], wait: 0) == [])
        #expect(try await wait(for: [devices[1]], wait: 0) == [0])
    }

    @Test func `a device that cannot wait is ready`() async throws {
        try await stock()
        let token = try await store.signIn()
        let signedOut = try await store.register(guid: otherDevice, in: "/sandbox")
        let devices = [
            device(token), device("unknown"), device(token, world: "none"),
            device(token, world: "one"), device(signedOut),
        ]
        #expect(try await wait(for: devices) == [1, 2, 3, 4])
    }

    @Test func `of an id that stands twice the first wait is ready`() async throws {
        try await store.stock()
        let twice = device(try await store.signIn())
        #expect(try await wait(for: [twice, twice]) == [0])
    }

    @Test func `a device that signs out while it waits is ready`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        async let ready = wait(for: [device(token)])
        try await untilWaiting(1)
        let answer = await store.send("POST", "/sandbox/device/v1/sign-out", token: token)
        try #require(answer.status == 200)
        #expect(try await ready == [0])
    }

    @Test func `the end of a world ends the wait of its devices`() async throws {
        try await stock()
        let devices = [
            device(try await store.signIn()),
            device(try await store.signIn(in: "/t/one/sandbox"), world: "one"),
        ]
        async let ready = wait(for: devices)
        try await untilWaiting(1)
        try await untilWaiting(1, in: "one")
        let deleted = try await store.control("DELETE", "/control/v1/worlds/one")
        try #require(deleted.status == 204)
        #expect(try await ready == [1])
    }

    @Test func `a wait that another request names again leaves its earlier one`() async throws {
        try await stock()
        let token = try await store.signIn()
        let first = device(token)
        let second = device(try await store.signIn(in: "/t/one/sandbox"), world: "one")
        async let earlier = wait(for: [first])
        try await untilWaiting(1)
        // Of the same device, but another wait: both go on.
        async let another = wait(for: [device(token)])
        try await untilWaiting(2)
        async let later = wait(for: [second, first])
        #expect(try await earlier == [0])
        try await untilWaiting(2)
        let buyer = try await store.signIn(guid: otherDevice)
        _ = try await store.buy(Samples.fuel, token: buyer)
        #expect(try await later == [1])
        #expect(try await another == [0])
    }

    @Test func `a device beyond its account's share learns its news when the request ends`()
        async throws
    {
        try await stock()
        let token = try await store.signIn()
        let hub = store.registry.defaultWorld.updates
        let account = try #require(
            try store.registry.defaultWorld.database.read {
                try $0.value("SELECT id FROM account WHERE name = 'buyer'")
            } as AccountID?)
        let tickets = (1...Limits.pollsPerAccountMax).map { number in
            hub.join(
                account, device: DeviceID(Int64(1_000 + number)), topic: .keyValues(AppID(1)),
                waitID: "\(number)", end: {})
        }
        #expect(!tickets.contains { $0 == nil })
        // Alone, it would take a place of others.
        let refused = await store.send(
            "POST", "/device/v1/waits", body: try body([device(token)]))
        #expect(errorCode(refused) == "busy")
        #expect(store.parts.polls.count == 0)
        let other = device(try await store.signIn(in: "/t/one/sandbox"), world: "one")
        #expect(try await wait(for: [device(token), other], wait: 1) == [])
        _ = try await store.buy(Samples.fuel, token: token)
        #expect(try await wait(for: [device(token), other]) == [0])
        for ticket in tickets { ticket?.leave() }
        #expect(hub.waitingCount == 0)
    }

    @Test func `a device has its share of waits, and its next one is refused`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        var waits: [Task<[Int], any Error>] = []
        for count in 1...Limits.pollsPerDeviceMax {
            waits.append(Task { try await wait(for: [device(token)]) })
            try await untilWaiting(count)
        }
        let refused = await store.send(
            "POST", "/device/v1/waits", body: try body([device(token)]))
        #expect(errorCode(refused) == "busy")
        store.registry.defaultWorld.updates.close()
        for wait in waits { #expect(try await wait.value == [0]) }
        // The world takes no more, as at a stop.
        let late = await store.send("POST", "/device/v1/waits", body: try body([device(token)]))
        #expect(errorCode(late) == "busy")
        #expect(store.parts.polls.count == 0)
    }

    @Test func `a world stays open while a device of it waits with others`() async throws {
        try await stock()
        weak let world = try store.registry.world(try #require(WorldName("one")))
        let devices = [
            device(try await store.signIn()),
            device(try await store.signIn(in: "/t/one/sandbox"), world: "one"),
        ]
        async let ready = wait(for: devices)
        try await untilWaiting(1, in: "one")
        // Requests are looked at one after the other: the first has begun to wait.
        #expect(try await wait(for: [device("unknown")], wait: 0) == [0])
        store.registry.closeIdle(milliseconds: 0)
        #expect(world?.updates.waitingCount == 1)
        try #require(try await store.control("DELETE", "/control/v1/worlds/one").status == 204)
        #expect(try await ready == [1])
        let end = ContinuousClock.now + .seconds(120)
        while world != nil, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(world == nil, "the wait is over and keeps its world")
    }

    @Test func `all devices of a request take one place, and without one it is refused`()
        async throws
    {
        try await stock()
        let token = try await store.signIn()
        let devices = [device(token), device(try await store.signIn(guid: otherDevice))]
        let passes = (1..<Limits.pollsMax).compactMap { _ in store.parts.polls.acquire() }
        async let ready = wait(for: devices)
        try await untilWaiting(2)
        while store.parts.polls.count < Limits.pollsMax { await Task.yield() }
        let refused = await store.send(
            "POST", "/device/v1/waits", body: try body([device(token)]))
        #expect(refused.status == 503)
        #expect(errorCode(refused) == "busy")
        // Strangers are answered without a place.
        #expect(try await wait(for: [device("unknown")]) == [0])
        store.registry.defaultWorld.updates.close()
        #expect(try await !ready.isEmpty)
        #expect(store.parts.polls.count == passes.count)
    }

    @Test(arguments: [
        (#"{"devices":[],"wait":0}"#, "badField"),
        (#"{"devices":[D],"wait":-1}"#, "badField"),
        (#"{"devices":[-],"wait":0}"#, "badField"),
        (#"{"devices":[id],"wait":0}"#, "badField"),
        (#"{"devices":[D],"wait":1e99}"#, "badBody"),
        (#"{"devices":[65],"wait":0}"#, "badField"),
        (#"{"devices":[/],"wait":0}"#, "badField"),
        (#"{"devices":[{}],"wait":0}"#, "badBody"),
        (#"{"wait":0}"#, "badBody"),
    ])
    func `a body that cannot be waited for is refused`(text: String, code: String) async throws {
        let device = String(decoding: try WireJSON.encode(device("t")), as: UTF8.self)
        let many = Array(repeating: "D", count: 65).joined(separator: ",")
        let body = text.replacing("[65]", with: "[\(many)]")
            .replacing("[-]", with: "[\(device.replacing(#""after":0"#, with: #""after":-1"#))]")
            .replacing("[/]", with: "[\(device.replacing("default", with: "../default"))]")
            .replacing("[id]", with: "[\(device.replacing(#""id":""#, with: #""id":"x"#))]")
            .replacing("D,", with: device + ",").replacing("D]", with: device + "]")
        let answer = await store.send("POST", "/device/v1/waits", body: Array(body.utf8))
        #expect(errorCode(answer) == code, "\(String(decoding: answer.body, as: UTF8.self))")
        #expect(store.parts.polls.count == 0)
    }
}
