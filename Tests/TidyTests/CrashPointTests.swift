import Testing

/// Every named crash point is a line of the product, and a test of whole processes kills there.
@Suite struct CrashPointTests {
    struct Point: Sendable, CustomTestStringConvertible {
        let name: String
        let rawValue: String
        var testDescription: String { rawValue }
    }

    static func points() throws -> [Point] {
        let file = try Repository.file("Sources/CrashPoints/CrashPoint.swift")
        return file.text.matches(of: /case (\w+) = "([^"]+)"/).map {
            Point(name: String($0.1), rawValue: String($0.2))
        }
    }

    @Test func `crash points exist and have distinct names`() throws {
        let points = try Self.points()
        #expect(points.count > 10)
        #expect(Set(points.map(\.rawValue)).count == points.count)
    }

    @Test func `every crash point is reached in the sources`() throws {
        let lines = try Repository.sources().flatMap(\.code)
        for point in try Self.points() {
            #expect(
                lines.contains { $0.contains("CrashPoint.\(point.name).reach()") },
                "\(point.rawValue) is reached nowhere")
        }
    }

    @Test func `every crash point has a whole-product test that kills there`() throws {
        let tests = try Repository.files(below: "Tests/WholeProductTests", ending: ".swift")
        for point in try Self.points() {
            #expect(
                tests.contains {
                    $0.text.contains("\"\(point.rawValue)\"") || $0.text.contains(".\(point.name)")
                }, "\(point.rawValue) is named in no file of Tests/WholeProductTests")
        }
    }

    @Test func `every crash point is named on the architecture page`() throws {
        let page = try Repository.file("docs/architecture.md").text
        for point in try Self.points() {
            #expect(page.contains("`\(point.rawValue)`"), "\(point.rawValue)")
        }
    }
}
