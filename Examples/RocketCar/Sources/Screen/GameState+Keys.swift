/// What the player wants the game to do.
enum Intent: Equatable {
    case buy(product: String, quantity: Int)
    case restore, refreshReceipt
    /// Ask the store for its products, and deliver what is still undelivered.
    case tryAgain
    case startDownload(DownloadRow), pauseDownload(DownloadRow), cancelDownload(DownloadRow)
    case redraw, suspend, quit
}

extension GameState {
    /// Takes in a key: it changes what is shown, or requests an action.
    mutating func press(_ key: Key) -> Intent? {
        switch key {
        case .control("c"), .character("q"): return .quit
        case .control("z"): return .suspend
        case .control("l"): return .redraw
        case .character("r"): return .restore
        case .tab: turn(by: 1)
        case .backTab: turn(by: -1)
        case .escape: tab = .shop
        default:
            switch tab {
            case .shop: return pressInShop(key)
            case .downloads: return pressInDownloads(key)
            case .settings: return key == .character("u") ? .refreshReceipt : nil
            }
        }
        return nil
    }

    /// Keeps the selection within the lists.
    mutating func settle() {
        chosen = min(max(chosen, 0), max(offers.count - 1, 0))
        chosenDownload = min(max(chosenDownload, 0), max(downloads.count - 1, 0))
        quantity = min(max(quantity, 1), chosenOffer?.quantityMax ?? 1)
    }

    private mutating func turn(by step: Int) {
        let tabs = Tab.allCases
        let place = tabs.firstIndex(of: tab) ?? 0
        tab = tabs[(place + step + tabs.count) % tabs.count]
    }

    private mutating func pressInShop(_ key: Key) -> Intent? {
        switch key {
        case .up, .character("k"): choose(chosen - 1)
        case .down, .character("j"): choose(chosen + 1)
        case .left, .character("-"): quantity -= 1
        case .right, .character("+"): quantity += 1
        case .enter:
            return chosenOffer.map { .buy(product: $0.product, quantity: quantity) }
        case .character("t"): return .tryAgain
        default: break
        }
        settle()
        return nil
    }

    private mutating func choose(_ place: Int) {
        let before = chosen
        chosen = place
        settle()
        if chosen != before { quantity = 1 }
    }

    private mutating func pressInDownloads(_ key: Key) -> Intent? {
        switch key {
        case .up, .character("k"): chosenDownload -= 1
        case .down, .character("j"): chosenDownload += 1
        case .enter:
            return chosenDownloadRow.map {
                $0.stage == .active ? .pauseDownload($0) : .startDownload($0)
            }
        case .character("x"): return chosenDownloadRow.map { .cancelDownload($0) }
        default: break
        }
        settle()
        return nil
    }
}
