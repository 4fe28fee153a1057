import Foundation
import TestSupport
import Testing

@testable import RocketCar

/// The session that the app keeps between launches.
@Suite struct SavedSessionTests {
    private let folder = TemporaryFolder()

    private func garage(
        user: String? = "driver:steering-wheel-1", backend: String = "http://127.0.0.1:8081"
    ) throws -> Garage {
        var environment = ["ROCKETCAR_HOME": folder.path, "ROCKETCAR_BACKEND": backend]
        environment["ROCKETCAR_USER"] = user
        return try Garage(environment: environment)
    }

    private func save() throws {
        try SavedSession.save(Backend.Player(userId: "u-1", token: "secret"), of: garage())
    }

    @Test func `a kept session can be read by nobody else`() throws {
        try save()
        #expect(try SavedSession.player(of: garage())?.token == "secret")
        let found = try FileManager.default.attributesOfItem(atPath: folder.file("session.json"))
        #expect(found[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a kept session is sent for no other player and to no other backend`() throws {
        try save()
        #expect(try SavedSession.player(of: garage(user: "other:steering-wheel-1")) == nil)
        #expect(try SavedSession.player(of: garage(user: nil)) == nil)
        #expect(try SavedSession.player(of: garage(backend: "http://127.0.0.1:9")) == nil)
    }

    @Test func `a damaged session file counts as none`() throws {
        #expect(try SavedSession.player(of: garage()) == nil)
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder.file("session.json")))
        #expect(try SavedSession.player(of: garage()) == nil)
    }
}
