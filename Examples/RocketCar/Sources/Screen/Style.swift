/// The appearance of a piece of the screen.
enum Style: String, CaseIterable {
    case plain, strong, faint, chosen, good, warning, bad, price, flame

    /// The terminal's codes for it. Without colours, brightness still marks what matters.
    func codes(colours: Bool) -> String {
        switch self {
        case .plain: ""
        case .strong: "1"
        case .faint: colours ? "90" : "2"
        case .chosen: "7"
        case .good: colours ? "32" : ""
        case .warning: colours ? "33" : ""
        case .bad: colours ? "31" : "1"
        case .price: colours ? "36" : ""
        case .flame: colours ? "91" : ""
        }
    }
}
