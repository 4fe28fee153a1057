import StoreService

enum MetricsEndpoints: StoreEndpoints {
    static let root: [Endpoint<StoreHandler>] = [
        .metrics(
            of: "store", openedBy: "control token", about: " Test sessions are counted together.",
            .now(MetricsService.text))
    ]
}
