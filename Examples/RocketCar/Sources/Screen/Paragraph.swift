/// Text wrapped to a width between words; a word that is too long is cut.
enum Paragraph {
    static func lines(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if line.isEmpty {
                line = String(word)
            } else if TextWidth.of(line) + 1 + TextWidth.of(String(word)) <= columns {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
