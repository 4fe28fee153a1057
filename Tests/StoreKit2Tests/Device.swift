import BodegaTesting
import Foundation
import TestSupport
import Testing

@testable import StoreKit

/// A device on which an app is launched again and again.
struct Device {
    let world: BodegaWorld
    let home = TemporaryFolder()

    var path: String { home.file("home") }

    /// What the app finds in its environment.
    var variables: [String: String] {
        [
            "STOREKIT_URL": world.url.absoluteString, "STOREKIT_BUNDLE_ID": Kiosk.app,
            "STOREKIT_APP_VERSION": "1.0", "STOREKIT_SHEET": "approve",
            "STOREKIT_ACCOUNT": "\(world.buyer.name):\(world.buyer.password)",
            "STOREKIT_HOME": path,
        ]
    }

    /// One launch of the app, which ends with the body.
    func launch<Answer: Sendable>(
        _ other: [String: String] = [:], _ body: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let context = context(other)
        defer { context.end() }
        return try await context.run(body)
    }

    func context(_ other: [String: String] = [:]) -> StoreContext {
        StoreContext(variables: variables.merging(other) { $1 }, ending: "The launch has ended.")
    }

    /// A program of this package, as an app on the device.
    func run(_ program: String, _ arguments: [String]) throws -> Command {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return try Command(
            "env",
            variables.map { "\($0.key)=\($0.value)" } + [folder.appending(path: program).path]
                + arguments)
    }

    /// The address of the same world at which nobody answers.
    var nobody: [String: String] { ["STOREKIT_URL": "http://127.0.0.1:9" + world.url.path] }

    /// The only copy in the home.
    var copy: SignedCopyFile {
        get throws {
            let home = try HomeFolder(path: path)
            let session = try #require(try home.deviceSession())
            return SignedCopyFile(
                home: home, customer: try #require(session.customer), scope: session.scope,
                deviceGuid: session.guid)
        }
    }

    /// Waits until something holds, for two minutes at most.
    func sees(_ what: String, _ isSo: () async throws -> Bool) async throws {
        for _ in 0..<12_000 {
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Trouble("never saw \(what)")
    }
}
