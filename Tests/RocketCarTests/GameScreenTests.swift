import Foundation
import Testing

@testable import RocketCar

/// What a person sees for a state: whole screens in golden files, and the rules of the layout.
@Suite struct GameScreenTests {
    static let small = GameScreen.Size(columns: 80, rows: 24)

    static var offers: [Offer] {
        [
            Offer(
                product: "moontrack", title: "Moon Track",
                detail: "A track on the far side of the moon.", prices: ["$1.99"]),
            Offer(
                product: "fuel", title: "Rocket Fuel", detail: "A tank full of rocket fuel.",
                prices: ["$0.99", "$1.98", "$2.97"], holding: .litres(300)),
            Offer(
                product: "season", title: "Season Pass",
                detail: "Race on every track for one season.", prices: ["$4.99"],
                holding: .waitingForApproval),
            Offer(
                product: "turbo", title: "Turbo", detail: "Makes your car a rocket for good.",
                prices: ["$2.99"], holding: .owned),
        ]
    }

    static var shop: GameState {
        var state = GameState()
        state.shelf = .open(offers)
        state.chosen = 1
        state.quantity = 2
        state.litres = 300
        state.turbo = .byReceipt
        state.settings = .init(
            player: "driver", backend: "http://127.0.0.1:8081", country: "USA", mayBuy: true,
            receipt: "com.example.rocketcar 1.0, purchases in it: 2", home: "/home/driver/game")
        state.tell("The turbo is unlocked. Hold on tight!", .good)
        state.tell(
            "Season Pass is waiting for approval. You can keep playing.", .warning)
        return state
    }

    static var downloads: GameState {
        var state = shop
        state.tab = .downloads
        state.downloads = [
            DownloadRow(
                transaction: "1", content: "moontrack", title: "Moon Track", stage: .active,
                progress: 0.42, bytes: 48_300_000, secondsLeft: 75),
            DownloadRow(
                transaction: "2", content: "season", title: "Season Pass", stage: .paused,
                progress: 0.9, bytes: 1_250_000),
            DownloadRow(
                transaction: "3", content: "turbo", title: "Turbo",
                stage: .failed("There is no room left on the disk."), progress: 0.1, bytes: 900),
        ]
        return state
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let state: GameState
        var size = small

        var testDescription: String { name }
    }

    static var rows: [Row] {
        var asking = shop
        asking.shelf = .asking
        var closed = shop
        closed.shelf = .closed(reason: "The store at http://127.0.0.1:8080 does not answer.")
        var sheet = shop
        sheet.isSheetOpen = true
        var settings = shop
        settings.tab = .settings
        return [
            Row(name: "shop", state: shop), Row(name: "asking", state: asking),
            Row(name: "closed", state: closed), Row(name: "sheet", state: sheet),
            Row(name: "downloads", state: downloads), Row(name: "settings", state: settings),
            Row(name: "narrow", state: shop, size: .init(columns: 60, rows: 20)),
            Row(name: "wide", state: shop, size: .init(columns: 120, rows: 30)),
        ]
    }

    @Test(arguments: rows)
    func `a screen matches its golden file`(row: Row) throws {
        let screen = GameScreen(state: row.state, size: row.size)
        let text = screen.lines.map { $0.text.trimmingTrailingSpaces + "\n" }.joined()
        try Golden.check(Array(text.utf8), row.name + ".txt")
    }

    @Test func `colours and brightness match a golden file`() throws {
        for (name, hasColours) in [("colours", true), ("no-colours", false)] {
            let lines = GameScreen(state: Self.shop, size: Self.small).lines
            let text = lines.map { $0.encoded(colours: hasColours) + "\n" }.joined()
            try Golden.check(
                Array(text.replacing("\u{1B}", with: "^").utf8), "\(name).txt")
            #expect(hasColours == text.contains("\u{1B}[32m"))
        }
    }

    @Test(arguments: rows, [(60, 20), (61, 21), (80, 24), (200, 60), (30, 5), (1, 1)])
    func `a screen fills the terminal and no line is longer`(
        row: Row, size: (columns: Int, rows: Int)
    ) {
        let lines = GameScreen(
            state: row.state, size: .init(columns: size.columns, rows: size.rows)
        ).lines
        #expect(lines.count == size.rows)
        #expect(lines.filter { $0.width > size.columns } == [])
    }

    @Test(arguments: 0..<30)
    func `the chosen product is on the screen, however many there are`(chosen: Int) {
        var state = Self.shop
        state.shelf = .open(
            (0..<30).map {
                Offer(product: "p\($0)", title: "Product <\($0)>", detail: "", prices: ["$1"])
            })
        state.chosen = chosen
        let text = GameScreen(state: state, size: Self.small).lines.map(\.text).joined()
        #expect(text.contains("▸ Product <\(chosen)>"))
    }

    @Test func `the rows of the payment sheet are left free`() {
        var state = Self.shop
        state.isSheetOpen = true
        let lines = GameScreen(state: state, size: Self.small).lines
        let last = lines.suffix(GameScreen.sheetRows)
        #expect(last.allSatisfy { $0 == Line() })
        #expect(lines[lines.count - GameScreen.sheetRows - 1].text.contains("The store asks"))
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
    }
}
