import StoreWire

extension Endpoint {
    /// `GET /metrics`, which a token of its own opens, and the owner's.
    ///
    /// `more` is a sentence about what is counted, with a blank before it.
    package static func metrics(
        of server: String, openedBy ownersToken: String, about more: String = "",
        _ handler: Handler<Context>
    ) -> Endpoint {
        Endpoint(
            "GET", metricsPath, "getMetrics", "What the \(server) counts, for Prometheus",
            about: """
                In the text format of OpenMetrics 1.0.\(more) The names stay; new ones may be added.
                """,
            answers: [
                Answer(
                    200, "The values.", .bytes(MetricsText.mediaType, schema: ["type": "string"]))
            ],
            refuses: [
                401: """
                `metricsTokenWrong`: neither the metrics token nor the \(ownersToken) is given.
                """
            ], handler)
    }
}

/// The address of what a server counts.
package let metricsPath = "/metrics"
