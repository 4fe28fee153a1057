import Foundation
import TestSupport
import Testing

/// A person plays RocketCar and buys what somebody else has to approve.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil), .ownThreads)
struct GameApprovalTests {
    struct Answer: CustomTestStringConvertible, Sendable {
        let word: String
        let message: String
        let litres: Int

        var testDescription: String { word }
    }

    static let answers = [
        Answer(word: "approve", message: "The tank is filled: 100 litres.", litres: 100),
        Answer(
            word: "decline",
            message: "Rocket Fuel was not bought. The request to buy was declined.", litres: 0),
    ]

    private static let leave = ["type q", "end 0", "plain"]

    /// Buys fuel and sees that it waits; the game's screen is its own again.
    private static let ask =
        ["wait Rocket Fuel", "key down", "wait ▸ Rocket Fuel", "key enter"] + Lab.signIn + [
            "wait [b]uy", "type b", "key enter", "wait ⧗ waiting for approval",
            "gone The store asks", "wait q quit", "screen",
        ]

    private func open() throws -> Lab {
        let lab = try Lab.open()
        try lab.bodega(["account", "approval", "buyer@example.com", "on"])
        return lab
    }

    private func expectEnd(_ answer: Answer, _ lab: Lab) throws {
        #expect(try lab.app(["status"]).contains("fuel \(answer.litres)\n"))
        #expect(
            try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile)
                == (answer.litres == 0 ? 0 : 1))
    }

    @Test(arguments: answers)
    func `an answer to a deferred purchase appears while the game runs`(
        answer: Answer
    ) throws {
        let lab = try open()
        let game = try lab.startPlay(
            Self.ask + [
                "key up", "wait ▸ Moon Track", "wait \(answer.message)",
                "gone ⧗ waiting for approval", "screen",
            ] + Self.leave)
        #expect(eventually { game.output.contains("You can keep playing.") || !game.isRunning })
        try lab.bodega(["ask-to-buy", answer.word, "1"])
        #expect(
            try game.wait(secondsMax: Program.secondsMax) == 0, "\(game.output)\(game.errors)")
        try expectEnd(answer, lab)
    }

    @Test(arguments: answers)
    func `an answer to a deferred purchase appears at the next start of the game`(
        answer: Answer
    ) throws {
        let lab = try open()
        try lab.play(Self.ask + Self.leave)
        let still = try lab.play(["wait ⧗ waiting for approval", "screen"] + Self.leave)
        #expect(still.contains("Rocket Fuel is waiting for approval."))
        try lab.bodega(["ask-to-buy", answer.word, "1"])
        let screens = try lab.play(
            ["wait \(answer.message)", "wait ▸ Moon Track", "screen"] + Self.leave)
        #expect(!screens.contains("⧗ waiting for approval"))
        try expectEnd(answer, lab)
    }
}
