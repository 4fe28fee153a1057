import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import AppStoreServer

/// The app's server in a simulated world: takes every notification and keeps it for the auditor.
final class SimulatedServer: Sendable {
    private struct Request: Encodable {
        let body: String
        let answer: String
    }

    /// What came, shared with the listener's threads.
    private final class Taken: Sendable {
        let requests = Mutex<[Request]>([])

        func add(_ body: [UInt8]) {
            let request = Request(body: String(decoding: body, as: UTF8.self), answer: "200")
            requests.withLock { $0.append(request) }
        }
    }

    private let taken = Taken()
    private let listener: HTTPListener

    init() throws {
        let taken = taken
        listener = try HTTPListener(
            ListenerConfiguration(host: "127.0.0.1", port: 0, bodyBytesMax: { _, _, _ in 1 << 20 })
        ) { request, responder in
            taken.add(request.body)
            responder.send(HTTPResponse(status: 200, headers: HTTPHeaders(), body: []))
        }
    }

    /// The body that sets its address.
    var target: SetNotificationTargetBody {
        var body = SetNotificationTargetBody(url: listener.url + "/")
        body.allowsPrivateAddresses = true
        return body
    }

    /// Ends it, and writes what came, a line of JSON for each request.
    func stop(writingTo folder: String) throws {
        listener.stop()
        let lines = try taken.requests.withLock { $0 }
            .map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) + "\n" }
        try Data(lines.joined().utf8).write(
            to: URL(fileURLWithPath: folder + "/audit/notifications.jsonl"))
    }
}

// The notifications of a world.
extension SimulatedWorld {
    static func path(ofTargetIn environment: StoreEnvironment) -> String {
        "\(SimulatedShop.app)/notification-targets/\(environment.rawValue)"
    }

    /// Waits until every notification was delivered.
    func deliver() async throws {
        while true {
            let answer = try await store.control("POST", "/control/v1/notifications/settle")
            try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            let body = try WireJSON.decode(SettledNotificationsBody.self, from: answer.body)
            if body.due == 0 { return }
        }
    }
}
