extension News {
    /// The message for the player; nil when the shelf shows it anyway, or the player caused it.
    ///
    /// `title` gives a product's name.
    func message(title: (String) -> String) -> GameState.Message? {
        switch self {
        case .purchasing, .purchased, .restored, .finished, .cancelled, .restoreCancelled,
            .restoreFinished, .storefrontChanged, .subscription:
            nil
        case .delivered(let product, _, _):
            Garage.deliversAlone(product)
                ? nil : .init(text: "\(title(product)) is yours.", style: .good)
        case .deferred(let product):
            .init(
                text: "\(title(product)) is waiting for approval. You can keep playing.",
                style: .warning)
        case .failed(let product, let message):
            .init(text: "\(title(product)) was not bought. \(message)", style: .bad)
        case .unknown(let product, let state):
            .init(
                text: "\(title(product)) is in state \(state), which this version does not know.",
                style: .bad)
        case .left(let product, _):
            .init(text: "\(title(product)) was bought for another player.", style: .warning)
        case .downloading(let product, _):
            .init(text: "\(title(product)) is downloading.", style: .plain)
        case .largeDownload(let product, _, let bytes):
            .init(
                text: "\(title(product)) is yours, a download of \(Amount.bytes(bytes)): start it "
                    + "under Downloads.", style: .warning)
        case .downloaded(let product, _):
            .init(text: "\(title(product)) is downloaded.", style: .good)
        case .downloadFailed(let product, let message):
            .init(text: "\(title(product)) was not downloaded. \(message)", style: .bad)
        case .downloadCancelled(let product):
            .init(
                text: "The download of \(title(product)) was cancelled. It is still yours.",
                style: .warning)
        case .unlocked: .init(text: "The turbo is unlocked. Hold on tight!", style: .good)
        case .fuel(let litres, true):
            .init(text: "The tank is filled: \(litres) litres.", style: .good)
        case .fuel(_, false): nil
        case .drained(let litres):
            .init(text: "Fuel was refunded; the tank holds \(litres) litres.", style: .warning)
        case .kept(let product, _, let reason), .waiting(let product, _, let reason):
            .init(
                text: "\(title(product)) is paid for and cannot be delivered now: \(reason). "
                    + "It is retried at the next start, or press t.", style: .warning)
        case .refused(let product, _, _, let message):
            .init(
                text: "The game server refuses \(title(product)): \(message)", style: .bad)
        case .chosen(let product, _):
            .init(text: "\(title(product)) begins with the next renewal.", style: .good)
        case .ended(let product):
            .init(text: "\(title(product)) has ended.", style: .warning)
        case .restoreFailed(let message):
            .init(text: "Nothing could be restored. \(message)", style: .bad)
        case .revoked(let products):
            .init(
                text: "No longer yours: \(products.map(title).joined(separator: ", ")).",
                style: .warning)
        case .takenBack(let product):
            .init(text: "\(title(product)) was taken back.", style: .warning)
        case .trouble(let sentence): .init(text: sentence, style: .bad)
        }
    }
}
