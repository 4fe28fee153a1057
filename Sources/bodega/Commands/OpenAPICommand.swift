import AppStoreServer
import PurchaseBackend

/// `bodega openapi`
enum OpenAPICommand {
    static let command = Command(
        help: """
            bodega openapi: print the OpenAPI 3.1 document of the store or the backend

              bodega openapi store
              bodega openapi backend

            The running ones serve the same at /openapi.json.

            Example:
              bodega openapi store > store.json
            """,
        options: [], flags: ["json"]
    ) { arguments in
        let bytes =
            switch try arguments.words("store or backend")[0] {
            case "store": StoreDocument.bytes
            case "backend": BackendDocument.bytes
            case let other: throw UsageError("there is no document \"\(other)\"; see --help")
            }
        Terminal.print(String(decoding: bytes.dropLast(), as: UTF8.self))
    }
}
