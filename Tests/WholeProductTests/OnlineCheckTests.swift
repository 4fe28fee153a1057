import Foundation
import TestSupport
import Testing

/// Certificates as in life: Apple's library verifies what a running store signs, and asks its
/// responder.
@Suite(.enabled(if: Lab.python != nil), .ownThreads) struct OnlineCheckTests {
    @Test func `Apple's library accepts what is good and refuses the rest, online and offline`()
        throws
    {
        let output = try Lab().verify(with: "online_checks.py")
        #expect(output.contains("production notification online: good"))
        #expect(output.contains("a responder that hangs can be asked again"))
    }
}
