/// One line of the screen, in pieces with different styles.
struct Line: Equatable {
    struct Piece: Equatable {
        let text: String
        let style: Style
    }

    private(set) var pieces: [Piece] = []
    /// In columns of the terminal.
    private(set) var width = 0

    init(_ text: String = "", _ style: Style = .plain) {
        add(text, style)
    }

    /// Adds a text, without characters that move the cursor or reverse the line.
    mutating func add(_ text: String, _ style: Style = .plain) {
        let shown = String(text.map { Self.isPrintable($0) ? $0 : "?" })
        guard !shown.isEmpty else { return }
        pieces.append(Piece(text: shown, style: style))
        width += TextWidth.of(shown)
    }

    /// Adds spaces up to a column.
    mutating func pad(to column: Int) {
        if column > width { add(String(repeating: " ", count: column - width)) }
    }

    /// Adds a text that ends before a column, or begins at once if there is no room.
    mutating func add(_ text: String, _ style: Style = .plain, endingAt column: Int) {
        pad(to: column - TextWidth.of(text))
        add(text, style)
    }

    /// The line shortened to a number of columns; a cut line ends in dots.
    func cut(to columns: Int) -> Line {
        if width <= columns { return self }
        var line = Line()
        for piece in pieces {
            var text = ""
            var room = columns - 1 - line.width
            for character in piece.text {
                room -= TextWidth.of(character)
                if room < 0 { break }
                text.append(character)
            }
            line.add(text, piece.style)
            if text != piece.text { break }
        }
        line.add("…", .faint)
        return line
    }

    var text: String { pieces.map(\.text).joined() }

    /// The line encoded for a terminal.
    func encoded(colours: Bool) -> String {
        pieces.map { piece in
            let codes = piece.style.codes(colours: colours)
            return codes.isEmpty ? piece.text : "\u{1B}[\(codes)m\(piece.text)\u{1B}[0m"
        }.joined()
    }

    private static func isPrintable(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
            // Marks that change the direction of writing.
            case .format:
                !(0x202A...0x202E).contains(scalar.value)
                    && !(0x2066...0x2069).contains(scalar.value)
            default: true
            }
        }
    }
}
