import Testing

/// The history of a world is written in one place, from a `Happening`.
@Suite struct EventDoorTests {
    static let door = "Sources/AppStoreServer/Updates/EventRecords.swift"

    /// The places of a text that add rows to the table of events, or change or replace some.
    static func writes(in text: String) -> Int {
        let sql = #/(?:\bINTO|\bUPDATE|\bDELETE\s+FROM)\s+"?event"?(?![\w.])/#.ignoresCase()
        let call = #/\b(?:into|update|from):\s*"event"/#
        return text.matches(of: sql).count + text.matches(of: call).count
    }

    @Test func `only WriteScope.record adds events to a world's history`() throws {
        let found = try Repository.sources().map {
            (path: $0.path, count: Self.writes(in: $0.text))
        }
        .filter { $0.count > 0 }
        #expect(found.map(\.path) == [Self.door])
        #expect(found.map(\.count) == [1])
    }

    @Test func `the function that adds an event is private to that file`() throws {
        let door = try Repository.file(Self.door)
        let adders = door.code.filter { $0.contains("func addEvent") }
        #expect(adders.map { $0.contains("private") } == [true])
        let records = door.code.filter { $0.contains("func record(") }
        #expect(records.count == 4)
    }

    @Test(arguments: [
        "INSERT INTO event (number, kind) VALUES (1, 'purchased')",
        "INSERT INTO event\n    (number)",
        "insert into event select * from event", "REPLACE INTO \"event\" (number)",
        "UPDATE event SET subject = NULL", "DELETE FROM event WHERE number = 1",
        "try scope.insert(into: \"event\", [\"number\": 1])", "insert(\n    into: \"event\",",
    ])
    func `another way of writing events is found`(text: String) {
        #expect(Self.writes(in: text) == 1)
    }

    @Test(arguments: [
        "SELECT max(number) FROM event", "INSERT INTO event_cursor (reader) VALUES (?1)",
        "UPDATE environment SET pace = ?2", "CREATE TABLE event (",
        "insert(into: \"event_cursor\", [",
        "JOIN event ON event.number = 1",
    ])
    func `reading events and writing other tables is allowed`(text: String) {
        #expect(Self.writes(in: text) == 0)
    }
}
