extension GameScreen {
    /// Two lines per download: its name and its progress.
    func downloads(rows: Int) -> [Line] {
        guard !state.downloads.isEmpty else {
            return [
                Line("   There are no downloads."), Line(),
                Line("   Some products come with content from the store, shown here.", .faint),
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
        case .waiting: "waiting: Enter starts it"
        case .active: row.secondsLeft.map { "\(Amount.seconds($0)) left" } ?? "on its way"
        case .paused: "paused: Enter resumes"
        case .finished: "here"
        case .cancelled: "cancelled: Enter starts over"
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
