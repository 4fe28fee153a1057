import Foundation
import StoreService
import StoreWire
import Testing

@testable import AppStoreServer

/// The numbers of the App Store Server API's errors: each either stands in an answer to a hostile
/// request, or is never answered, for a reason.
struct ServerAPIErrorNumberTests {
    /// Numbers that the store never answers by itself, only as a fault that its owner injects.
    private static let unanswered: KeyValuePairs<String, [Int]> = [
        "an app that the world does not have has no token: 401": [4_000_002, 4_040_003],
        "paging tokens are good for ever": [4_000_017],
        "Apple replaced it by 4000047": [4_000_043],
        "what exists is known at once, so that trying again does not help": [
            4_040_002, 4_040_004, 4_040_006,
        ],
        "groups of customers and their seats are not here": [
            4_000_004, 4_000_225, 4_000_227, 4_030_028, 4_040_022,
        ],
        "retention messaging is not here": [
            4_000_161, 4_000_162, 4_000_163, 4_000_164, 4_000_175, 4_000_211, 4_000_212, 4_000_213,
            4_000_215, 4_000_216, 4_000_218, 4_000_219, 4_000_224, 4_030_014, 4_030_016, 4_030_017,
            4_030_018, 4_030_019, 4_030_026, 4_040_014, 4_040_015, 4_040_018, 4_040_020, 4_040_021,
            4_090_000, 4_090_001,
        ],
    ]

    @Test func `every number is provoked by a hostile request or has a reason why it never occurs`()
        throws
    {
        let unanswered = Self.unanswered.flatMap(\.value)
        #expect(Set(unanswered).count == unanswered.count)
        let provoked = try Self.provoked()
        #expect(provoked.intersection(unanswered).sorted() == [])
        let all = Set(ServerAPIError.allCases.map(\.rawValue))
        #expect(provoked.union(unanswered).symmetricDifference(all).sorted() == [])
    }

    @Test func `the document names exactly the numbers that hostile requests provoke`() throws {
        let schemas = try JSONValue(parsing: StoreDocument.bytes)["components"]?["schemas"]
        let numbers = schemas?["ServerAPIError"]?["properties"]?["errorCode"]?["enum"]?.array
        let described = Set(try #require(numbers).compactMap(\.wholeNumber).map { Int($0) })
        #expect(described.symmetricDifference(try Self.provoked()).sorted() == [])
    }

    /// Those in the golden file of hostile requests.
    private static func provoked() throws -> Set<Int> {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let golden = tests.appending(path: "WholeProductTests/Golden/hostile-server-api.txt")
        let text = try String(contentsOf: golden, encoding: .utf8)
        return Set(text.matches(of: /"errorCode":([0-9]{7}),/).compactMap { Int($0.1) })
    }
}
