/// Mistyped words, and lists of words in a sentence.
package enum Spelling {
    /// The most letters in which a mistyped word differs: long names share much by themselves.
    private static let distanceMax = 3

    /// The known word that was probably meant: at most a third of its letters differ, and few.
    package static func nearest(to word: String, of known: [String]) -> String? {
        let near = known.map { (word: $0, distance: distance(word, $0)) }
            .min { $0.distance < $1.distance }
        guard let near, near.distance <= min(distanceMax, max(1, near.word.count / 3))
        else { return nil }
        return near.word
    }

    /// How many letters must be added, dropped, replaced or swapped with their neighbour.
    private static func distance(_ one: String, _ other: String) -> Int {
        let one = Array(one)
        let other = Array(other)
        var rows = [Array(0...other.count)]
        for (i, letter) in one.enumerated() {
            var row = [i + 1]
            for (j, wanted) in other.enumerated() {
                var least = min(
                    rows[i][j] + (letter == wanted ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, letter == other[j - 1], one[i - 1] == wanted {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }

    /// `a, b or c`
    package static func either(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or \(last)"
    }
}
