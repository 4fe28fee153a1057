import Foundation
import Synchronization

@testable import StoreHTTP

/// A value that a test's threads share.
final class Box<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) { stored = Mutex(value) }

    var value: Value { stored.withLock { $0 } }

    func update(_ change: (inout sending Value) -> Void) {
        stored.withLock { value in change(&value) }
    }
}

/// Answers with what the request was.
let echo: HTTPListener.Handler = { request, responder in
    var lines = ["\(request.method) \(request.path)"]
    lines.append("segments=\(request.segments.joined(separator: "|"))")
    lines.append("query=\(request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "|"))")
    lines.append("body=\(request.body.count)")
    responder.send(HTTPResponse(status: 200, body: Array(lines.joined(separator: "\n").utf8)))
}

/// Runs each body on a thread of its own.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> DispatchGroup {
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
            body(number)
            group.leave()
        }
    }
    return group
}

/// Waits until a condition holds; says whether it came to hold in time, which is generous.
func eventually(seconds: Double = 120, _ condition: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
        if condition() { return true }
        usleep(5_000)
    }
    return condition()
}

extension HTTPListener {
    /// Bytes of the bodies of open requests that have arrived.
    var bodyBytesOpen: Int { core.bodyBytesOpen.load(ordering: .relaxed) }
    /// Bytes of answers that their clients have not taken.
    var answerBytesOpen: Int { core.answerBytesOpen.load(ordering: .relaxed) }
    var requestsOpen: Int { core.requestsOpen.load(ordering: .acquiring) }
    var isStopping: Bool { core.isStopping.load(ordering: .acquiring) }
}

extension ListenerConfiguration {
    /// One that closes no connection for its client's slowness but by the limits that a test sets.
    static func patient(idle: Int = 86_400, arrival: Int = 86_400) -> ListenerConfiguration {
        ListenerConfiguration(
            idleSecondsMax: idle, arrivalSecondsMax: arrival, takingSecondsMax: 86_400,
            suspendedMillisecondsMax: 86_400_000)
    }
}
