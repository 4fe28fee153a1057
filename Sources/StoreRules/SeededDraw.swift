/// Numbers that look random and are the same for the same question, so that a seed decides them.
package enum SeededDraw {
    /// The number for a question's parts.
    package static func number(_ seed: Int64, _ parts: UInt64...) -> UInt64 {
        // The seed alone goes first: beside a part, seeds that are close would only change places.
        parts.reduce(mixed(UInt64(bitPattern: seed))) { mixed($0 ^ $1) }
    }

    /// A word whose every bit hangs on each of another's: the finalizer of SplitMix64.
    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
