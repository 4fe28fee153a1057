import Foundation
import Testing

/// The payment provider that tests of whole products ask is itself held to what it promises, by
/// tests in its own language.
struct PaymentProviderTests {
    @Test(arguments: ["check_rules.py", "check_faults.py"])
    func `the provider keeps to its interface, also when it answers badly`(check: String)
        throws
    {
        let lab = try Lab()
        let program = try Program(
            "/usr/bin/python3", ["\(Lab.package)/Tests/Provider/\(check)"],
            logs: lab.folder + "/logs")
        let code = try program.wait(secondsMax: 3 * Program.secondsMax)
        #expect(code == 0, "\(program.errors)")
        let count = program.errors.firstMatch(of: /Ran ([0-9]+) tests/).flatMap { Int($0.1) }
        #expect(try #require(count) > 2, "\(program.errors)")
    }
}
