import StoreConsole
import StoreService

/// The console's sessions; its pages are in `StoreRoutes`, and in no document.
enum StoreConsoleEndpoints: StoreEndpoints {
    static let root = ConsoleEndpoints<StoreHandler>.all(
        openedBy: "control token", refusedAs: Refusal.controlTokenWrong.code)
}

extension StoreHandler: ConsoleContext {}
