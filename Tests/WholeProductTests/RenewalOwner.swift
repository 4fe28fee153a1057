import Foundation
import StoreCaller
import StoreModel
import StoreWire
import Synchronization

/// Who moves a store's clock on, again and again, whatever becomes of the store meanwhile; between
/// two advances the payments of somebody begin to fail, or go through again, and a family changes.
final class RenewalOwner: Sendable {
    private struct State: Sendable {
        var random: SplitMix
        var isStopping = false
        /// How many advances have begun.
        var advances = 0
        var isAdvancing = false
        /// Whether a step went past the end of the clock, so that few can follow.
        var isAtEnd = false
        /// Where the clock is to go.
        var target: Timestamp
        /// What became of the family, as the auditor wants to be told.
        var lines: [String] = []
    }

    private let url: String
    private let storeFile: String
    /// Who may be in the family; the first made it.
    private let accounts: [String]
    private let environment: StoreEnvironment
    private let token: String
    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    /// Days of an advance while payments fail: too few for a subscription to end over it.
    private static let failingDaysMax: UInt64 = 30
    private static let daysMax: UInt64 = 100
    private static let pauseMicroseconds: UInt32 = 5_000

    init(
        lab: Lab, seed: UInt64, begin: Timestamp, accounts: [String],
        in environment: StoreEnvironment
    ) throws {
        self.accounts = accounts
        self.environment = environment
        storeFile = lab.storeFile
        url = lab.storeURL + "/control/v1"
        token = try String(contentsOfFile: lab.storeData + "/control-token", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        state = Mutex(State(random: SplitMix(seed: seed), target: begin))
    }

    /// The number of the advance under way; nil between two.
    var advanceUnderWay: Int? { state.withLock { $0.isAdvancing ? $0.advances : nil } }

    /// Whether a step went past the end of the clock, so that few advances can follow.
    var isAtEnd: Bool { state.withLock { $0.isAtEnd } }

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
                changeFamily()
            }
            ended.signal()
        }
    }

    /// Begins no other advance, and waits until the last one has come to its end.
    func stop() {
        state.withLock { $0.isStopping = true }
        ended.wait()
    }

    var lines: [String] { state.withLock { $0.lines } }

    /// Makes the family with a member, before anything is killed: what renews from then on is shared,
    /// however few changes follow.
    func makeFamily() throws {
        let body = MakeFamilyBody(environment: environment, organiser: accounts[0])
        _ = try ask("POST", "/families", body)
        note(after: try newestEvent())
        let before = try newestEvent()
        _ = try ask("POST", "/families/1/add", FamilyMemberNameBody(name: accounts[1]))
        note(after: before)
    }

    /// Has somebody join, leave, or share or not any more, and asks until that is answered: the
    /// answer to the same once more changes nothing.
    private func changeFamily() {
        let (roll, place) = state.withLock { state in
            (state.random.next(below: 8), Int(state.random.next(below: UInt64(accounts.count))))
        }
        let name = accounts[place]
        guard let before = try? newestEvent() else { return }
        func asked() -> Int? {
            switch roll {
            case 0..<4:
                try? ask("POST", "/families/1/add", FamilyMemberNameBody(name: name)).status
            case 4..<6:
                try? ask("POST", "/families/1/remove", FamilyMemberNameBody(name: name)).status
            default:
                try? ask(
                    "POST", "/families/1/sharing",
                    FamilySharingBody(name: name, sharesPurchases: roll == 6)
                ).status
            }
        }
        while asked() ?? 503 >= 500 { usleep(Self.pauseMicroseconds) }
        note(after: before)
    }

    /// Notes what the family is now, and within which events it became that.
    private func note(after before: Int64) {
        while true {
            if let answer = try? ask("GET", "/families/1"), answer.status == 200,
                let family = try? WireJSON.decode(FamilyBody.self, from: answer.body),
                let newest = try? newestEvent()
            {
                let members = family.members.map { $0.name + ($0.sharesPurchases ? "" : ":off") }
                let line = "family 1 \(before) \(newest) - - " + members.joined(separator: " ")
                return state.withLock { $0.lines.append(line) }
            }
            usleep(Self.pauseMicroseconds)
        }
    }

    func newestEvent() throws -> Int64 {
        try SQLiteFile(storeFile).number("SELECT coalesce(max(number), 0) FROM event")
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
            if Timestamp.certified.contains(target) {
                state.target = target
            } else {
                state.isAtEnd = true
            }
            state.advances += 1
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
