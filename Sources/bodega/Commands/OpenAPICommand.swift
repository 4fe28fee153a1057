import AppStoreServer
import PurchaseBackend

/// `bodega openapi`
enum OpenAPICommand {
    static let command = Command(
        group: "openapi", "print the OpenAPI 3.1 document of the store or the backend",
        shared: [.json],
        details: "A running store or backend serves the same document at /openapi.json.",
        examples: ["bodega openapi store > store.json"],
        commands: [
            Command("store", "the store's document") { _ in show(StoreDocument.bytes) },
            Command("backend", "the backend's document") { _ in show(BackendDocument.bytes) },
        ])

    private static func show(_ bytes: [UInt8]) {
        Terminal.print(String(decoding: bytes.dropLast(), as: UTF8.self))
    }
}
