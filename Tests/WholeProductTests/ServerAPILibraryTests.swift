import Foundation
import TestSupport
import Testing

/// Apple's App Store Server Library, unmodified, asks a running store everything that it can.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil), .ownThreads)
struct ServerAPILibraryTests {
    @Test(arguments: [false, true])
    func `Apple's library gets what happened, and each error, also by Apple's host names`(
        byName: Bool
    ) throws {
        let output = try Lab().verify(with: "server_api.py", byName: byName)
        #expect(output.contains("their token gives 4040005"))
    }
}
