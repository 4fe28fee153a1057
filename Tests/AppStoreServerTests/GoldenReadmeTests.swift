import Foundation
import Testing

/// The page beside the golden files says of each what it follows, and how we know.
struct GoldenReadmeTests {
    private static let folder =
        (#filePath as NSString).deletingLastPathComponent + "/Golden/"

    private func page() throws -> String {
        try String(contentsOfFile: Self.folder + "README.md", encoding: .utf8)
    }

    /// The cells of each row of a table, without their heads.
    private func rows() throws -> [[String]] {
        try page().split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The first cells, which name files or what answers are about.
    private func names() throws -> Set<String> {
        Set(try rows().compactMap { $0.first?.split(separator: "`").first.map { String($0) } })
    }

    @Test func `every golden receipt file names its source`() throws {
        let names = try names()
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
            .filter { $0.hasPrefix("verify-") }
        #expect(files.count > 50)
        for file in files {
            let name = String(
                file.replacing(/^verify-(old-)?subscription-/, with: "").dropLast(".json".count))
            #expect(names.contains(file) || names.contains(name), "\(file)")
        }
    }

    @Test func `every row of the golden page has a file`() throws {
        let files = Set(try FileManager.default.contentsOfDirectory(atPath: Self.folder))
        for name in try names() where !name.contains("*") {
            let known = [
                name, "verify-subscription-\(name).json", "verify-old-subscription-\(name).json",
            ]
            #expect(!files.isDisjoint(with: known), "\(name)")
        }
    }

    /// As in the fidelity table: documented names a page of Apple's, observed says where.
    @Test func `every row of the golden page says how it is known`() throws {
        let rows = try rows()
        #expect(rows.count > 30)
        for row in rows {
            try #require(row.count == 3, "\(row)")
            let marks = row[2].split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            for mark in marks {
                let isKnown =
                    mark.wholeMatch(of: /documented, .*\*[A-Za-z].*\*.*/) != nil
                    || mark.wholeMatch(of: /(observed|different), .+/) != nil
                    || mark.wholeMatch(of: /assumed(, .+)?/) != nil
                #expect(isKnown, "\(row[0]): \(mark)")
            }
            #expect(!row[2].contains("/work") && !row[1].contains("/work"))
        }
    }
}
