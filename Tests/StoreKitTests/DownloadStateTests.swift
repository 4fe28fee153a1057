import Foundation
import Testing

@testable import StoreKit

/// The rules of downloads, one row per event: no disk, no store, no thread.
@Suite struct DownloadStateTests {
    static let ada = Customer(worldId: "W", account: "ada")
    static let bob = Customer(worldId: "W", account: "bob")
    static let scope = StoreScope(url: URL(fileURLWithPath: "/"))

    static func name(_ id: String) -> TransactionName {
        TransactionName(worldId: "W", transactionId: id)
    }

    static func offer(_ id: String, _ customer: Customer = ada) -> DownloadOffer {
        DownloadOffer(
            key: QueueKey(attemptId: id), name: name(id), customer: customer,
            contentIdentifier: "p", contentVersion: "1.0", contentLength: 100)
    }

    static func record(
        _ stage: DownloadRecord.Stage, version: String? = "1.0", customer: Customer = ada
    ) -> DownloadRecord {
        DownloadRecord(
            transactionId: "1", customer: customer, scope: scope, contentVersion: version,
            contentLength: 80, stage: stage)
    }

    static func offered(
        _ record: DownloadRecord? = nil, bytes: Int64 = 0, isWhole: Bool = false, id: String = "1"
    ) -> DownloadEvent {
        .offered(offer(id), record, bytesOnDisk: bytes, isWhole: isWhole)
    }

    static func arrived(
        _ bytes: Int64, run: Int = 1, version: String = "1.0", at moment: Int64 = 0
    ) -> DownloadEvent {
        .arrived(name("1"), run: run, bytes: bytes, version: version, length: 100, at: moment)
    }

    /// `saw` is whether the app could see that it was finished.
    static func start(saw: Bool = false) -> DownloadEvent {
        .startCalled(one, sawFinished: saw ? Set(one) : [])
    }

    static func ended(_ outcome: DownloadOutcome, run: Int = 1) -> DownloadEvent {
        .ended(name("1"), run: run, outcome)
    }

    static let reason = FailureReason(.unknown, "Why.")
    static let one = [name("1")]
    static let fresh: [DownloadEvent] = [.listening(true), offered(), .told]
    static let begun: [DownloadEvent] = fresh + [start()]
    static let active: [DownloadEvent] = begun + [arrived(10)]
    static let paused: [DownloadEvent] = active + [.pauseCalled(one)]
    static let failed: [DownloadEvent] = active + [ended(.failed(reason))]
    static let whole: [DownloadEvent] = active + [ended(.finished)]
    static let again: [DownloadEvent] = whole + [start(saw: true)]
    static let absent: [DownloadEvent] = active + [ended(.absent)]

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let events: [DownloadEvent]
        /// What the last event asks for.
        let actions: [String]
        /// What the app sees in the end; nil when it sees nothing any more.
        let state: SKDownloadState?
        var testDescription: String { name }

        init(
            _ name: String, _ events: [DownloadEvent], _ actions: [String],
            _ state: SKDownloadState?
        ) {
            self.name = name
            self.events = events
            self.actions = actions
            self.state = state
        }
    }

    static func described(_ action: DownloadAction) -> String {
        switch action {
        case .load(let offer, let version, let run):
            "load \(offer.name.transactionId) \(version ?? "newest") \(run)"
        case .stop(let name): "stop \(name.transactionId)"
        case .write(let record):
            "write \(record.stage.rawValue) \(record.contentVersion ?? "none")"
        case .discard(let name): "discard \(name.transactionId)"
        case .tell(let news):
            (news.isTold ? "tell " : "show ") + "\(news.presented.state.rawValue)"
                + (news.isGone ? " gone" : "")
        }
    }

    static func run(_ events: [DownloadEvent]) -> (DownloadsState, [String]) {
        var state = DownloadsState(scope: scope) { _ in URL(fileURLWithPath: "/content") }
        var last: [DownloadAction] = []
        for event in events { last = state.apply(event) }
        return (state, last.map(described))
    }

    static let asked: [Row] = [
        Row("content is offered and nothing loaded", fresh, [], .waiting),
        Row(
            "start writes, then loads", begun, ["write started none", "load 1 newest 1"], .waiting),
        Row("a second start does nothing", begun + [start()], [], .waiting),
        Row(
            "unless somebody listens", [offered(), .told, start()],
            ["write started none"], .waiting),
        Row(
            "which they do later", [offered(), .told, start(), .listening(true)],
            ["load 1 newest 1"], .waiting),
        Row("the first bytes are news", active, ["write started 1.0", "tell 1"], .active),
        Row("pause stops and writes", paused, ["stop 1", "write paused 1.0", "tell 2"], .paused),
        Row("pausing twice does nothing", paused + [.pauseCalled(one)], [], .paused),
        Row("what was not started cannot be paused", fresh + [.pauseCalled(one)], [], .waiting),
        Row(
            "resume begins it like start", fresh + [.resumeCalled(one)],
            ["write started none", "load 1 newest 1"], .waiting),
        Row(
            "and goes on with one that failed before this launch",
            [.listening(true), offered(record(.kept), bytes: 40), .told, .resumeCalled(one)],
            ["write started 1.0", "load 1 1.0 1"], .waiting),
        Row(
            "resume goes on with the same version", paused + [.resumeCalled(one)],
            ["write started 1.0", "tell 0", "load 1 1.0 2"], .waiting),
        Row(
            "so does start", paused + [start()],
            ["write started 1.0", "tell 0", "load 1 1.0 2"], .waiting),
        Row(
            "cancel stops and discards", active + [.cancelCalled(one)],
            ["stop 1", "discard 1", "tell 5"], .cancelled),
        Row(
            "a cancelled one is not resumed", active + [.cancelCalled(one), .resumeCalled(one)],
            [], .cancelled),
        Row(
            "start begins anew", active + [.cancelCalled(one), start()],
            ["write started none", "load 1 newest 2"], .waiting),
        Row("a failed one is kept", failed, ["write kept 1.0", "tell 4"], .failed),
        Row(
            "and resumed", failed + [.resumeCalled(one)],
            ["write started 1.0", "tell 0", "load 1 1.0 2"], .waiting),
        Row("or discarded", failed + [.cancelCalled(one)], ["discard 1", "tell 5"], .cancelled),
        Row("or left as it is", failed + [.pauseCalled(one)], [], .failed),
        Row(
            "the end is written before it is told", whole, ["write finished 1.0", "tell 3"],
            .finished),
        Row("finished content is not cancelled", whole + [.cancelCalled(one)], [], .finished),
        Row("nor paused", whole + [.pauseCalled(one)], [], .finished),
        Row(
            "start looks whether it is still there", again,
            ["write started 1.0", "load 1 1.0 2"], .waiting),
        Row("unless the app could not yet see the end", whole + [start()], [], .finished),
        Row(
            "what was not begun does not care what the app saw", fresh + [start(saw: true)],
            ["write started none", "load 1 newest 1"], .waiting),
        Row("a stranger is passed over", begun + [.pauseCalled([name("9")])], [], .waiting),
    ]

    static let happened: [Row] = [
        Row(
            "a network in the way is told once", active + [.held(name("1"), run: 1)], ["tell 0"],
            .waiting),
        Row(
            "and only once", active + [.held(name("1"), run: 1), .held(name("1"), run: 1)], [],
            .waiting),
        Row("bytes end it", active + [.held(name("1"), run: 1), arrived(20)], ["tell 1"], .active),
        Row("an account that left is waited for", absent, ["tell 0"], .waiting),
        Row("its return goes on", absent + [.signedIn(ada)], ["load 1 1.0 2"], .waiting),
        Row("another one does not", absent + [.signedIn(bob)], [], .waiting),
        Row(
            "it can be paused meanwhile", absent + [.pauseCalled(one)],
            ["write paused 1.0", "tell 2"], .paused),
        Row(
            "and then nobody's return counts", absent + [.pauseCalled(one), .signedIn(ada)], [],
            .paused),
        Row(
            "an old run says nothing any more",
            paused + [.resumeCalled(one), ended(.failed(reason), run: 1)], [], .waiting),
        Row("nor its bytes", paused + [arrived(90)], [], .paused),
        Row("nor its wait", paused + [.held(name("1"), run: 1)], [], .paused),
        Row("nor its end", paused + [ended(.stopped)], [], .paused),
        Row(
            "another version is written and told", active + [arrived(11, version: "2.0")],
            ["write started 2.0", "tell 1"], .active),
        Row(
            "progress is told now and then", active + [arrived(20, at: 100)], ["show 1"],
            .active),
        Row("not at every part", active + [arrived(20, at: 250)], ["tell 1"], .active),
        Row("without listeners it stops", active + [.listening(false)], ["stop 1"], .waiting),
        Row(
            "and goes on with them", active + [.listening(false), .listening(true)],
            ["load 1 1.0 2"], .waiting),
        Row(
            "the transaction's end drops it", active + [.dropped(name("1"))],
            ["stop 1", "tell 5 gone", "discard 1"], nil),
        Row(
            "a finished one goes in silence", whole + [.dropped(name("1"))],
            ["show 3 gone", "discard 1"], nil),
        Row(
            "so does one that is looked after anew", again + [.dropped(name("1"))],
            ["stop 1", "show 3 gone", "discard 1"], nil),
        Row(
            "and one whose account left meanwhile",
            again + [ended(.absent, run: 2), .dropped(name("1"))],
            ["show 3 gone", "discard 1"], nil),
        Row(
            "unless it is known to come anew", again + [arrived(10, run: 2), .dropped(name("1"))],
            ["stop 1", "tell 5 gone", "discard 1"], nil),
        Row(
            "so does one nobody started", fresh + [.dropped(name("1"))],
            ["show 5 gone", "discard 1"], nil),
        Row("and one nobody knows", [.dropped(name("1"))], ["discard 1"], nil),
        Row(
            "what is gone cannot be started", active + [.dropped(name("1")), start()],
            [], nil),
    ]

    static let launched: [Row] = [
        Row(
            "what was begun goes on", [.listening(true), offered(record(.started)), .told],
            ["load 1 1.0 1"], .waiting),
        Row("after it was told", [.listening(true), offered(record(.started))], [], .waiting),
        Row(
            "what was paused stays",
            [.listening(true), offered(record(.paused), bytes: 40), .told],
            [], .paused),
        Row(
            "what failed waits", [.listening(true), offered(record(.kept), bytes: 40), .told], [],
            .waiting),
        Row(
            "what is finished is", [.listening(true), offered(record(.finished), isWhole: true)],
            [], .finished),
        Row(
            "unless the app took it", [.listening(true), offered(record(.finished)), .told], [],
            .waiting),
        Row(
            "another account's record is not ours",
            [.listening(true), offered(record(.started, customer: bob)), .told], [], .waiting),
        Row(
            "what was begun and is whole ends before the app's start is taken in",
            [
                .listening(true), offered(record(.started), isWhole: true), .told,
                ended(.finished), start(),
            ], [], .finished),
        Row("told again, nothing changes", begun + [offered(), .told], [], .waiting),
    ]

    @Test(arguments: asked + happened + launched)
    func `a download event leads to the actions of its row`(row: Row) {
        let (state, actions) = Self.run(row.events)
        #expect(actions == row.actions)
        #expect(state.presented(Self.name("1"))?.state == row.state)
    }

    @Test func `two downloads run at a time and the others follow in order`() {
        let all = ["1", "2", "3", "4"].map { Self.name($0) }
        let (_, actions) = Self.run(
            [.listening(true)] + all.map { Self.offered(id: $0.transactionId) } + [
                .startCalled(all, sawFinished: [])
            ])
        #expect(actions.filter { $0.hasPrefix("load") } == ["load 1 newest 1", "load 2 newest 2"])
        let (_, next) = Self.run(
            [.listening(true)] + all.map { Self.offered(id: $0.transactionId) } + [
                .startCalled(all, sawFinished: []), .pauseCalled([Self.name("2")]),
            ])
        #expect(next.last == "load 3 newest 3")
    }

    @Test func `the app sees a download's progress by its bytes`() throws {
        let (state, _) = Self.run(
            Self.begun + [Self.arrived(10, at: 1_000), Self.arrived(40, at: 4_000)])
        let presented = try #require(state.presented(Self.name("1")))
        #expect(presented.progress == 0.4 && presented.timeRemaining == 6)
        #expect(presented.contentURL == nil && presented.expectedContentLength == 100)
        let (early, _) = Self.run(
            Self.begun + [Self.arrived(10, at: 1_000), Self.arrived(40, at: 1_050)])
        #expect(early.presented(Self.name("1"))?.timeRemaining == 0.1)
        let (first, _) = Self.run(Self.begun + [Self.arrived(10, at: 1_000)])
        #expect(
            first.presented(Self.name("1"))?.timeRemaining == SKDownloadTimeRemainingUnknown)
        let (paused, _) = Self.run([Self.offered(Self.record(.paused), bytes: 40)])
        let still = try #require(paused.presented(Self.name("1")))
        #expect(still.progress == 0.5 && still.timeRemaining == SKDownloadTimeRemainingUnknown)
        let (whole, _) = Self.run(Self.whole)
        let done = try #require(whole.presented(Self.name("1")))
        #expect(done.progress == 1 && done.timeRemaining == 0)
        #expect(done.contentURL?.path == "/content" && done.failure == nil)
        let (failed, _) = Self.run(Self.failed)
        #expect(failed.presented(Self.name("1"))?.failure == Self.reason)
    }

    @Test func `download parts grow on a fast line and shrink on a slow one`() {
        var size = PartSize()
        for _ in 0..<10 { size.took(milliseconds: 10) }
        #expect(size.bytes == PartSize.bytesMax)
        size.took(milliseconds: 500)
        #expect(size.bytes == PartSize.bytesMax)
        for _ in 0..<10 { size.took(milliseconds: 2_000) }
        #expect(size.bytes == PartSize.bytesMin)
        size.failed()
        #expect(size.bytes == PartSize.bytesMin)
    }

    @Test func `a full disk is reported with its error number`() {
        let trouble = DownloadTrouble(.disk(ENOSPC), DownloadTrouble.noRoom)
        let error = trouble.reason.error
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.domain == NSPOSIXErrorDomain && cause?.code == Int(ENOSPC))
        #expect(error.localizedDescription.contains("no room"))
    }
}
