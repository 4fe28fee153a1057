import Foundation
import TestSupport
import Testing

/// The payment provider that tests of whole products ask, and the judge that compares its book with
/// a store, are themselves held to what they promise, by tests in their own language.
@Suite(.ownThreads) struct PaymentProviderTests {
    @Test(arguments: ["check_rules.py", "check_faults.py", "check_comparison.py"])
    func `the test provider keeps to its interface and its judge finds each damage`(check: String)
        throws
    {
        let lab = try Lab()
        let program = try Program(
            "/usr/bin/python3", ["\(Lab.package)/Tests/Provider/\(check)"],
            logs: lab.folder + "/logs")
        let code = try program.wait(secondsMax: Program.secondsMax)
        #expect(code == 0, "\(program.errors)")
        let count = program.errors.firstMatch(of: /Ran ([0-9]+) tests/).flatMap { Int($0.1) }
        #expect(try #require(count) > 2, "\(program.errors)")
    }
}
