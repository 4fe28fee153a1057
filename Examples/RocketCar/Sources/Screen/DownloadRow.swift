/// A download as the screen shows it.
struct DownloadRow: Equatable {
    enum Stage: Equatable {
        case waiting, active, paused, finished, cancelled
        case failed(String)
    }

    /// The transaction that it belongs to.
    let transaction: String
    /// The product whose content it is.
    let content: String
    let title: String
    let stage: Stage
    /// From 0 to 1.
    let progress: Double
    let bytes: Int64
    /// Nil while unknown.
    var secondsLeft: Int?
}
