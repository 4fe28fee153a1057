package import StoreHTTP

/// Writes the values of a server in the text format of OpenMetrics 1.0.
///
/// Source: OpenMetrics 1.0, *ABNF* and *Metric types*; names follow Prometheus, *Metric and label
/// naming*: base units, the unit last, `_total` for counters.
package struct MetricsText {
    /// Source: OpenMetrics 1.0, *Content-Type*.
    package static let mediaType = "application/openmetrics-text"

    package typealias Labels = KeyValuePairs<String, String>

    /// A value with its labels.
    package struct Sample {
        let labels: Labels
        let value: String

        package init(_ value: Int, _ labels: Labels = [:]) {
            (self.labels, self.value) = (labels, "\(value)")
        }

        /// A number of milliseconds as seconds.
        package init(milliseconds: Int64, _ labels: Labels = [:]) {
            self.labels = labels
            value = decimal(Int(milliseconds), of: 1_000)
        }
    }

    /// What is counted up to each bound; `perUnit` of its numbers make one of the unit.
    package struct Distribution {
        let labels: Labels
        let bounds: [Int]
        let counts: [Int]
        let sum: Int
        let perUnit: Int

        package init(
            bounds: [Int], counts: [Int], sum: Int, perUnit: Int = 1, _ labels: Labels = [:]
        ) {
            (self.bounds, self.counts, self.sum) = (bounds, counts, sum)
            (self.perUnit, self.labels) = (perUnit, labels)
        }
    }

    private var text = ""

    package init() {}

    /// What only rises; `name` without `_total`.
    package mutating func counter(
        _ name: String, _ help: String, unit: String? = nil, _ samples: [Sample]
    ) {
        begin(name, "counter", help, unit)
        for sample in samples { line(name + "_total", sample.labels, sample.value) }
    }

    package mutating func gauge(
        _ name: String, _ help: String, unit: String? = nil, _ samples: [Sample]
    ) {
        begin(name, "gauge", help, unit)
        for sample in samples { line(name, sample.labels, sample.value) }
    }

    package mutating func histogram(
        _ name: String, _ help: String, unit: String? = nil, _ distributions: [Distribution]
    ) {
        begin(name, "histogram", help, unit)
        for one in distributions {
            var sum = 0
            for (place, count) in one.counts.enumerated() {
                sum += count
                let bound = place < one.bounds.count ? one.bounds[place] : nil
                let le = bound.map { decimal($0, of: one.perUnit) } ?? "+Inf"
                line(name + "_bucket", one.labels, "\(sum)", with: ("le", le))
            }
            line(name + "_count", one.labels, "\(sum)")
            line(name + "_sum", one.labels, decimal(one.sum, of: one.perUnit))
        }
    }

    /// Texts that do not change while the process runs; `name` without `_info`.
    package mutating func info(_ name: String, _ help: String, _ labels: Labels) {
        begin(name, "info", help, nil)
        line(name + "_info", labels, "1")
    }

    /// The whole text as an answer.
    package func answer() -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: HTTPHeaders([
                ("Content-Type", Self.mediaType + "; version=1.0.0; charset=utf-8"),
                ("Cache-Control", "no-store"),
            ]), body: Array((text + "# EOF\n").utf8))
    }

    private mutating func begin(
        _ name: String, _ type: String, _ help: String, _ unit: String?
    ) {
        text += "# TYPE \(name) \(type)\n"
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(Self.escaped(help))\n"
    }

    private mutating func line(
        _ name: String, _ labels: Labels, _ value: String,
        with more: (key: String, value: String)? = nil
    ) {
        let pairs = (labels.map { $0 } + (more.map { [$0] } ?? [])).map {
            "\($0.key)=\"\(Self.escaped($0.value))\""
        }
        let set = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
        text += "\(name)\(set) \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
            .replacing("\"", with: "\\\"")
    }
}

/// A whole number of parts as a decimal fraction, exactly: 2500 of 1000000 is 0.0025.
private func decimal(_ value: Int, of parts: Int) -> String {
    guard parts > 1 else { return "\(value).0" }
    let digits = "\(parts)".count - 1
    let fraction = "\(abs(value) % parts)"
    let padded = String(repeating: "0", count: digits - fraction.count) + fraction
    let shown = padded.reversed().drop { $0 == "0" }.reversed()
    let sign = value < 0 ? "-" : ""
    return "\(sign)\(abs(value) / parts)." + (shown.isEmpty ? "0" : String(shown))
}
