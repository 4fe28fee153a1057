/// Where one element lies in the bytes that a `DERReader` walks.
package struct DERElement: Hashable, Sendable {
    package let tag: DERTag
    /// The offset of its identifier byte.
    package let start: Int
    package let contents: Range<Int>

    /// Header and contents.
    package var whole: Range<Int> { start..<contents.upperBound }
}
