import Foundation
import StoreWire
import TestSupport
import Testing

/// A store among clients that stall, poll, drip and never read: who buys and who verifies is
/// served. What it measured is printed.
@Suite(.serialized, .ownThreads) struct SlowClientTests {
    private static let polled = "buyer@example.com"
    private static let buyer = "second@example.com"
    private static let pollsEach = 8

    /// Durations in milliseconds, by what was asked.
    private struct Load {
        let lab: Lab
        let token: String
        let receipt: String

        init(_ lab: Lab) throws {
            self.lab = lab
            try lab.bodega(["account", "add", buyer, "--password", "rocket-fuel-1"])
            token = try lab.signedInDevice(account: buyer)
            let base = lab.storeURL + "/sandbox"
            let bought = try Self.buy(base, token)
            try #require(bought == 200)
            let answer = try Lab.call("GET", base + "/device/v1/receipt", token: token)
            receipt = Data(answer.body).base64EncodedString()
        }

        static func buy(_ base: String, _ token: String) throws -> Int {
            let body = AttemptRequestBody(
                attemptId: UUID().uuidString, productId: Lab.fuel, quantity: 1,
                applicationUsername: nil)
            return try Lab.call(
                "POST", base + "/device/v1/attempts", token: token,
                body: try WireJSON.encode(body)
            ).status
        }

        /// Buys until the receipt is long; gives its bytes.
        func fillReceipt(purchases: Int) throws -> Int {
            let base = lab.storeURL + "/sandbox"
            for _ in 0..<purchases { _ = try Self.buy(base, token) }
            return try Lab.call("GET", base + "/device/v1/receipt", token: token).body.count
        }

        /// Buys and verifies on some threads, each call on a connection of its own; everything
        /// must be answered well.
        func run(_ name: String, calls: Int = 25) {
            let times = Shared<[String: [Double]]>([:])
            let failures = Shared<[String]>([])
            let base = lab.storeURL + "/sandbox"
            let (token, receipt) = (token, receipt)
            onThreads(4) { thread in
                for _ in 0..<calls {
                    let isPurchase = thread % 2 == 0
                    let start = Date()
                    do {
                        let isGood =
                            isPurchase
                            ? try Self.buy(base, token) == 200
                            : try Self.verify(base, receipt).contains(#""status":0"#)
                        if !isGood { failures.update { $0.append("a bad answer") } }
                    } catch {
                        failures.update { $0.append("\(error)") }
                    }
                    let spent = Date().timeIntervalSince(start) * 1_000
                    times.update {
                        $0[isPurchase ? "purchase" : "verifyReceipt", default: []].append(spent)
                    }
                }
            }
            #expect(failures.value.isEmpty, "\(failures.value)")
            for (what, list) in times.value.sorted(by: { $0.key < $1.key }) {
                let sorted = list.sorted()
                let p50 = Int(sorted[sorted.count / 2])
                let p99 = Int(sorted[sorted.count * 99 / 100])
                let line = "\(name): \(what) p50 \(p50) ms, p99 \(p99) ms\n"
                FileHandle.standardError.write(Data(line.utf8))
            }
        }

        private static func verify(_ base: String, _ receipt: String) throws -> String {
            let answer = try Lab.call(
                "POST", base + "/verifyReceipt",
                body: Array(#"{"receipt-data":"\#(receipt)"}"#.utf8))
            return String(decoding: answer.body, as: UTF8.self)
        }
    }

    private func sockets(_ count: Int, to lab: Lab, sending text: String) throws -> [RawConnection]
    {
        try (0..<count).map { _ in
            let socket = try RawConnection(port: lab.storePort)
            socket.push(text)
            return socket
        }
    }

    private func polls(_ count: Int, to lab: Lab) throws -> [RawConnection] {
        // Signing in takes so long that the first polls would be over before the last begin.
        let tokens = try stride(from: 0, to: count, by: Self.pollsEach).map { _ in
            try lab.signedInDevice()
        }
        var sockets: [RawConnection] = []
        for token in tokens {
            let poll =
                "GET /sandbox/device/v1/updates?after=0&wait=25 HTTP/1.1\r\nHost: a\r\n"
                + "Authorization: Bearer \(token)\r\n\r\n"
            sockets += try self.sockets(
                min(Self.pollsEach, count - sockets.count), to: lab, sending: poll)
        }
        return sockets
    }

    fileprivate static let half =
        "POST /sandbox/device/v1/attempts HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"

    @Test func `500 stalled and 500 polling clients hold up no purchase`() throws {
        RawConnection.raiseLimit()
        let lab = try Lab.open()
        let load = try Load(lab)
        load.run("nobody else")
        let stalled = try sockets(500, to: lab, sending: Self.half)
        let polls = try polls(500, to: lab)
        load.run("500 stalled, 500 polling")
        // The polls wait for the server, not the server for them: they are left alone.
        #expect(polls.allSatisfy { !$0.isClosed })
        _ = stalled
    }

    @Test func `more stalled clients than connections hold up no purchase`() throws {
        RawConnection.raiseLimit()
        let lab = try Lab.open()
        let load = try Load(lab)
        // Fewer than two queues of connections hold, of which one more would not even connect.
        let stalled = try sockets(1_500, to: lab, sending: Self.half)
        load.run("1,500 stalled")
        #expect(eventually { stalled.count { $0.isClosed } > 0 })
    }

    @Test func `dripping and never-reading clients hold up no purchase`() throws {
        RawConnection.raiseLimit()
        let lab = try Lab.open()
        let load = try Load(lab)
        let receiptBytes = try load.fillReceipt(purchases: 180)
        let unread = try (0..<200).map { _ in
            let socket = try RawConnection(port: lab.storePort, takesLittle: true)
            socket.push(
                "GET /sandbox/device/v1/receipt HTTP/1.1\r\nHost: a\r\n"
                    + "Authorization: Bearer \(load.token)\r\n\r\n")
            return socket
        }
        // The kernel takes about 44 KB of each for a client like these.
        #expect(receiptBytes > 60_000)
        let dripping = try sockets(900, to: lab, sending: Self.half)
        let isOver = Shared(false)
        let drops = Drops(dripping, port: lab.storePort)
        Thread.detachNewThread {
            while !isOver.value {
                drops.fall()
                usleep(200_000)
            }
        }
        #expect(eventually { drops.count > 100 }, "some were cut off and came back")
        load.run("200 unread, 900 dripping and coming back")
        isOver.update { $0 = true }
        _ = unread
    }

    /// Sends one more byte on each connection, and makes those anew that were closed.
    private final class Drops: @unchecked Sendable {
        private var sockets: [RawConnection]
        private let port: Int
        private let reopened = Shared(0)

        init(_ sockets: [RawConnection], port: Int) {
            self.sockets = sockets
            self.port = port
        }

        var count: Int { reopened.value }

        func fall() {
            for (index, socket) in sockets.enumerated() {
                socket.push(" ")
                guard socket.isClosed, let next = try? RawConnection(port: port) else { continue }
                next.push(SlowClientTests.half)
                sockets[index] = next
                reopened.update { $0 += 1 }
            }
        }
    }

    @Test func `polls beyond an account's share are asked to come back and hold up no purchase`()
        throws
    {
        RawConnection.raiseLimit()
        let lab = try Lab.open()
        let load = try Load(lab)
        let polls = try polls(600, to: lab)
        load.run("600 polling")
        #expect(
            eventually { polls.count { $0.status == "503" } >= 536 }, "those beyond 64 are refused")
        #expect(polls.count { $0.status == "503" } == 536, "and no others")
    }

    @Test func `a stop ends slow clients and polls in time`() throws {
        RawConnection.raiseLimit()
        let lab = try Lab.open()
        let stalled = try sockets(300, to: lab, sending: Self.half)
        let polls = try polls(100, to: lab)
        // When those beyond 64 are refused, all others wait.
        #expect(eventually { polls.count { $0.hasNews } >= 36 })
        lab.store?.terminate()
        #expect(try lab.store?.wait() == 0)
        #expect(polls.allSatisfy { $0.hasNews })
        _ = stalled
    }
}
