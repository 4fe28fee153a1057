/// The screen for a state: the same state gives the same lines.
struct GameScreen {
    struct Size: Equatable {
        var columns: Int
        var rows: Int
    }

    static let sizeMin = Size(columns: 60, rows: 20)
    /// Longer lines are hard to read.
    static let columnsMax = 100
    /// The rows of the system's sheet at the bottom of the screen.
    static let sheetRows = 9
    static let messageRowsMax = 4

    let state: GameState
    let size: Size

    /// As many lines as the terminal has rows, none wider than the terminal.
    var lines: [Line] {
        guard size.columns >= Self.sizeMin.columns, size.rows >= Self.sizeMin.rows else {
            return filled([tooSmall.cut(to: size.columns)], to: size.rows)
        }
        let top = header + [Line(), tabs, Line()]
        let bottom = state.isSheetOpen ? [sheetEdge] : [rule] + messages + [Line(), hints]
        let height = size.rows - (state.isSheetOpen ? Self.sheetRows : 0)
        let room = height - top.count - bottom.count
        let shown = top + filled(page(rows: room), to: room) + bottom
        return filled(shown.map { $0.cut(to: size.columns) }, to: size.rows)
    }

    /// The width of the lines.
    var columns: Int { min(size.columns, Self.columnsMax) }

    private func page(rows: Int) -> [Line] {
        switch state.tab {
        case .shop: shop(rows: rows)
        case .downloads: downloads(rows: rows)
        case .settings: settings
        }
    }

    // MARK: - Above

    private var header: [Line] {
        let flame = state.turbo == .locked ? "   " : "≋≋≋"
        var first = Line("       ▗▟▀▀▀▙▖      ", .flame)
        first.add("R O C K E T C A R", .strong)
        first.add(player, .faint, endingAt: columns - 1)
        var second = Line(flame, .warning)
        second.add("▗▟███████████▙▄  ", .flame)
        second.add("Tank   ")
        add(tank, to: &second)
        second.add("  \(state.litres) litres")
        var third = Line("    ▀▀(o)▀▀▀▀(o)▀   ", .flame)
        third.add("Turbo  ")
        third.add(
            state.turbo == .locked ? "locked" : "unlocked",
            state.turbo == .locked ? .faint : .good)
        return [first, second, third]
    }

    private var player: String {
        [state.settings.player, state.settings.country].compactMap { $0 }.joined(separator: " · ")
    }

    private var tank: Double { Double(state.litres) / Double(GameState.litresMax) }

    private func add(_ share: Double, to line: inout Line) {
        for piece in bar(share, columns: 10, style: .good) { line.add(piece.text, piece.style) }
    }

    private var tabs: Line {
        var line = Line(" ")
        for (tab, name) in [
            (GameState.Tab.shop, "Shop"), (.downloads, downloadsName), (.settings, "Settings"),
        ] {
            line.add(
                tab == state.tab ? "[ \(name) ]" : "  \(name)  ",
                tab == state.tab ? .strong : .faint)
            line.add(" ")
        }
        return line
    }

    private var downloadsName: String {
        state.downloads.isEmpty ? "Downloads" : "Downloads \(state.downloads.count)"
    }

    // MARK: - Below

    private var rule: Line { Line(String(repeating: "─", count: columns), .faint) }

    private var sheetEdge: Line {
        let name = "── The store asks ── Ctrl-C leaves the game "
        return Line(name + String(repeating: "─", count: columns - name.count), .warning)
    }

    /// The newest messages that fit.
    private var messages: [Line] {
        let all = state.messages.flatMap { message in
            Paragraph.lines(message.text, columns: columns - 3).enumerated().map { part in
                Line((part.offset == 0 ? " • " : "   ") + part.element, message.style)
            }
        }
        let shown = Array(all.suffix(Self.messageRowsMax))
        return shown + Array(repeating: Line(), count: Self.messageRowsMax - shown.count)
    }

    private var hints: Line {
        let hints: [(String, String)]
        switch state.tab {
        case .shop:
            hints = [
                ("↑↓", "choose"), ("←→", "how many"), ("Enter", "buy"), ("r", "restore"),
                ("t", "retry"),
            ]
        case .downloads: hints = [("↑↓", "choose"), ("Enter", "start, pause"), ("x", "cancel")]
        case .settings: hints = [("u", "refresh the receipt"), ("r", "restore")]
        }
        return line(of: hints, and: [("Tab", "page"), ("q", "quit")])
    }

    /// The hints that fit, always including how to leave.
    private func line(of hints: [(String, String)], and last: [(String, String)]) -> Line {
        var line = Line()
        for (key, deed) in hints + last {
            line.add(line.width == 0 ? " " : "  ")
            line.add(key, .strong)
            line.add(" \(deed)", .faint)
        }
        let isTooLong = line.width > columns && !hints.isEmpty
        return isTooLong ? self.line(of: hints.dropLast(), and: last) : line
    }

    private var tooSmall: Line {
        Line(
            "\(size.columns) × \(size.rows) is too small: "
                + "\(Self.sizeMin.columns) × \(Self.sizeMin.rows) please.", .warning)
    }

    private func filled(_ lines: [Line], to rows: Int) -> [Line] {
        let shown = lines.prefix(max(rows, 0))
        return shown + Array(repeating: Line(), count: max(rows - shown.count, 0))
    }

    /// A bar of blocks, filled in proportion to a share.
    func bar(_ share: Double, columns: Int, style: Style) -> [Line.Piece] {
        let filled = Int((min(max(share, 0), 1) * Double(columns)).rounded())
        return [
            Line.Piece(text: String(repeating: "▰", count: filled), style: style),
            Line.Piece(text: String(repeating: "▱", count: columns - filled), style: .faint),
        ]
    }
}
