import Testing

@testable import RocketCar

/// What the arguments ask for.
@Suite struct CommandTests {
    @Test(
        arguments: [
            ([], true, .play), (["play"], false, .play), (["list"], true, .list),
            (["restore"], false, .restore), (["subscriptions"], false, .subscriptions),
            (["buy", "p", "--quantity", "3"], true, .buy(product: "p", quantity: 3)),
            (["--settle", "2"], true, .play), (["--help"], true, .help),
        ] as [([String], Bool, Command.Verb)])
    func `arguments become a game command`(
        arguments: [String], isTerminal: Bool, verb: Command.Verb
    ) throws {
        #expect(try Command(arguments: arguments, isTerminal: isTerminal).verb == verb)
    }

    @Test(arguments: [[], ["play", "twice"], ["buy"], ["list", "--quantity", "2"], ["--fast"]])
    func `a script with too few or too many arguments is refused`(arguments: [String]) {
        #expect(throws: Command.Mistake.self) {
            try Command(arguments: arguments, isTerminal: false)
        }
    }
}
