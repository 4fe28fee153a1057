import Foundation
import StoreCaller
import StoreModel
import StoreWire
import Synchronization

/// Who moves a store's clock on, again and again, whatever becomes of the store meanwhile; between
/// two advances the payments of somebody begin to fail, or go through again.
final class RenewalOwner: Sendable {
    private struct State: Sendable {
        var random: SplitMix
        var isStopping = false
        var isAdvancing = false
        /// Where the clock is to go.
        var target: Timestamp
    }

    private let url: String
    private let token: String
    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    /// Days of an advance while payments fail: too few for a subscription to end over it.
    private static let failingDaysMax: UInt64 = 30
    private static let daysMax: UInt64 = 100
    private static let pauseMicroseconds: UInt32 = 5_000

    init(lab: Lab, seed: UInt64, begin: Timestamp) throws {
        url = lab.storeURL + "/control/v1"
        token = try String(contentsOfFile: lab.storeData + "/control-token", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        state = Mutex(State(random: SplitMix(seed: seed), target: begin))
    }

    var isAdvancing: Bool { state.withLock { $0.isAdvancing } }

    /// Where the clock is going, to be shown.
    var now: String { CalendarDate(state.withLock { $0.target }).rfc3339 }

    /// Moves the clock on a thread of its own until `stop`.
    func start() {
        Thread.detachNewThread { [self] in
            while let unlucky = subscription() {
                change(unlucky, "fail-billing")
                advance(daysMax: Self.failingDaysMax)
                change(unlucky, "recover")
                advance(daysMax: Self.daysMax)
            }
            ended.signal()
        }
    }

    /// Begins no other advance, and waits until the last one has come to its end.
    func stop() {
        state.withLock { $0.isStopping = true }
        ended.wait()
    }

    /// One of those that there are; nil at the end.
    private func subscription() -> String? {
        while !state.withLock({ $0.isStopping }) {
            guard let answer = try? ask("GET", "/subscriptions"), answer.status == 200,
                let all = try? WireJSON.decode(SubscriptionsBody.self, from: answer.body)
                    .subscriptions
            else {
                usleep(Self.pauseMicroseconds)
                continue
            }
            let place = state.withLock { Int($0.random.next(below: UInt64(all.count))) }
            return all[place].originalTransactionId
        }
        return nil
    }

    /// Asks until it is answered; when an answer was lost, it is done already.
    private func change(_ original: String, _ what: String) {
        while (try? ask("POST", "/subscriptions/\(original)/\(what)"))?.status ?? 503 >= 500 {
            usleep(Self.pauseMicroseconds)
        }
    }

    /// Asks until the clock is there: an answer may be lost, and so may the advance.
    private func advance(daysMax: UInt64) {
        let target = state.withLock { state in
            let days = Int64(1 + state.random.next(below: daysMax))
            let target = state.target.adding(milliseconds: days * 86_400_000 + 1)
            // Clocks end with a century.
            if Timestamp.certified.contains(target) { state.target = target }
            state.isAdvancing = true
            return state.target
        }
        defer { state.withLock { $0.isAdvancing = false } }
        while true {
            _ = try? ask("POST", "/clock/advance", AdvanceClockBody(to: target))
            if let answer = try? ask("GET", "/clock"),
                let clock = try? WireJSON.decode(ClockBody.self, from: answer.body),
                let now = clock.now, now >= target, clock.advance?.state != .running
            {
                return
            }
            usleep(Self.pauseMicroseconds)
        }
    }

    @discardableResult
    func ask(_ method: String, _ path: String) throws -> CallerResponse {
        try Lab.call(method, url + path, token: token)
    }

    @discardableResult
    func ask(_ method: String, _ path: String, _ body: some Encodable) throws -> CallerResponse {
        try Lab.call(method, url + path, token: token, body: try WireJSON.encode(body))
    }
}
