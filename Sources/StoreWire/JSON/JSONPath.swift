/// A place in a JSON document, written as `products[2].displayPrice`.
package struct JSONPath: Hashable, Sendable, CustomStringConvertible {
    package enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    /// The document itself.
    package static let root = JSONPath(steps: [])

    package let steps: [Step]

    package init(steps: [Step]) {
        self.steps = steps
    }

    package func appending(_ key: String) -> JSONPath {
        JSONPath(steps: steps + [.key(key)])
    }

    package func appending(_ index: Int) -> JSONPath {
        JSONPath(steps: steps + [.index(index)])
    }

    package var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
        return text.isEmpty ? "the file" : text
    }
}
