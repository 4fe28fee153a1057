/// Whether Xcode writes one key before another: ignoring case, comparing runs of digits as numbers,
/// and otherwise equal keys by their bytes.
///
/// Foundation's `JSONSerialization.WritingOptions.sortedKeys` uses the same order.
func comesBeforeInXcode(_ left: String, _ right: String) -> Bool {
    var leftRest = Array(left.utf8)[...]
    var rightRest = Array(right.utf8)[...]
    while let leftByte = leftRest.first, let rightByte = rightRest.first {
        if isDigit(leftByte), isDigit(rightByte) {
            let leftNumber = takeNumber(&leftRest)
            let rightNumber = takeNumber(&rightRest)
            guard leftNumber == rightNumber else {
                return leftNumber.count == rightNumber.count
                    ? leftNumber.lexicographicallyPrecedes(rightNumber)
                    : leftNumber.count < rightNumber.count
            }
        } else {
            let (leftFolded, rightFolded) = (folded(leftByte), folded(rightByte))
            guard leftFolded == rightFolded else { return leftFolded < rightFolded }
            leftRest = leftRest.dropFirst()
            rightRest = rightRest.dropFirst()
        }
    }
    guard leftRest.isEmpty, rightRest.isEmpty else { return leftRest.isEmpty }
    return left.utf8.lexicographicallyPrecedes(right.utf8)
}

/// Removes and returns the leading digits, without leading zeros.
private func takeNumber(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix(while: isDigit)
    rest = rest.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
}

private func folded(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
}
