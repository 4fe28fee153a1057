import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

enum ProcessEndpoints: BackendEndpoints {
    static let schemas: KeyValuePairs<String, JSONValue> = [
        "Health": [
            "type": "object", "required": ["status"],
            "properties": ["status": ["enum": ["ok", "ready"]]],
        ]
    ]

    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "GET", "/health", "getHealth", "Whether the process runs",
            answers: [Answer(200, "It does.", .schema("Health"), example: ["status": "ok"])],
            .now { _ in ["status": "ok"] }
        ),
        Endpoint(
            "GET", "/ready", "getReadiness", "Whether the database can grant",
            about: "Not while its disk is full.",
            answers: [Answer(200, "It does.", .schema("Health"), example: ["status": "ready"])],
            .later { call in
                do {
                    let database = call.parts.database
                    _ = try database.read { try $0.row("SELECT count(*) FROM schema_version") }
                    if let failure = await database.writeTrouble() { throw failure }
                    return ["status": "ready"]
                } catch {
                    call.parts.log(.requestFailed, .detail("\(error)"))
                    throw Refusal.notReady
                }
            }
        ),
        Endpoint(
            "GET", "/openapi.json", "getDocument", "This document",
            answers: [Answer(200, "In OpenAPI 3.1.", .schema(["type": "object"]))],
            .now { call in .json(BackendDocument.bytes) }
        ),
    ]

}
