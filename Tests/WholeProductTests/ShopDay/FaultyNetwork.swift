import Foundation
import Synchronization
import TestSupport

/// A network between devices and a store which a seed makes slow, deaf and forgetful.
///
/// It hands whole requests on and can lose, cut or repeat just one. Nothing of it is random but the
/// seed; which request meets which fault depends on the order in which they come.
final class FaultyNetwork: Sendable {
    enum Fault: String, CaseIterable, Sendable {
        /// The request waits before it is handed on.
        case slow
        /// The connection ends and the store never hears of the request.
        case requestLost
        /// The store gets half of the request.
        case requestCut
        /// The store answers, and the device never hears.
        case answerLost
        /// The device gets half of the answer.
        case answerCut
        /// The store gets the request twice at once; the device hears one answer.
        case twice
        /// The store gets the request once more some time after it was answered.
        case late
    }

    /// So many of a thousand requests meet each fault.
    private static let perMille: UInt64 = 22
    private static let slowMillisecondsMax: UInt64 = 400
    private static let lateMillisecondsMax: UInt64 = 2_000

    private struct State: Sendable {
        var random: SplitMix
        var isFaulty = true
        var counts: [Fault: Int] = [:]
        var requestsEnded = 0
    }

    private let relay: Relay
    private let state: Mutex<State>

    var port: Int { relay.port }

    /// A network to a store of this machine, from now on until `close`.
    init(to storePort: Int, seed: UInt64) throws {
        relay = try Relay(to: storePort)
        state = Mutex(State(random: SplitMix(seed: seed)))
        relay.start { [self] in
            defer { state.withLock { $0.requestsEnded += 1 } }
            return try carry($0, for: $1)
        }
    }

    /// Takes no more connections.
    func close() {
        relay.close()
    }

    /// From now on everything gets through, as often as it was sent.
    func heal() {
        state.withLock { $0.isFaulty = false }
    }

    /// How many requests met each fault so far.
    var counts: [Fault: Int] { state.withLock { $0.counts } }

    /// How many requests were answered, lost, or failed.
    var requestsEnded: Int { state.withLock { $0.requestsEnded } }

    // MARK: - One connection

    /// Hands one request on as its fault wants; false when the device's connection ends with it.
    private func carry(_ request: RawAnswer, for device: RawConnection) throws -> Bool {
        let bytes = request.bytes
        switch nextFault(isPost: request.head.hasPrefix("POST ")) {
        case nil: break
        case .slow: pause(Self.slowMillisecondsMax)
        case .requestLost: return false
        case .requestCut:
            try RawConnection(port: relay.storePort).write(Array(bytes.prefix(bytes.count / 2)))
            return false
        case .answerLost:
            _ = try relay.answer(to: bytes)
            return false
        case .answerCut:
            let answer = try relay.answer(to: bytes)
            device.write(Array(answer.prefix(answer.count / 2)))
            return false
        case .twice:
            let first = try RawConnection(port: relay.storePort)
            first.write(bytes)
            defer { _ = try? first.readAnswer() }
            device.write(try relay.answer(to: bytes))
            return true
        case .late:
            device.write(try relay.answer(to: bytes))
            Thread.detachNewThread { [self] in
                pause(Self.lateMillisecondsMax)
                _ = try? relay.answer(to: bytes)
            }
            return true
        }
        device.write(try relay.answer(to: bytes))
        return true
    }

    /// What the next request meets; repeated is only what changes something.
    private func nextFault(isPost: Bool) -> Fault? {
        state.withLock { state in
            guard state.isFaulty else { return nil }
            let number = Int(state.random.next(below: 1_000) / Self.perMille)
            guard number < Fault.allCases.count else { return nil }
            let fault = Fault.allCases[number]
            if !isPost, fault == .twice || fault == .late { return nil }
            state.counts[fault, default: 0] += 1
            return fault
        }
    }

    private func pause(_ millisecondsMax: UInt64) {
        let milliseconds = state.withLock { $0.random.next(below: millisecondsMax) }
        usleep(UInt32(milliseconds) * 1_000)
    }
}
