import AppStoreServer
import Foundation
import StoreModel
import StoreRules
import Synchronization
import Testing

/// A provider that says what a test wants, in the order of its requests; `approved` afterwards.
final class ScriptedProvider: PaymentProvider {
    private struct State {
        var answers: [ProviderOutcome] = []
        var asked: [String] = []
    }

    private let state = Mutex(State())
    private let gate = NSCondition()
    nonisolated(unsafe) private var isHolding = false

    init(_ answers: [ProviderOutcome] = []) {
        state.withLock { $0.answers = answers }
    }

    /// What it was asked, such as `authorize 990`.
    var asked: [String] { state.withLock { $0.asked } }

    func answerNext(_ answers: [ProviderOutcome]) {
        state.withLock { $0.answers += answers }
    }

    /// From now on requests wait until they are let go.
    func hold() {
        gate.withLock { unsafe isHolding = true }
    }

    func letGo() {
        gate.withLock {
            unsafe isHolding = false
            gate.broadcast()
        }
    }

    func ask(_ request: ProviderRequest) -> ProviderOutcome {
        let answer = state.withLock { state in
            state.asked.append(Self.words(request))
            return state.answers.isEmpty
                ? .approved(reference: "scripted") : state.answers.removeFirst()
        }
        gate.withLock {
            while unsafe isHolding { gate.wait() }
        }
        return answer
    }

    func close() { letGo() }

    private static func words(_ request: ProviderRequest) -> String {
        switch request {
        case .authorize(let payment, _, _): "authorize \(payment.amount.milliunits)"
        case .capture(_, let amount): "capture \(amount.milliunits)"
        case .void: "void"
        case .refund(let refund): "refund \(refund.amount.milliunits)"
        }
    }
}
