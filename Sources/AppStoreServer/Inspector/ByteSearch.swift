extension ArraySlice<UInt8> {
    /// Whether a word is somewhere in it. The inspector asks it of every answer, and the standard
    /// library's search takes 30 µs for that.
    func hasPart(_ word: [UInt8]) -> Bool {
        guard let first = word.first, count >= word.count else { return false }
        return (startIndex...(endIndex - word.count)).contains {
            self[$0] == first && self[$0..<($0 + word.count)].elementsEqual(word)
        }
    }
}
