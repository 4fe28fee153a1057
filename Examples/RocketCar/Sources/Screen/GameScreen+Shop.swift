extension GameScreen {
    /// The shelf: two lines per product, scrolled to the chosen one.
    func shop(rows: Int) -> [Line] {
        switch state.shelf {
        case .asking: return [Line("   Asking the store for its products …", .faint)]
        case .closed(let reason): return closed(reason)
        case .open(let offers) where offers.isEmpty:
            return [Line("   The shelf is empty: the store has nothing for this game.")]
        case .open(let offers):
            let window = window(of: offers.count, around: state.chosen, count: rows / 2)
            return window.flatMap { lines(of: offers[$0], isChosen: $0 == state.chosen) }
        }
    }

    private func closed(_ reason: String) -> [Line] {
        [Line("   The shop is closed: the store cannot be reached.", .warning), Line()]
            + Paragraph.lines(reason, columns: columns - 6).map { Line("   \($0)", .faint) }
            + [
                Line(), Line("   The game retries every few seconds; press t to retry now."),
                Line("   What you own stays yours: the game works without the store.", .faint),
            ]
    }

    private func lines(of offer: Offer, isChosen: Bool) -> [Line] {
        let quantity = isChosen ? state.quantity : 1
        var first = Line(isChosen ? " ▸ " : "   ", .strong)
        first.add(offer.title, isChosen ? .chosen : .strong)
        if quantity > 1 { first.add("  × \(quantity)", .strong) }
        let holding = words(offer.holding)
        first = first.cut(to: columns - 32)
        first.add(offer.price(of: quantity), .price, endingAt: columns - 26)
        first.pad(to: columns - 24)
        first.add(holding.text, holding.style)
        return [first, Line("   \(offer.detail)", .faint).cut(to: columns)]
    }

    private func words(_ holding: Offer.Holding) -> (text: String, style: Style) {
        switch holding {
        case .none: ("", .plain)
        case .owned: ("✓ yours", .good)
        case .litres(let litres): litres == 0 ? ("", .plain) : ("\(litres) litres left", .good)
        case .paying: ("… paying", .warning)
        case .waitingForApproval: ("⧗ waiting for approval", .warning)
        case .arriving: ("↓ on its way", .warning)
        case .undelivered: ("! paid, not delivered", .bad)
        }
    }

    /// The visible part of a list, which includes the chosen item.
    func window(of total: Int, around chosen: Int, count: Int) -> Range<Int> {
        guard total > count else { return 0..<total }
        let start = min(max(chosen - count / 2, 0), total - count)
        return start..<(start + max(count, 0))
    }
}
