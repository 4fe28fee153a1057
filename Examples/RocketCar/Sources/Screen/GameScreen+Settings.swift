extension GameScreen {
    /// The player, the servers, and this device's permissions.
    var settings: [Line] {
        let settings = state.settings
        return [
            row("Player", settings.player ?? "none; start with --user NAME:PASSWORD"),
            row("Game server", settings.backend),
            row(
                "Store", settings.country.map { "sells to you in \($0)" } ?? "not asked yet"),
            row("Purchases", settings.mayBuy ? "allowed" : "not allowed on this device"),
            row("Receipt", settings.receipt ?? "none yet"),
            row("Saved game", settings.home),
            Line(),
            Line("   The store asks who pays; the game never does.", .faint),
        ]
    }

    private func row(_ name: String, _ value: String) -> Line {
        var line = Line("   \(name)", .faint)
        line.pad(to: 18)
        line.add(value)
        return line
    }
}
