import Foundation
import TestSupport
import Testing

/// A person plays RocketCar on a terminal: a real store, a real backend, real keys and a terminal
/// emulator that others wrote.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil), .ownThreads)
struct GameTests {
    /// Leaves the game, and looks whether the terminal is as it was.
    private static let leave = ["type q", "end 0", "plain"]

    @Test func `a customer signs in, buys two tanks and sees them in the car`() throws {
        let lab = try Lab.open()
        let screens = try lab.play(
            ["wait Rocket Fuel", "key down", "wait ▸ Rocket Fuel", "key right", "wait × 2"]
                + ["key enter"] + Lab.signIn
                + ["wait [b]uy", "screen", "type b", "key enter"]
                + ["wait The tank is filled", "gone on its way", "screen"] + Self.leave)
        #expect(screens.contains("Buy 2 × Rocket Fuel for $1.98 as buyer@example.com?"))
        #expect(screens.contains("Tank   ▰▰"))
        #expect(!screens.contains("rocket-fuel-1"))
        #expect(try lab.app(["status"]).contains("fuel 200\n"))
        #expect(
            try lab.count(
                "SELECT count(*) FROM store_transaction WHERE finished_ms IS NOT NULL",
                in: lab.storeFile) == 1)
    }

    @Test func `cancelling on the sheet returns to the shop and buys nothing`() throws {
        let lab = try Lab.open()
        let screens = try lab.play(
            ["wait Rocket Fuel", "key enter"] + Lab.signIn
                + ["wait [b]uy", "type c", "key enter", "gone The store asks", "wait q quit"]
                + ["screen"] + Self.leave)
        #expect(screens.contains("▸ Moon Track"))
        #expect(!screens.contains("was not bought"))
        #expect(try lab.count("SELECT count(*) FROM attempt", in: lab.storeFile) == 0)
    }

    @Test func `a purchase on one device is restored on another`() throws {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo])
        let screens = try lab.play(
            ["wait Rocket Fuel", "wait locked", "type r"] + Lab.signIn
                + ["wait Restored: 1", "wait unlocked", "wait ✓ yours", "screen"] + Self.leave,
            device: "tablet")
        #expect(screens.contains("✓ yours"))
        #expect(try lab.app(["status"], device: "tablet").contains("turbo unlocked"))
    }

    @Test func `a cancelled restore shows nothing and restores nothing`() throws {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo])
        let screens = try lab.play(
            [
                "wait Rocket Fuel", "type r", "wait Account:", "key enter",
                "gone The store asks", "wait q quit", "screen",
            ] + Self.leave, device: "tablet")
        #expect(screens.contains("locked"))
        #expect(!screens.contains("restored"))
    }

    @Test func `a closed shop opens when the store returns`() throws {
        let lab = try Lab.open()
        lab.store?.kill()
        let game = try lab.startPlay(
            ["wait The shop is closed", "screen", "wait Rocket Fuel"] + Self.leave)
        #expect(eventually { game.output.contains("The game retries every few seconds") })
        try lab.startStore()
        #expect(try game.wait(secondsMax: Program.secondsMax) == 0, "\(game.output)")
    }

    @Test(arguments: [("TERM", 143), ("HUP", 129), ("INT", 130)])
    func `a signal leaves the terminal as it was`(signal: String, code: Int) throws {
        let lab = try Lab.open()
        try lab.play(["wait Rocket Fuel", "signal \(signal)", "end \(code)", "plain"])
    }

    @Test func `a signal at the password prompt leaves the terminal as it was`() throws {
        let lab = try Lab.open()
        try lab.play(
            [
                "wait Rocket Fuel", "key enter", "wait Account:", "type ada", "key enter",
                "wait Password:", "silent", "signal TERM", "end 143", "plain",
            ])
    }

    @Test func `the screen follows the size of the terminal`() throws {
        let lab = try Lab.open()
        let screens = try lab.play(
            [
                "wait Rocket Fuel", "resize 40x10", "wait too small", "screen",
                "resize 100x30", "wait Rocket Fuel", "gone too small", "screen",
            ] + Self.leave)
        #expect(screens.contains("40 × 10 is too small"))
        let rules = screens.split(separator: "\n").filter { $0.hasPrefix("────") }
        #expect(rules.last?.count == 100)
    }

    @Test func `the game without colours prints no colour codes`() throws {
        let lab = try Lab.open()
        try lab.play(
            ["wait Rocket Fuel", "key down", "wait ▸ Rocket Fuel", "colourless"] + Self.leave,
            environment: ["NO_COLOR": "1"])
    }

    @Test func `the game in a script asks for a command`() throws {
        let lab = try Lab.open()
        #expect(try lab.app([], code: 2).contains("name a command"))
        #expect(try lab.app(["play"], code: 2).contains("needs a terminal"))
    }

    @Test func `the picture in the documentation is what the game shows`() throws {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo])
        try lab.app(["buy", Lab.fuel, "--quantity", "3"])
        let drawn = lab.folder + "/rocketcar.svg"
        try lab.play(
            [
                "wait Rocket Fuel", "wait unlocked", "key down", "wait ▸ Rocket Fuel",
                "key right", "wait × 2", "picture \(drawn)",
            ] + Self.leave)
        let kept = Lab.package + "/docs/images/rocketcar.svg"
        let bytes = try #require(FileManager.default.contents(atPath: drawn))
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try bytes.write(to: URL(fileURLWithPath: kept))
        }
        #expect(FileManager.default.contents(atPath: kept) == bytes, "rocketcar.svg differs")
    }
}
