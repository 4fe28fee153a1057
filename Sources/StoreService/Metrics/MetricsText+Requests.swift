package import StoreHTTP

/// Answers that are counted together, and what they are called.
package struct CountedAnswers {
    let method: String
    let route: String
    let counts: AnswerCounts

    /// Those of a router's routes; `place` goes before a route's pattern.
    package static func of(_ counts: RouteCounts, at place: String = "") -> [Self] {
        counts.routes.map { route in
            // A route of every method is called "any".
            Self(
                method: route.method == "*" ? "any" : route.method,
                route: place + route.pattern.text, counts: route.counts)
        }
    }

    /// Those to requests that reached no route: their methods and paths are the clients'.
    package static func unrouted(_ counts: AnswerCounts) -> Self {
        Self(method: "any", route: "none", counts: counts)
    }
}

// What every server says of its requests.
extension MetricsText {
    /// How many requests were answered, and how long that took. Routes never asked are left out.
    package mutating func requests(_ answers: [CountedAnswers], about more: String = "") {
        counter(
            "bodega_http_requests", "Answered requests, by the pattern of their path\(more).",
            answers.flatMap { one in
                one.counts.figures.map { figure in
                    Sample(
                        figure.count,
                        ["method": one.method, "route": one.route, "status": figure.status])
                }
            })
        histogram(
            "bodega_http_request_duration_seconds",
            "From the request line to the last byte of the answer; long polls wait in between.",
            unit: "seconds",
            answers.compactMap { one in
                let (counts, microseconds) = one.counts.durations
                guard counts.contains(where: { $0 > 0 }) else { return nil }
                return Distribution(
                    bounds: AnswerCounts.durationBounds, counts: counts, sum: microseconds,
                    perUnit: 1_000_000, ["method": one.method, "route": one.route])
            })
    }
}
