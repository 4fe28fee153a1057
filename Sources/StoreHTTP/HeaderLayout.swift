/// The addresses of a request header's parts in libmicrohttpd, which reveal what separated them.
///
/// libmicrohttpd 0.9.75 accepts bare line feeds, folded lines and NUL bytes, and reports none of
/// them: it cuts a value at a NUL and appends a folded line to the *name* before it. But it parses
/// in place: each part keeps its address and each delimiter becomes zero bytes. So in a header
/// whose lines end in CR LF every part begins where the previous one allows; in any other it does
/// not.
@safe
struct HeaderLayout {
    /// Whether the libmicrohttpd in use is a version whose parsing is known.
    ///
    /// With any other version the layout is not checked: that might refuse every request. This is
    /// not unsafe, since addresses are compared and never read; `bodega doctor` warns about it.
    static let isKnown = listenerLibraryVersion == "0.9.75"

    /// Whether all parts so far are where they must be.
    private(set) var isPlain: Bool
    /// Where the next line must begin.
    private var nextLine: UInt
    private let start: UInt

    /// The request line: `target` has `targetCount` bytes up to its first NUL.
    init(
        method: UnsafePointer<CChar>, methodCount: Int, targetAddress: UInt, targetCount: Int,
        version: UnsafePointer<CChar>, versionCount: Int
    ) {
        let (methodStart, versionStart) = (
            UInt(bitPattern: method), UInt(bitPattern: version)
        )
        isPlain =
            targetAddress == methodStart + UInt(methodCount) + 1
            && versionStart == targetAddress + UInt(targetCount) + 1
        nextLine = versionStart + UInt(versionCount) + 2
        start = methodStart
    }

    mutating func take(
        name: UnsafePointer<CChar>, value: UnsafePointer<CChar>, valueCount: Int
    ) {
        isPlain = isPlain && UInt(bitPattern: name) == nextLine
        nextLine = UInt(bitPattern: value) + UInt(valueCount) + 2
    }

    /// Compares the end of the last line with that of the header, which an empty line ends.
    mutating func finish(headerCount: Int) {
        isPlain = isPlain && start + UInt(headerCount) == nextLine + 2
    }
}
