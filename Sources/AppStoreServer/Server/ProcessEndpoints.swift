import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

enum ProcessEndpoints: StoreEndpoints {
    static let root: [Endpoint<StoreHandler>] = [
        Endpoint(
            "GET", "/health", "getHealth", "Whether the process runs",
            answers: [Answer(200, "Yes.", .schema("Health"), example: ["status": "ok"])],
            .now { _ in .json(Array(#"{"status":"ok"}"#.utf8)) }
        ),
        Endpoint(
            "GET", "/ready", "getReadiness", "Whether the default world's database can sell",
            about: "Not while its disk is full.",
            answers: [Answer(200, "Yes.", .schema("Health"), example: ["status": "ready"])],
            .later { call in
                let database = call.worlds.defaultWorld.database
                _ = try database.read { try $0.lastEventNumber() }
                if let failure = await database.writeTrouble() { throw failure }
                return .json(Array(#"{"status":"ready"}"#.utf8))
            }
        ),
        Endpoint(
            "GET", "/openapi.json", "getDocument", "This document",
            answers: [Answer(200, "In OpenAPI 3.1.", .schema(["type": "object"]))],
            .now { _ in .json(StoreDocument.bytes) }
        ),
    ]

}
