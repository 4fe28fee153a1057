import StoreService
import StoreWire

enum MetricsEndpoints: StoreEndpoints {
    static let path = "/metrics"

    static let root: [Endpoint<StoreHandler>] = [
        Endpoint(
            "GET", path, "getMetrics", "What the store counts, for Prometheus",
            about: """
                In the text format of OpenMetrics 1.0. Test sessions are counted together. The \
                names stay; new ones may be added.
                """,
            answers: [
                Answer(
                    200, "The values.", .bytes(MetricsText.mediaType, schema: ["type": "string"]))
            ],
            refuses: [
                401: """
                `metricsTokenWrong`: neither the metrics token nor the control token is given.
                """
            ],
            .now(MetricsService.text)
        )
    ]
}
