/// Short forms of amounts.
enum Amount {
    static func bytes(_ count: Int64) -> String {
        var value = Double(count)
        for unit in ["B", "kB", "MB"] {
            if value < 1_000 { return "\(short(value, unit)) \(unit)" }
            value /= 1_000
        }
        return "\(short(value, "GB")) GB"
    }

    static func seconds(_ count: Int) -> String {
        switch count {
        case ..<60: "\(count) s"
        case ..<3_600: "\(count / 60) min"
        default: "\(count / 3_600) h"
        }
    }

    /// One decimal for values below 10.
    private static func short(_ value: Double, _ unit: String) -> String {
        if unit == "B" || value >= 10 { return "\(Int(value.rounded()))" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
