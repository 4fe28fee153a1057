extension GameScreen {
    /// Two lines for a download: what it is, and how far.
    func downloads(rows: Int) -> [Line] {
        guard !state.downloads.isEmpty else {
            return [
                Line("   Nothing is being loaded."), Line(),
                Line("   Some products bring content from the store; it comes here first.", .faint),
            ]
        }
        let window = window(
            of: state.downloads.count, around: state.chosenDownload, count: rows / 2)
        return window.flatMap {
            lines(of: state.downloads[$0], isChosen: $0 == state.chosenDownload)
        }
    }

    private func lines(of row: DownloadRow, isChosen: Bool) -> [Line] {
        var first = Line(isChosen ? " ▸ " : "   ", .strong)
        first.add(row.title, isChosen ? .chosen : .strong)
        first.pad(to: columns - 24)
        first.add(Amount.bytes(row.bytes), .faint)
        var second = Line("   ")
        for piece in bar(row.progress, columns: 20, style: style(row.stage)) {
            second.add(piece.text, piece.style)
        }
        second.add(" \(Int((row.progress * 100).rounded(.down)))%", endingAt: 28)
        second.add("  " + words(row), style(row.stage))
        return [first, second]
    }

    private func words(_ row: DownloadRow) -> String {
        switch row.stage {
        case .waiting: "waits: Enter starts it"
        case .active: row.secondsLeft.map { "\(Amount.seconds($0)) left" } ?? "on its way"
        case .paused: "stopped: Enter goes on"
        case .finished: "here"
        case .cancelled: "cancelled: Enter begins anew"
        case .failed(let reason): reason
        }
    }

    private func style(_ stage: DownloadRow.Stage) -> Style {
        switch stage {
        case .active, .finished: .good
        case .waiting, .paused, .cancelled: .warning
        case .failed: .bad
        }
    }
}
