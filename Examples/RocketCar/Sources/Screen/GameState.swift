/// Everything that the screen shows.
struct GameState: Equatable {
    enum Tab: CaseIterable {
        case shop, downloads, settings
    }

    enum Shelf: Equatable {
        /// The store was asked and has not answered yet.
        case asking
        case open([Offer])
        case closed(reason: String)
    }

    struct Message: Equatable {
        let text: String
        let style: Style
    }

    struct Settings: Equatable {
        var player: String?
        var backend = ""
        /// The country of the customer's storefront, in three letters.
        var country: String?
        var mayBuy = true
        /// A summary of this device's receipt; nil without one.
        var receipt: String?
        var home = ""
    }

    static let messagesMax = 20
    static let litresMax = 1_000

    var tab = Tab.shop
    var shelf = Shelf.asking
    /// The chosen line of the shelf.
    var chosen = 0
    /// The quantity of the chosen product.
    var quantity = 1
    var litres = 0
    var turbo = Turbo.locked
    var downloads: [DownloadRow] = []
    /// The chosen line of the downloads.
    var chosenDownload = 0
    var settings = Settings()
    /// The newest last.
    private(set) var messages: [Message] = []
    /// Whether the system's sheet has the lower part of the screen.
    var isSheetOpen = false

    var offers: [Offer] {
        if case .open(let offers) = shelf { offers } else { [] }
    }

    var chosenOffer: Offer? {
        offers.indices.contains(chosen) ? offers[chosen] : nil
    }

    var chosenDownloadRow: DownloadRow? {
        downloads.indices.contains(chosenDownload) ? downloads[chosenDownload] : nil
    }

    mutating func tell(_ text: String, _ style: Style = .plain) {
        messages.append(Message(text: text, style: style))
        if messages.count > Self.messagesMax { messages.removeFirst() }
    }
}
