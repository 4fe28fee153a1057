import Foundation
import StoreKit

/// The game on a terminal: the observer first, then keys, the shop and the screen, until the player
/// leaves. Everything runs on the main thread.
final class Game {
    /// Larger downloads wait until the player starts them.
    static let askAboveBytes: Int64 = 20_000_000

    let garage: Garage
    let queue = SKPaymentQueue.default()
    var state = GameState()
    var exitCode: Int32?
    var restoredCount = 0
    var receiptFetch: ReceiptFetch?
    /// News that arrived before the store had sent the products' names.
    var early: [News] = []
    private let terminal: GameTerminal
    private var keys = KeyReader()
    /// The current owner of the lower part of the screen.
    private var sheet = SheetTurn()
    private var isLent = false

    private(set) lazy var observer = StoreObserver(
        player: garage.player?.name, delivery: delivery, report: { [unowned self] in heard($0) })
    private(set) lazy var delivery = Delivery(
        garage: garage,
        contents: StoreContents(
            garage: garage, askAboveBytes: Self.askAboveBytes,
            report: { [unowned self] in heard($0) }), report: { [unowned self] in heard($0) })
    private lazy var watch = QueueWatch { [unowned self] changed in
        sheet.see(changed)
        look()
    }
    private(set) lazy var shop = Shop(backend: Backend(garage: garage)) { [unowned self] in
        tellEarly()
        look()
    }

    init(garage: Garage, terminal: GameTerminal) {
        self.garage = garage
        self.terminal = terminal
    }

    /// Plays to the end and gives the exit code.
    func run() -> Int32 {
        queue.add(observer)
        observer.begin()
        queue.add(watch)
        let signals = GameSignals(
            ended: { [unowned self] in exitCode = 128 + $0 },
            resized: { [unowned self] in redraw() })
        let input = keyboard()
        terminal.enter()
        look()
        shop.ask()
        followOwned()
        while exitCode == nil {
            show()
            _ = RunLoop.main.run(mode: .default, before: .distantFuture)
        }
        terminal.leave()
        input.cancel()
        withExtendedLifetime(signals) {}
        queue.remove(watch)
        queue.remove(observer)
        return exitCode ?? 0
    }

    // MARK: - The screen and its owner

    private func show() {
        state.isSheetOpen = sheet.prompt != nil
        if isLent, !state.isSheetOpen { terminal.takeBack() }
        // The sheet owns the cursor while it is open.
        if !(isLent && state.isSheetOpen) {
            terminal.draw(GameScreen(state: state, size: terminal.size).lines)
        }
        if !isLent, state.isSheetOpen { terminal.lend(rows: GameScreen.sheetRows) }
        isLent = state.isSheetOpen
    }

    private func redraw() {
        if !isLent { terminal.enter() }
    }

    /// Draws the screen, lends its lower part to the system's sheet, and only then runs the body
    /// that brings the sheet up.
    func withSheet(_ prompt: SheetTurn.Prompt, _ body: () -> Void) {
        guard sheet.prompt == nil else { return }
        sheet.begin(prompt)
        show()
        body()
    }

    func sheetEnded(_ prompt: SheetTurn.Prompt) {
        sheet.end(prompt)
    }

    // MARK: - Keys

    private func keyboard() -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        let call = MainThreadCall { [unowned self] in typed() }
        source.setEventHandler { call() }
        source.resume()
        return source
    }

    private func typed() {
        // While the sheet is open, typed keys go to the sheet.
        guard !isLent else { return }
        guard let bytes = terminal.typed() else {
            exitCode = exitCode ?? 0
            return
        }
        for key in keys.read(bytes) where exitCode == nil {
            if let intent = state.press(key) { carryOut(intent) }
        }
    }

    /// Stops like any program, and continues when the shell says so.
    func suspend() {
        terminal.leave()
        raise(SIGTSTP)
        terminal.enter()
    }

    func drawAnew() {
        terminal.forget()
    }
}
