import Foundation
import TestSupport
import Testing

@testable import StoreKit

/// How far the home folder goes while news are on their way.
@Suite final class NewsMarksTests {
    private let folder = TemporaryFolder()
    private let ada = Customer(worldId: "W", account: "ada")

    @Test func `the cursor waits before a storefront change until it is saved`() throws {
        let file = CursorFile(home: try HomeFolder(path: folder.file("home")))
        let marks = NewsMarks(file: file)
        #expect(marks.begin(of: ada, listed: 3) == 3)
        let first = StorefrontMove(countryCode: "DEU", number: 5)
        let second = StorefrontMove(countryCode: "FRA", number: 11)
        marks.came(upTo: 9, of: ada, nil, first)
        #expect(file.cursor(of: ada) == 4)
        marks.came(upTo: 12, of: ada, nil, second)
        #expect(file.cursor(of: ada) == 4)
        marks.saved(first, of: ada)
        #expect(file.cursor(of: ada) == 10)
        marks.came(upTo: 14, of: ada, nil, StorefrontMove(countryCode: "USA", number: 13))
        marks.saved(StorefrontMove(countryCode: "USA", number: 13), of: ada)
        #expect(file.cursor(of: ada) == 14)
    }
}
