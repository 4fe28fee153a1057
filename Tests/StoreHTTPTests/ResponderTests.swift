import Foundation
import StoreHTTP
import Testing

struct ResponderTests {
    @Test func `only the first answer is delivered`() {
        let answers = Box<[Int]>([])
        let responder = Responder { response in answers.update { $0.append(response.status) } }
        #expect(!responder.isAnswered)
        responder.send(HTTPResponse(status: 200))
        responder.send(HTTPResponse(status: 201))
        responder.expire()
        #expect(responder.isAnswered)
        #expect(answers.value == [200])
    }

    @Test func `of many threads answering one request, one delivers`() {
        for _ in 0..<200 {
            let answers = Box(0)
            let responder = Responder { _ in answers.update { $0 += 1 } }
            onThreads(4) { _ in responder.send(HTTPResponse(status: 200)) }.wait()
            #expect(answers.value == 1)
        }
    }

    @Test func `a request nobody answered is answered 503 once`() {
        let answers = Box<[Int]>([])
        let responder = Responder { response in answers.update { $0.append(response.status) } }
        responder.expire()
        responder.expire()
        responder.send(HTTPResponse(status: 200))
        #expect(answers.value == [503])
    }
}

struct AnswerCountsTests {
    @Test func `an answer counts up to the bound of its duration, or beyond all`() {
        let counts = AnswerCounts()
        for microseconds in [0, 1_000, 1_001, 5_000_000, 5_000_001] {
            counts.count(200, microseconds: microseconds)
        }
        #expect(counts.durations.counts == [2, 1, 0, 0, 0, 0, 0, 0, 1, 1])
        #expect(counts.durations.microseconds == 10_002_002)
        #expect(counts.figures.map(\.count) == [5])
    }

    @Test func `an answer takes from the arrival of its request until it is sent`() {
        let counts = AnswerCounts()
        let responder = Responder { (_: HTTPResponse) in }
        responder.count(in: counts)
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .milliseconds(2) {}
        responder.send(HTTPResponse(status: 200))
        #expect(counts.durations.microseconds >= 2_000)
    }
}

struct GateTests {
    @Test func `a gate admits as many as its limit`() {
        let gate = Gate(limit: 2)
        let first = gate.acquire()
        var second = gate.acquire()
        #expect(first != nil && second != nil)
        #expect(gate.acquire() == nil)
        first?.release()
        first?.release()
        #expect(gate.count == 1)
        second = nil
        #expect(gate.count == 0)
        #expect(second == nil)
        #expect(Gate(limit: 0).acquire() == nil)
    }

    @Test func `an annex has fewer of a gate's places`() {
        let gate = Gate(limit: 3, annexLimit: 1)
        let annexed = gate.acquire(inAnnex: true)
        #expect(annexed != nil)
        #expect(gate.acquire(inAnnex: true) == nil)
        let others = [gate.acquire(), gate.acquire()]
        #expect(others.allSatisfy { $0 != nil })
        #expect(gate.acquire() == nil)
        annexed?.release()
        annexed?.release()
        #expect(gate.count == 2)
        #expect(gate.acquire(inAnnex: true) != nil)
    }

    @Test func `a gate counts correctly among many threads`() {
        let gate = Gate(limit: 8)
        let most = Box(0)
        onThreads(16) { _ in
            for _ in 0..<500 {
                guard let pass = gate.acquire() else { continue }
                let now = gate.count
                most.update { $0 = max($0, now) }
                pass.release()
            }
        }.wait()
        #expect(gate.count == 0)
        #expect((1...8).contains(most.value))
    }
}

struct HTTPHeadersTests {
    @Test(arguments: [
        ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER abc", "abc"), ("Bearer ", nil),
        ("Bearer", nil), ("Basic abc", nil), ("", nil),
    ])
    func `a bearer token is found in its header`(value: String, token: String?) {
        #expect(HTTPHeaders([("authorization", value)]).bearerToken == token)
    }

    @Test func `header names ignore case and the first value counts`() {
        let headers = HTTPHeaders([("X-One", "1"), ("x-oNE", "2"), ("X-Ones", "3")])
        #expect(headers["X-ONE"] == "1")
        #expect(headers.count(of: "x-one") == 2)
        #expect(headers["X-On"] == nil)
        // U+004B and U+212A (the Kelvin sign) are the same letter to Unicode, not to HTTP.
        #expect(HTTPHeaders([("k", "1")])["\u{212a}"] == nil)
    }
}
