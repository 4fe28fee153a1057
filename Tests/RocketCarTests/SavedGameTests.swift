import Foundation
import TestSupport
import Testing

@testable import RocketCar

/// The tank, and games that earlier versions saved.
@Suite struct SavedGameTests {
    @Test func `fuel is counted once, drained once, and filled again after a reversal`() {
        var game = SavedGame()
        let isNew = [game.fill(100, transaction: "7"), game.fill(100, transaction: "7")]
        #expect(isNew == [true, false] && game.fuel == 100)
        for _ in 1...2 { game.drain(100, transaction: "7") }
        game.drain(100, transaction: "never filled in")
        #expect(game.fuel == 0 && game.fuelTransactions.isEmpty)
        #expect(game.fill(100, transaction: "7") && game.fuel == 100)
    }

    @Test func `a refund of fuel that was used leaves the tank empty`() {
        var game = SavedGame()
        _ = game.fill(300, transaction: "7")
        game.fuel = 50
        game.drain(300, transaction: "7")
        #expect(game.fuel == 0)
    }

    @Test func `a game saved by an earlier version is read`() throws {
        let folder = TemporaryFolder()
        let text = #"{"content": {}, "fuel": 100, "fuelTransactions": ["7"]}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("game.json")))
        let home = URL(fileURLWithPath: folder.path)
        let game = try SavedGame.load(from: home)
        #expect(game.fuel == 100 && game.storeContent.isEmpty && game.cancellationsTold.isEmpty)
        try SavedGame.change(in: home) { $0.cancellationsTold = ["8"] }
        #expect(try SavedGame.load(from: home).cancellationsTold == ["8"])
    }
}
