import Testing

@testable import StoreCaller

/// Which call starts next.
struct CallLanesTests {
    private func lanes(_ calls: [String], callsMax: Int, perHost: Int) -> CallLanes<String> {
        var lanes = CallLanes<String>(callsMax: callsMax, callsPerHostMax: perHost)
        // The first letter is the host.
        for call in calls { lanes.add(call, host: String(call.prefix(1))) }
        return lanes
    }

    private func start(_ lanes: inout CallLanes<String>) -> [String] {
        var started: [String] = []
        while let call = lanes.next() { started.append(call) }
        return started
    }

    @Test func `hosts take turns, and the calls of one go as they came`() {
        var lanes = lanes(["a1", "a2", "a3", "b1", "c1", "b2"], callsMax: 100, perHost: 10)
        #expect(start(&lanes) == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test func `a host at its limit goes on when one of its calls ends`() {
        var lanes = lanes(["a1", "a2", "a3"], callsMax: 100, perHost: 2)
        #expect(start(&lanes) == ["a1", "a2"])
        lanes.finish(host: "a")
        #expect(start(&lanes) == ["a3"])
        lanes.finish(host: "a")
        lanes.finish(host: "a")
        lanes.add("a4", host: "a")
        #expect(start(&lanes) == ["a4"])
    }

    @Test(arguments: 1...15)
    func `however many hosts hang, there is a place for another one`(count: Int) {
        let hosts = "abcdefghijklmno".prefix(count)
        let calls = (0..<20).flatMap { number in hosts.map { "\($0)\(number)" } }
        var lanes = lanes(calls, callsMax: 16, perHost: 8)
        #expect(!start(&lanes).isEmpty)
        lanes.add("z", host: "z")
        #expect(start(&lanes) == ["z"])
    }

    @Test func `a host alone gets half of the places, or its limit`() {
        var few = lanes((0..<20).map { "a\($0)" }, callsMax: 16, perHost: 20)
        #expect(start(&few).count == 8)
        var many = lanes((0..<20).map { "a\($0)" }, callsMax: 16, perHost: 6)
        #expect(start(&many).count == 6)
    }

    @Test func `what has not started is taken out`() {
        var lanes = lanes(["a1", "b1", "a2", "a3"], callsMax: 4, perHost: 1)
        #expect(start(&lanes) == ["a1", "b1"])
        #expect(lanes.removeWaiting() == ["a2", "a3"])
        lanes.finish(host: "a")
        #expect(lanes.next() == nil)
    }
}
