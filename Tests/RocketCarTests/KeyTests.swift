import Testing

@testable import RocketCar

/// Keys in, changes of the screen and intents out.
@Suite struct KeyTests {
    @Test(
        arguments: [
            ("a", [.character("a")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
            ("\u{3}", [.control("c")]), ("\u{1A}", [.control("z")]), ("\u{1B}", [.escape]),
            ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[C\u{1B}[D", [.right, .left]),
            ("\u{1B}[Z", [.backTab]), ("\u{1B}[1;5C", [.right]), ("\u{1B}[3~x", [.character("x")]),
            ("ü+", [.character("+")]), ("\u{1B}q", [.escape, .character("q")]),
        ] as [(String, [Key])])
    func `bytes are read as keys`(text: String, keys: [Key]) {
        var reader = KeyReader()
        #expect(reader.read(Array(text.utf8)) == keys)
    }

    @Test func `a key that arrives in two pieces is one key`() {
        var reader = KeyReader()
        #expect(reader.read([0x1B, UInt8(ascii: "[")]) == [])
        #expect(reader.read([UInt8(ascii: "B")]) == [.down])
    }

    @Test func `any sequence of bytes is accepted`() {
        var reader = KeyReader()
        for byte in UInt8.min...UInt8.max { _ = reader.read([byte, byte]) }
        _ = reader.read(Array("\u{1B}[A".utf8))
        #expect(reader.read(Array("\u{1B}[Ax".utf8)).last == .character("x"))
    }

    @Test func `the selection moves along the shelf and stops at its ends`() {
        var state = GameScreenTests.shop
        #expect(state.press(.down) == nil)
        #expect(state.chosen == 2)
        for _ in 0..<9 { _ = state.press(.down) }
        #expect(state.chosen == 3)
        for _ in 0..<9 { _ = state.press(.character("k")) }
        #expect(state.chosen == 0)
    }

    @Test func `the quantity is limited and resets to one for another product`() {
        var state = GameScreenTests.shop
        for _ in 0..<9 { _ = state.press(.right) }
        #expect(state.press(.enter) == .buy(product: "fuel", quantity: 3))
        for _ in 0..<9 { _ = state.press(.left) }
        #expect(state.press(.enter) == .buy(product: "fuel", quantity: 1))
        _ = state.press(.right)
        _ = state.press(.down)
        #expect(state.press(.enter) == .buy(product: "season", quantity: 1))
    }

    @Test func `nothing can be bought from an empty shelf`() {
        var state = GameScreenTests.shop
        state.shelf = .closed(reason: "")
        #expect(state.press(.enter) == nil)
        #expect(state.press(.character("t")) == .tryAgain)
    }

    @Test func `pages turn both ways`() {
        var state = GameScreenTests.shop
        _ = state.press(.backTab)
        #expect(state.tab == .settings)
        #expect(state.press(.character("u")) == .refreshReceipt)
        _ = state.press(.tab)
        #expect(state.tab == .shop)
        _ = state.press(.tab)
        #expect(state.tab == .downloads)
        _ = state.press(.escape)
        #expect(state.tab == .shop)
    }

    @Test func `a download is paused, resumed and cancelled by keys`() {
        var state = GameScreenTests.downloads
        let rows = state.downloads
        #expect(state.press(.enter) == .pauseDownload(rows[0]))
        _ = state.press(.down)
        #expect(state.press(.enter) == .startDownload(rows[1]))
        #expect(state.press(.character("x")) == .cancelDownload(rows[1]))
        state.downloads = []
        state.settle()
        #expect(state.press(.enter) == nil)
    }

    @Test(arguments: GameState.Tab.allCases)
    func `some keys work on every page`(tab: GameState.Tab) {
        var state = GameScreenTests.downloads
        state.tab = tab
        #expect(state.press(.character("q")) == .quit)
        #expect(state.press(.control("c")) == .quit)
        #expect(state.press(.control("z")) == .suspend)
        #expect(state.press(.control("l")) == .redraw)
        #expect(state.press(.character("r")) == .restore)
    }
}
