import Foundation
import StoreWire

/// `bodega developer`
enum DeveloperCommand {
    static let command = Command(
        group: "developer", "developer accounts, which own apps and have shared secrets",
        shared: Option.inWorld,
        details: """
            A new world has one, named default, which owns every app that is not assigned to
            another. bodega shop apps shows each app's owner.
            """,
        examples: [
            "bodega developer add \"Rocket Games\"",
            "bodega developer assign \"Rocket Games\" --bundle-id com.example.rocketcar",
        ],
        commands: [
            Command("add NAME", "make a developer account") {
                let body = DeveloperBody(name: $0["NAME"])
                try $0.send("POST", "/developers", body) { (made: DeveloperBody) in
                    "added \(made.name)"
                }
            },
            Command("list", "every developer account") {
                try $0.send("GET", "/developers") { (body: DevelopersBody) in
                    body.developers.map(\.name).joined(separator: "\n")
                }
            },
            Command("assign NAME", "assign an app to it", [.bundleID]) {
                let body = AppDeveloperBody(developer: $0["NAME"])
                try $0.send("PUT", try $0.app() + "/developer", body) { (app: AppBody) in
                    "\(app.bundleId) belongs to \(app.developer)"
                }
            },
        ])
}
