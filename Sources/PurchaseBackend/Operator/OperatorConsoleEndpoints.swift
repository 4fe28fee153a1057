import StoreConsole
import StoreService

/// The console's sessions; its pages are in `BackendRoutes`, and in no document.
enum OperatorConsoleEndpoints: BackendEndpoints {
    static let all = ConsoleEndpoints<BackendScene>.all(
        openedBy: "operator token", refusedAs: Refusal.operatorTokenWrong.code)
}

extension BackendScene: ConsoleContext {
    var consoleSessions: ConsoleSessions { parts.operators.door.sessions }
    var consoleFiles: ConsoleFiles { parts.consoleFiles }
}
