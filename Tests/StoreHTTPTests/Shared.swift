import Foundation
import StoreHTTP
import Synchronization

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

/// Waits until a condition holds; says whether it came to hold in time.
func eventually(seconds: Double = 10, _ condition: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
        if condition() { return true }
        usleep(5_000)
    }
    return condition()
}
