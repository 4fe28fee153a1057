/// Numbers that look random and are the same for the same question, so that a seed decides them.
package enum SeededDraw {
    /// The number for a question's parts, by the finalizer of SplitMix64.
    package static func number(_ seed: Int64, _ parts: UInt64...) -> UInt64 {
        var word = UInt64(bitPattern: seed)
        for part in parts {
            word = (word ^ part) &+ 0x9E37_79B9_7F4A_7C15
            word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
        }
        return word
    }
}
