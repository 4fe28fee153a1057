extension GameScreen {
    /// Who plays, where, and what this device may do.
    var settings: [Line] {
        let settings = state.settings
        return [
            row("Player", settings.player ?? "nobody; start with --user NAME:PASSWORD"),
            row("Game server", settings.backend),
            row(
                "Store", settings.country.map { "sells to you in \($0)" } ?? "not asked yet"),
            row("Purchases", settings.mayBuy ? "allowed" : "not allowed on this device"),
            row("Receipt", settings.receipt ?? "none yet"),
            row("Saved game", settings.home),
            Line(),
            Line("   Who pays is asked by the store, never by the game.", .faint),
        ]
    }

    private func row(_ name: String, _ value: String) -> Line {
        var line = Line("   \(name)", .faint)
        line.pad(to: 18)
        line.add(value)
        return line
    }
}
