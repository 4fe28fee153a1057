extension Currency {
    /// The least that can be paid in it, in thousandths: a cent is 10. Source: ISO 4217.
    package var smallestMilliunits: Int64 {
        if Self.withoutParts.contains(code) { return 1_000 }
        return Self.inThousandths.contains(code) ? 1 : 10
    }

    private static let withoutParts: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
        "VUV", "XAF", "XOF", "XPF",
    ]

    private static let inThousandths: Set<String> = [
        "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND",
    ]
}
