import Foundation

/// The terminal that the game is played on: whole lines out, keys in.
///
/// The game has a screen of its own, so that the previous contents reappear afterwards.
final class GameTerminal {
    private let modesBefore: termios
    private let hasColours: Bool
    /// What the terminal shows now; nil when unknown.
    private var shown: [Line]?
    private var isEntered = false

    /// Nil unless standard input and output are a terminal that can move its cursor.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        var modes = termios()
        let name = environment["TERM"] ?? ""
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &modes) == 0,
            !["", "dumb"].contains(name)
        else { return nil }
        modesBefore = modes
        hasColours = (environment["NO_COLOR"] ?? "").isEmpty
    }

    deinit {
        leave()
    }

    var size: GameScreen.Size {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else {
            return GameScreen.Size(columns: 80, rows: 24)
        }
        return GameScreen.Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    // MARK: - Owning the terminal

    /// Takes the terminal for the game.
    func enter() {
        isEntered = true
        setModesOfGame()
        write(Code.ownScreen + Code.hideCursor + Code.clear)
        shown = nil
    }

    /// Returns the terminal as it was.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        write(Code.wholeScreen + Code.showCursor + Code.screenBefore)
        setModes(modesBefore)
    }

    /// Lends the last rows of the screen to the system's sheet, which writes and reads lines like
    /// any program.
    func lend(rows: Int) {
        let size = size
        let first = max(size.rows - rows + 1, 1)
        write(
            Code.scrolling(from: first, to: size.rows) + Code.cursor(row: first)
                + Code.showCursor)
        setModes(modesBefore)
    }

    /// Takes the rows back.
    func takeBack() {
        setModesOfGame()
        write(Code.wholeScreen + Code.hideCursor)
        forget()
    }

    /// Redraws everything next time.
    func forget() {
        write(Code.clear)
        shown = nil
    }

    // MARK: - Out

    /// Draws the lines that differ from what is shown, all at once.
    func draw(_ lines: [Line]) {
        var text = ""
        for (row, line) in lines.enumerated() where isNew(line, row: row) {
            text += Code.cursor(row: row + 1) + line.encoded(colours: hasColours) + Code.clearRest
        }
        if !text.isEmpty { write(text) }
        shown = lines
    }

    private func isNew(_ line: Line, row: Int) -> Bool {
        guard let shown, shown.indices.contains(row) else { return true }
        return shown[row] != line
    }

    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                // The terminal is gone, as a signal will report.
                return
            }
        }
    }

    // MARK: - In

    /// The typed bytes; empty when there are none, nil when no more can arrive.
    func typed() -> [UInt8]? {
        var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // Another reader may have taken the input that woke us.
        guard poll(&wait, 1, 0) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count > 0 { return Array(bytes.prefix(count)) }
        return count < 0 && errno == EINTR ? [] : nil
    }

    // MARK: - Modes

    /// Keys arrive at once and are not shown; Ctrl-C and Ctrl-Z arrive as keys, too, so that the
    /// game restores the terminal before it ends or stops.
    private func setModesOfGame() {
        var modes = modesBefore
        modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        modes.c_iflag &= ~tcflag_t(IXON | ICRNL)
        setModes(modes)
    }

    private func setModes(_ modes: termios) {
        var modes = modes
        while tcsetattr(STDIN_FILENO, TCSADRAIN, &modes) != 0, errno == EINTR { continue }
    }

    /// Control sequences that common terminals understand.
    private enum Code {
        static let ownScreen = "\u{1B}[?1049h"
        static let screenBefore = "\u{1B}[?1049l"
        static let hideCursor = "\u{1B}[?25l"
        static let showCursor = "\u{1B}[?25h"
        static let clear = "\u{1B}[2J"
        static let clearRest = "\u{1B}[K"
        static let wholeScreen = "\u{1B}[r"

        static func cursor(row: Int) -> String { "\u{1B}[\(row);1H" }

        static func scrolling(from first: Int, to last: Int) -> String {
            "\u{1B}[\(first);\(last)r"
        }
    }
}
