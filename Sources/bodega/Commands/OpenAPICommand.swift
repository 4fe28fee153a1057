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
        try arguments.refuseMore(than: 1)
        let bytes =
            switch arguments.positional.first {
            case "store": StoreDocument.bytes
            case "backend": BackendDocument.bytes
            default: throw arguments.notOne(of: "store", "backend")
            }
        Terminal.print(String(decoding: bytes.dropLast(), as: UTF8.self))
    }
}
