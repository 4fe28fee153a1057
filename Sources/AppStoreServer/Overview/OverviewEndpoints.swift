import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

enum OverviewEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/overview", "getOverview",
            "The world at a glance: its clock, and counts of what its environments have",
            about: """
                At most \(Limits.rowsLookedAtMax) rows are looked at for each count, the newest \
                where it counts only some of them.
                """,
            answers: ["As it is now."],
            .slow(OverviewService.show)
        )
    ]
}

extension OverviewBody: Described {
    package static let notes: Notes = [
        "apps": ["minimum": 0],
        "environments": "Production, and then the sandbox.",
    ]
}

extension EnvironmentOverviewBody: Described {
    package static let notes: Notes = [
        "accounts": "Without deleted ones.",
        "transactions": "Without restored copies.",
        "refundRequests": "Those that are not decided.",
        "approvals": "Purchases that wait for somebody's approval.",
        "interruptions": "Purchases that were interrupted, and wait for the customer.",
        "payments": "Purchases that wait for their payment.",
        "failedNotifications": """
        Those whose last attempt failed, even if another is to come.
        """,
    ]
}
